import WireFormats

/// A pattern for calls in the journal: who called, what, on which resource, with which result.
///
/// In texts, `*` matches any characters and `?` matches one. A missing member matches every call.
package struct CallPattern: Sendable {
    /// The members of a pattern, in the order of a sentence.
    package enum Member: String, Sendable, CaseIterable {
        /// The action that policies decided, or the operation, with or without its service. Case is ignored.
        case action
        /// The ARN of the resource, or the path.
        case resource
        /// The ARN or name of the caller, or `anonymous`. The ARN of a role matches its sessions.
        case caller
        /// The HTTP status code.
        case status
    }

    /// A member of a pattern that a call does not match.
    package struct Difference: Sendable, Equatable {
        /// The member.
        package var member: Member
        /// The text of the pattern.
        package var expected: String
        /// The text of the call.
        package var found: String
    }

    private let texts: [Member: TextPattern]

    /// - Parameter texts: the pattern of each member.
    package init(_ texts: [Member: String]) {
        self.texts = texts.reduce(into: [:]) { patterns, text in
            let alternatives = text.key == .caller ? Self.callers(text.value) : [text.value]
            patterns[text.key] = TextPattern(alternatives, ignoresCase: text.key == .action)
        }
    }

    /// The pattern as a phrase, such as `s3:PutObject on arn:aws:s3:::box/* by arn:aws:iam::000000000000:role/app`.
    package var description: String {
        let words: [(Member, String)] = [(.resource, "on"), (.caller, "by"), (.status, "with status")]
        return words.reduce(into: texts[.action]?.source ?? "any call") { text, word in
            if let pattern = texts[word.0] { text += " \(word.1) \(pattern.source)" }
        }
    }

    /// Returns the members that a call does not match; empty for a call that matches.
    ///
    /// A call with several decisions is compared with each of them, and the most similar one counts. Its index is returned as well.
    package func compare(with entry: JournalEntry) -> (differences: [Difference], decision: Int?) {
        var best = differences(from: entry, entry.decisions.first)
        var index = entry.decisions.isEmpty ? nil : 0
        for (other, decision) in entry.decisions.enumerated().dropFirst() where !best.isEmpty {
            let differences = differences(from: entry, decision)
            if differences.count < best.count { (best, index) = (differences, other) }
        }
        return (best, index)
    }

    /// Returns whether a caller matches.
    package func matches(caller: String) -> Bool { texts[.caller]?.matches(caller) ?? true }

    private func differences(from entry: JournalEntry, _ decision: JournalDecision?) -> [Difference] {
        var differences: [Difference] = []
        for member in Member.allCases {
            guard let pattern = texts[member] else { continue }
            let values = entry.texts(of: member, decision)
            if !values.contains(where: pattern.matches) {
                differences.append(Difference(member: member, expected: pattern.source, found: values.first ?? ""))
            }
        }
        return differences
    }

    /// Returns a pattern for callers and, if it is the ARN of a role, the pattern of its sessions.
    private static func callers(_ text: String) -> [String] {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let identity = fields.last, identity.hasPrefix("role/"), let name = identity.split(separator: "/").last else { return [text] }
        switch (fields.count, fields[0]) {
        case (6, "arn") where fields[2] == "iam": return [text, "arn:\(fields[1]):sts::\(fields[4]):assumed-role/\(name)/*"]
        case (5, "acs") where fields[1] == "ram": return [text, "acs:ram::\(fields[3]):assumed-role/\(name)/*"]
        default: return [text]
        }
    }
}

extension JournalEntry {
    /// The texts of a member, the one to display first.
    fileprivate func texts(of member: CallPattern.Member, _ decision: JournalDecision?) -> [String] {
        switch member {
        case .action:
            let named = [operation.map { "\(face):\($0)" }, operation].compactMap(\.self)
            return [decision?.action].compactMap(\.self) + named
        case .resource: return [decision?.resource].compactMap(\.self) + [String(maskedTarget.prefix { $0 != "?" })]
        case .caller: return [caller ?? "anonymous"]
        case .status: return [String(status)]
        }
    }
}

/// A pattern of one or more alternatives. Most patterns have no wildcard or end in one, which is compared without a copy of the text.
private struct TextPattern: Sendable {
    private enum Form: Sendable {
        case all
        case exact(String)
        case start(String)
        case wildcard(Wildcard)
    }

    /// The pattern as it was written.
    let source: String
    private let forms: [Form]
    private let ignoresCase: Bool

    init(_ alternatives: [String], ignoresCase: Bool) {
        source = alternatives[0]
        self.ignoresCase = ignoresCase
        forms = alternatives.map { written in
            let text = ignoresCase ? written.lowercased() : written
            if text == "*" { return .all }
            let wildcards = text.utf8.count { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
            if wildcards == 0 { return .exact(text) }
            return wildcards == 1 && text.hasSuffix("*") ? .start(String(text.dropLast())) : .wildcard(Wildcard(text))
        }
    }

    func matches(_ text: String) -> Bool {
        let text = ignoresCase ? text.lowercased() : text
        return forms.contains { form in
            switch form {
            case .all: true
            case .exact(let expected): text == expected
            case .start(let start): text.utf8.starts(with: start.utf8)
            case .wildcard(let wildcard): wildcard.matches(text)
            }
        }
    }
}
