import HTTPTypes
import WireFormats

/// The members of the input of one call, by their names in the AWS Query protocol, checked against their constraints.
///
/// Violations are collected, because the service lists all of them in one `ValidationError`.
struct QueryParameters: Sendable {
    private var fields: FormFields
    private var violations: [String] = []
    /// The error that prevents the call from being parsed, if any.
    private var malformed: ServiceError?
    /// The first error of the service's own checks, which is reported only if no constraint is violated.
    private var fault: ServiceError?
    /// Whether error messages quote the request and list the allowed values. STS does, IAM mostly does not
    /// (observed of the real services).
    private let quotes: Bool

    init(_ fields: FormFields, quotes: Bool = true) {
        self.fields = fields
        self.quotes = quotes
    }

    /// Returns an optional text.
    mutating func text(_ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil) -> String? {
        guard let value = fields.first(name) else { return nil }
        if let pattern, !pattern.followsLength { match(value, pattern, name) }
        let count = value.scalarCount
        if count < length.lowerBound {
            violate(value, name, "Member must have length greater than or equal to \(length.lowerBound)")
        }
        if count > length.upperBound {
            violate(value, name, "Member must have length less than or equal to \(length.upperBound)")
        }
        if let pattern, pattern.followsLength { match(value, pattern, name) }
        return value
    }

    private mutating func match(_ value: String, _ pattern: Pattern, _ name: String) {
        guard !pattern.matches(value) else { return }
        if let refusal = pattern.refusal {
            refuse(.validation("The specified value for \(Self.memberName(name)) is invalid. \(refusal)"))
        } else {
            violate(value, name, "Member must satisfy regular expression pattern: \(pattern.text)")
        }
    }

    /// Returns a required text.
    mutating func requiredText(_ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil) -> String {
        if let value = text(name, length: length, pattern: pattern) { return value }
        violateNull(name)
        return ""
    }

    /// Returns an optional integer.
    mutating func integer(_ name: String, range: ClosedRange<Int>) throws(ServiceError) -> Int? {
        guard let text = fields.first(name) else { return nil }
        // Numbers have at most 32 bits in the service models; a plus sign is accepted (observed of the real service).
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard let value = text.hasPrefix("+-") ? nil : Int(decimal: digits).flatMap(Int32.init(exactly:)).map(Int.init) else {
            throw .malformedInput("Could not convert '\(text)' to a number")
        }
        if value < range.lowerBound {
            violate(text, name, "Member must have value greater than or equal to \(range.lowerBound)")
        }
        if value > range.upperBound {
            violate(text, name, "Member must have value less than or equal to \(range.upperBound)")
        }
        return value
    }

    /// Returns the values of `<name>.member.<n>.<member>` for n from 1.
    mutating func list(_ name: String, member: String, most: Int, length: ClosedRange<Int>, pattern: Pattern? = nil) -> [String] {
        (0..<count(of: name, most: most)).compactMap { index in
            text(String(joining: name, ".member.", String(index + 1), ".", member), length: length, pattern: pattern)
        }
    }

    /// Returns the values of `<name>.member.<n>` for n from 1. A violation by one of them is reported for the whole list.
    mutating func list(_ name: String, most: Int, length: ClosedRange<Int>, pattern: Pattern? = nil) -> [String] {
        let count = count(of: name, most: most)
        let prefix = name + ".member."
        let texts = Dictionary(fields.fields.lazy.filter { $0.name.hasPrefix(prefix) }.map { ($0.name, $0.value) }) { first, _ in first }
        let values = (0..<count).map { texts["\(prefix)\($0 + 1)"] ?? "" }
        guard values.allSatisfy({ length.contains($0.scalarCount) && pattern?.matches($0) != false }) else {
            var constraints = [
                "Member must have length less than or equal to \(length.upperBound)",
                "Member must have length greater than or equal to \(length.lowerBound)",
            ]
            if let pattern { constraints.append("Member must satisfy regular expression pattern: \(pattern.text)") }
            violate(
                "[\(values.joined(separator: ", "))]", name, "Member must satisfy constraint: [\(constraints.joined(separator: ", "))]")
            return values
        }
        return values
    }

