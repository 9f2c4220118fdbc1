import WireFormats

/// A resource or a prefix of keys, split at slashes, in which segments can be policy variables.
struct ResourceTemplate: Hashable {
    enum Segment: Hashable {
        case literal(String)
        /// A condition key of the caller's session, whose value the segment equals.
        case variable(String)
        /// `*` as the last segment: everything below.
        case rest
    }

    /// The text before the first segment, such as `arn:aws:s3:::`.
    var start: String
    var segments: [Segment]

    /// Splits the name of a resource. `*` has no segments.
    init(resource: String) {
        let colons = resource.hasPrefix("arn:") ? 5 : resource.hasPrefix("acs:") ? 4 : 0
        let fields = resource.split(separator: ":", maxSplits: colons, omittingEmptySubsequences: false)
        guard colons > 0, fields.count == colons + 1 else {
            (start, segments) = (resource, [])
            return
        }
        start = fields.dropLast().joined(separator: ":") + ":"
        segments = Self.segments(fields[colons])
    }

    /// Splits a prefix of keys.
    init(prefix: String) {
        start = ""
        segments = Self.segments(prefix[...])
    }

    init(start: String, segments: [Segment]) {
        self.start = start
        self.segments = segments
    }

    private static func segments(_ text: Substring) -> [Segment] {
        text.split(separator: "/", omittingEmptySubsequences: false).map { .literal(String($0)) }
    }

    /// Whether a segment is a variable or a wildcard.
    var isGeneral: Bool { segments.contains { if case .literal = $0 { false } else { true } } }

    /// Replaces segments that equal a claim or tag of the caller. What follows the last of them belongs to the caller, and becomes `*`.
    /// The first segment of a resource stays: it is a bucket, or the kind of another resource.
    /// - Returns: the template, and for each replaced segment the other keys with the same value.
    func personalized(with names: CallerNames) -> (template: ResourceTemplate, ambiguous: [(chosen: String, others: [String])]) {
        var result = self
        var ambiguous: [(chosen: String, others: [String])] = []
        var last: Int?
        for (index, segment) in segments.enumerated() where index > 0 || start.isEmpty {
            guard case .literal(let text) = segment, let keys = names.keys(of: text), let key = keys.first else { continue }
            result.segments[index] = .variable(key)
            last = index
            if keys.count > 1 { ambiguous.append((key, Array(keys.dropFirst()))) }
        }
        if let last, last < segments.count - 1 { result.segments = result.segments[...last] + [.rest] }
        return (result, ambiguous)
    }

    /// The template as a value of a policy.
    /// - Parameter hasVariables: whether the dialect has variables, with which wildcards in names are escaped.
    func text(hasVariables: Bool) -> String {
        start
            + segments.map { segment in
                switch segment {
                case .literal(let text): hasVariables ? Self.escaped(text) : text
                case .variable(let key): "${\(key)}"
                case .rest: "*"
                }
            }.joined(separator: "/")
    }

    /// Escapes the characters with a meaning in values. (IAM User Guide, "Policy variables", special characters.)
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "*", "?": escaped += "${\(character)}"
            case "$": escaped += "${$}"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Returns whether the template covers a text of a request with these condition keys.
    func covers(_ text: String, in keys: ConditionKeys, hasVariables: Bool) -> Bool {
        let syntax: Pattern.Syntax = hasVariables ? [.wildcards, .variables] : .wildcards
        guard let pattern = try? Pattern(self.text(hasVariables: hasVariables), syntax: syntax) else { return false }
        return pattern.matches(text, in: keys)
    }
}

/// The claims and tags of a caller by which resources can be named.
struct CallerNames {
    private var keysByValue: [String: [String]] = [:]

    init(_ keys: ConditionKeys) {
        for (key, values) in keys.all {
            guard case .one(let value) = values, !value.isEmpty, let rank = Self.rank(of: key) else { continue }
            keysByValue[value, default: []].append("\(rank)\(key)")
        }
        for value in keysByValue.keys { keysByValue[value]?.sort() }
    }

    /// Returns the keys with a value, the most specific to the person first; `nil` if there is none.
    func keys(of value: String) -> [String]? {
        keysByValue[value]?.map { Self.spelled(String($0.dropFirst())) }
    }

    /// Returns the order in which keys are preferred; `nil` for a key that does not describe the caller.
    private static func rank(of key: String) -> Int? {
        if key == "aws:username" { return 0 }
        if key.hasPrefix("aws:principaltag/") { return 1 }
        guard !key.hasPrefix("aws:"), !key.hasPrefix("s3:"), !key.hasPrefix("sts:"), !key.hasPrefix("oss:"), !key.hasPrefix("acs:") else {
            return nil
        }
        return [":sub", ":id", ":user_id"].contains { key.hasSuffix($0) } ? 0 : 2
    }

    /// Returns a key as policies usually spell it.
    private static func spelled(_ key: String) -> String {
        let tag = "aws:principaltag/"
        return key.hasPrefix(tag) ? "aws:PrincipalTag/" + key.dropFirst(tag.count) : key
    }
}
