import WireFormats

/// Which permissions an operation needs, depending on its input.
///
/// The words of a rule are:
///
/// - `-`, alone: it is not known.
/// - `[[MEMBER?]ACTION@]CHOICE|CHOICE…`: the action, which is otherwise called as the operation, on the resources of the first choice that
///   the input names. With `MEMBER?`, only if the input has that list or map, such as tags. `*` at the end is the resource of operations
///   without one, and `?` at the end means that no permission is needed.
/// - `^MEMBER`: `iam:PassRole` for a role, if the input names one.
/// - `!partiql(MEMBER)`: the action and the table of each statement.
///
/// A choice is references joined by `&`, all of which count if the input names several: a service decides which it reads. A reference is
/// `{MEMBER}`, an ARN, or `TYPE(MEMBER,…)`; see ``MemberPath`` for members.
package struct OperationRule: Sendable {
    /// One word of a rule.
    enum Part: Sendable {
        /// An action on the resources of the first choice that the input names.
        /// - Parameter member: the member without which no permission is needed; `nil` if it always is.
        case permission(action: String?, member: String?, choices: [[Reference]], fallback: Fallback)
        /// `iam:PassRole` for the roles at a path.
        case passRole(MemberPath)
        /// The actions of the statements at a path.
        case partiQL(MemberPath)
    }

    /// What a permission is about if no choice is named.
    enum Fallback: Sendable {
        /// The resource of operations without one.
        case unnamed
        /// Nothing: no permission is needed.
        case nothing
    }

    /// How an input names a resource.
    enum Reference: Sendable {
        /// The member is the ARN, or another text that is the resource itself.
        case value(MemberPath)
        /// The members are parts of the ARN of a type.
        case typed(String, [MemberPath])
    }

    let parts: [Part]

    /// Reads the words of a rule; `nil` if they say that it is not known, or do not follow the grammar.
    init?(words: [String]) {
        let parts = words.compactMap { Self.part($0) }
        guard !words.isEmpty, parts.count == words.count else { return nil }
        self.parts = parts
    }

    private static func part(_ word: String) -> Part? {
        if word == "-" { return nil }
        if word.hasPrefix("^") { return .passRole(MemberPath(String(word.dropFirst()))) }
        if word.hasPrefix("!partiql("), word.hasSuffix(")") {
            return .partiQL(MemberPath(String(word.dropFirst("!partiql(".count).dropLast())))
        }
        var (action, member, text): (String?, String?, Substring) = (nil, nil, word[...])
        if let at = word.firstIndex(of: "@") {
            let before = word[..<at]
            if let mark = before.firstIndex(of: "?") {
                member = String(before[..<mark])
                action = String(before[mark...].dropFirst())
            } else {
                action = String(before)
            }
            text = word[at...].dropFirst()
        }
        var (choices, fallback): ([[Reference]], Fallback) = ([], .unnamed)
        for choice in text.split(separator: "|") {
            if choice == "?" {
                fallback = .nothing
            } else if choice != "*" {
                let references = choice.split(separator: "&").compactMap { reference(String($0)) }
                guard !references.isEmpty else { return nil }
                choices.append(references)
            }
        }
        return .permission(action: action, member: member, choices: choices, fallback: fallback)
    }

    private static func reference(_ text: String) -> Reference? {
        if text.hasPrefix("{"), text.hasSuffix("}") { return .value(MemberPath(String(text.dropFirst().dropLast()))) }
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return nil }
        let members = text[open...].dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
        return .typed(String(text[..<open]), members.map { MemberPath(String($0)) })
    }
}