    /// Returns the number of members `<name>.member.<n>`, or of structures below them: the largest n. Smaller ones may be missing.
    mutating func count(of name: String, most: Int) -> Int {
        let prefix = name + ".member."
        var indices: Set<Int> = []
        for place in fields.fields.indices where fields.fields[place].name.hasPrefix(prefix) {
            let rest = fields.fields[place].name.dropFirst(prefix.count)
            let text = rest.prefix { $0 != "." }
            guard let index = index(text) else { return 0 }
            indices.insert(index)
            // Removes leading zeros from the number, because members are read without them.
            if text.first == "0" { fields.fields[place].name = prefix + String(index) + rest.dropFirst(text.count) }
        }
        var last = 1
        for index in indices.sorted() {
            guard index - last <= Self.mostSkipped else {
                malformed = malformed ?? .malformedInput("Excessively sparse input would skip \(index - last) list elements")
                return 0
            }
            last = index
        }
        let count = indices.max() ?? 0
        if count > most { violate(quotes ? shown(name, count) : "", name, "Member must have length less than or equal to \(most)") }
        return min(count, most)
    }

    /// Returns the members of a list as error messages quote them: texts verbatim, and tags by key and value. Other structures are shown as
    /// "…", which is Virga's choice.
    private func shown(_ name: String, _ count: Int) -> String {
        let members = (1...count).map { number in
            let member = "\(name).member.\(number)"
            if let text = fields.first(member) { return text }
            guard let key = fields.first(member + ".Key") else {
                return fields.fields.contains { $0.name.hasPrefix(member + ".") } ? "…" : ""
            }
            return "Tag(key=\(key), value=\(fields.first(member + ".Value") ?? "null"))"
        }
        return "[\(members.joined(separator: ", "))]"
    }

    /// The maximum gap between the numbers of two members.
    private static let mostSkipped = 10

    /// Returns the number of a member, from 1, or records an error. (Messages from public records of the real service.)
    private mutating func index(_ text: Substring) -> Int? {
        if let index = Int(digits: text), index > 0 { return index }
        let message =
            if Int(digits: text) == 0 {
                "\(text) is not a valid index"
            } else if text.hasPrefix("-"), Int(digits: text.dropFirst()) != nil {
                "Key \(text) may not have a leading '-'"
            } else {
                "Start of list found where not expected"
            }
        malformed = malformed ?? .malformedInput(message)
        return nil
    }

    /// Records a violation if the list is missing; it may be empty.
    mutating func require(list name: String) {
        if !contains(name) { violateNull(name) }
    }

    /// Returns whether the call has a parameter or members of it.
    func contains(_ name: String) -> Bool { fields.containsParameter(name) }

    /// Records a violation if the list has no members.
    mutating func requireMembers(of name: String) {
        if !fields.fields.contains(where: { $0.name.hasPrefix(name + ".") }) { violateNull(name) }
    }

    /// Returns an optional Boolean.
    mutating func flag(_ name: String) throws(ServiceError) -> Bool? {
        guard let text = fields.first(name) else { return nil }
        switch text {
        case "true", "1": return true
        case "false", "0": return false
        default: throw .malformedInput("Could not convert '\(text)' to a truth value")
        }
    }

    /// Returns an optional text that must be one of `choices`.
    /// - Parameter lists: whether the error message lists the choices; `nil` for the service's usual behavior.
    mutating func choice(_ name: String, of choices: [String], lists: Bool? = nil) -> String? {
        guard let value = fields.first(name) else { return nil }
        if !choices.contains(value) {
            let list = lists ?? quotes ? ": [\(choices.joined(separator: ", "))]" : ""
            violate(value, name, "Member must satisfy enum value set\(list)")
        }
        return value
    }

