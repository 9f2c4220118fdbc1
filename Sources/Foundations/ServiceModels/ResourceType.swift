import WireFormats

/// A type of resource: its ARN, with placeholders for what inputs name.
///
/// The text is `SERVICE:REGION:ACCOUNT:REST`, where the region `r` and the account `a` are those of the call. A placeholder `{KIND}` in the
/// rest takes the next value, changed as the kind says; `{}` takes it as it is.
struct ResourceType: Sendable {
    /// How a value becomes a part of an ARN.
    enum Placeholder: String, Sendable {
        /// The value as it is.
        case plain = ""
        /// The name at the end of a queue's URL, whose account replaces that of the call.
        case queue
        /// The name of a parameter of Systems Manager without the slash at the beginning.
        case parameter
        /// A node of Systems Manager: an instance of EC2, or a managed one.
        case node
        /// A type of resource that has tags in Systems Manager; the next value is its identifier.
        case tagged
        /// A key of KMS, by identifier or alias.
        case key
        /// An alias of KMS, with its prefix.
        case alias
        /// A secret, by name or by an ARN without its suffix.
        case secret
        /// A function of Lambda, by name, with a qualifier, or with an account.
        case function
        /// A layer of Lambda.
        case layer
        /// An event bus by name or ARN, as its own resource.
        case busName = "busname"
        /// An event bus by name or ARN, before the name of a rule. The default bus is left out.
        case bus
        /// A log group by name or ARN.
        case group
    }

    /// One part of the text after the account.
    enum Piece: Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    let service: String
    /// `r` for the region of the call.
    let region: String
    /// `a` for the account of the call.
    let account: String
    let pieces: [Piece]

    /// Reads the text of a type. An unknown placeholder is a plain one, which a test rules out.
    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false).map { String($0) }
        service = parts.first ?? ""
        region = parts.count > 1 ? parts[1] : ""
        account = parts.count > 2 ? parts[2] : ""
        var (pieces, rest): ([Piece], Substring) = ([], (parts.count > 3 ? parts[3] : "")[...])
        while let open = rest.firstIndex(of: "{"), let close = rest.firstIndex(of: "}"), open < close {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            pieces.append(.placeholder(Placeholder(rawValue: String(rest[open..<close].dropFirst())) ?? .plain))
            rest = rest[close...].dropFirst()
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }
}