    /// Returns the values of `<name>.member.<n>`, each of which must be one of `choices`.
    mutating func list(_ name: String, of choices: [String]) -> [String] {
        let values = list(name, most: .max, length: 0...Int.max)
        if !values.allSatisfy(choices.contains) {
            let set = "Member must satisfy enum value set: [\(choices.joined(separator: ", "))]"
            violate("[\(values.joined(separator: ", "))]", name, "Member must satisfy constraint: [\(set)]")
        }
        return values
    }

    /// Records an error of the service's own checks.
    mutating func refuse(_ error: ServiceError) { fault = fault ?? error }

    /// Returns a required text that must be one of `choices`.
    mutating func requiredChoice(_ name: String, of choices: [String], lists: Bool? = nil) -> String {
        if let value = choice(name, of: choices, lists: lists) { return value }
        violateNull(name)
        return ""
    }

    /// - Throws: `MalformedInput` if the call cannot be parsed, otherwise the one `ValidationError` that lists every violation so far,
    ///   otherwise the first error that was passed to ``refuse(_:)``.
    func check() throws(ServiceError) {
        if let malformed { throw malformed }
        guard !violations.isEmpty else {
            if let fault { throw fault }
            return
        }
        let count = "\(violations.count) validation error\(violations.count == 1 ? "" : "s") detected"
        throw ServiceError("ValidationError", .badRequest, "\(count): \(violations.joined(separator: "; "))")
    }

    private mutating func violate(_ value: String, _ name: String, _ constraint: String) {
        let shown = !quotes || Self.secrets.contains(name) ? "" : " '\(value)'"
        violations.append("Value\(shown) at '\(Self.memberName(name))' failed to satisfy constraint: \(constraint)")
    }

    /// The members that the service models of STS and IAM mark as sensitive. Their values are not quoted.
    private static let secrets: Set = [
        "AddPrivateKey", "NewPassword", "OldPassword", "Password", "PrivateKey", "SAMLAssertion", "WebIdentityToken",
    ]

    private mutating func violateNull(_ name: String) {
        violations.append(
            "Value\(quotes ? " null" : "") at '\(Self.memberName(name))' failed to satisfy constraint: Member must not be null")
    }

    /// Returns the name of a member in messages: with a lowercase first letter, and the number before `member`: `tags.1.member.key`.
    private static func memberName(_ name: String) -> String {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).map { $0.prefix(1).lowercased() + $0.dropFirst() }
        for index in parts.indices.dropFirst().reversed() where parts[index - 1] == "member" { parts.swapAt(index - 1, index) }
        return parts.joined(separator: ".")
    }

    /// A set of characters, with the regular expression of the service model.
    struct Pattern: Sendable {
        var text: String
        /// Whether messages name the length first. They name the pattern first for ARNs (newscorpaus/consigliere#18,
        /// mmmorris1975/aws-runas#80), but not for the keys of tags.
        var followsLength = false
        var accepts: @Sendable (Unicode.Scalar) -> Bool
        /// The message instead of the pattern, if the service itself checks it.
        var refusal: String?
        /// A further condition on the whole text.
        var frame: @Sendable (String) -> Bool = { _ in true }

        /// Whether it accepts every printable ASCII character; a fast path, because most texts contain only these.
        var takesPrintable = false

        func matches(_ value: String) -> Bool {
            (takesPrintable && value.isPrintableASCII || value.unicodeScalars.allSatisfy(accepts)) && frame(value)
        }

        /// Names of sessions and users.
        static let name = Pattern(text: "[\\w+=,.@-]*") { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "+", "=", ",", ".", "@", "-": true
            default: false
            }
        }

        /// Names in IAM: those of ``name``, with the service's own message.
        static let entityName = Pattern(
            text: "[\\w+=,.@-]+", accepts: name.accepts,
            refusal: "It must contain only alphanumeric characters and/or the following: +=,.@_-")

        /// Paths: `/`, or printable characters between slashes.
        static let path = Pattern(text: "(\\u002F)|(\\u002F[\\u0021-\\u007E]+\\u002F)") {
            (0x21...0x7E).contains($0.value)
        }.saying("It must begin and end with / and contain only alphanumeric characters and/or / characters.") {
            $0.hasPrefix("/") && $0.hasSuffix("/") && $0 != "//"
        }

        /// Prefixes of paths.
        static let pathPrefix = Pattern(text: "\\u002F[\\u0021-\\u007F]*") {
            (0x21...0x7F).contains($0.value)
        }.saying("It must begin with / and contain only alphanumeric characters and/or / characters.") { $0.hasPrefix("/") }

        /// Values of tags: letters, digits, spaces and some punctuation.
        static let tagValue = Pattern(text: "[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*", followsLength: true) { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
            case .decimalNumber, .letterNumber, .otherNumber: true
            default: "_.:/=+-@".unicodeScalars.contains(scalar)
            }
        }

        /// Keys of tags.
        static let tagKey = Pattern(text: "[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+", followsLength: true, accepts: tagValue.accepts)

        /// ARNs: any printable character, at least one.
        static let arn = Pattern(
            text: "[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u0085\\u00A0-\\uD7FF\\uE000-\\uFFFD\\u10000-\\u10FFFF]+",
            accepts: { $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r" }, frame: { !$0.isEmpty }
        ).takingPrintable

        /// Policy documents.
        static let policy = Pattern(text: "[\\u0009\\u000A\\u000D\\u0020-\\u00FF]+") {
            (0x20...0xFF).contains($0.value) || $0 == "\t" || $0 == "\n" || $0 == "\r"
        }.takingPrintable

        /// Policy documents in IAM: those of ``policy``, with the service's own message.
        static let policyDocument = policy.saying("It must contain only printable ASCII characters.")

        /// Identifiers: letters, digits and underscores.
        static let word = Pattern(text: "[\\w]+") { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
        }

        /// Digits.
        static let digits = Pattern(text: "[\\d]+") { ("0"..."9").contains($0) }

        /// Serial numbers of devices.
        static let serialNumber = Pattern(text: "[\\w+=/:,.@-]+") { word.accepts($0) || "+=/:,.@-".unicodeScalars.contains($0) }

        /// Returns a pattern with the same characters, the service's own message, and a further condition on the whole text.
        func saying(_ refusal: String, _ frame: @escaping @Sendable (String) -> Bool = { _ in true }) -> Pattern {
            Pattern(
                text: text, followsLength: followsLength, accepts: accepts, refusal: refusal, frame: frame,
                takesPrintable: takesPrintable)
        }

        private var takingPrintable: Pattern {
            var pattern = self
            pattern.takesPrintable = true
            return pattern
        }
    }
}

extension FormFields {
    /// Returns whether a call of the Query protocol has a parameter or members of it.
    func containsParameter(_ name: String) -> Bool { fields.contains { $0.name == name || $0.name.hasPrefix(name + ".") } }
}

extension ServiceError {
    /// The error for parameters that cannot be parsed.
    fileprivate static func malformedInput(_ message: String) -> ServiceError { ServiceError("MalformedInput", .badRequest, message) }
}

extension String {
    /// The number of Unicode scalars in the text: its bytes that begin one, counted in place.
    fileprivate var scalarCount: Int {
        var text = self
        return text.withUTF8 { bytes in
            // A fast path for ASCII, eight bytes at a time, because most texts are ASCII.
            let raw = UnsafeRawBufferPointer(bytes)
            var count = 0
            while raw.count - count >= 8,
                raw.loadUnaligned(fromByteOffset: count, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            { count += 8 }
            for byte in raw[count...] where byte & 0xC0 != 0x80 { count += 1 }
            return count
        }
    }
}
