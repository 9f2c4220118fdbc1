import HTTPTypes
import WireFormats

/// The parameters of one call of the AWS Query protocol, checked against their constraints.
///
/// Violations are gathered, because the service lists them all in one `ValidationError`.
struct QueryParameters: Sendable {
    private var fields: FormFields
    private var violations: [String] = []
    /// What keeps the call from being read at all.
    private var malformed: QueryError?
    /// What the service itself finds, where the constraints hold: it tells the first alone.
    private var fault: QueryError?
    /// Whether refusals repeat what was sent, and list what could have been: STS does, IAM mostly does not
    /// (observed of the real services).
    private let quotes: Bool

    init(_ fields: FormFields, quotes: Bool = true) {
        self.fields = fields
        self.quotes = quotes
    }

    /// A text that may be absent.
    mutating func text(_ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil) -> String? {
        guard let value = fields.first(name) else { return nil }
        let count = value.scalarCount
        if count < length.lowerBound {
            violate(value, name, "Member must have length greater than or equal to \(length.lowerBound)")
        }
        if count > length.upperBound {
            violate(value, name, "Member must have length less than or equal to \(length.upperBound)")
        }
        if let pattern, !pattern.matches(value) {
            if let refusal = pattern.refusal {
                refuse(.validation("The specified value for \(Self.memberName(name)) is invalid. \(refusal)"))
                return value
            }
            violate(value, name, "Member must satisfy regular expression pattern: \(pattern.text)")
        }
        return value
    }

    /// A text that must be there.
    mutating func requiredText(_ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil) -> String {
        if let value = text(name, length: length, pattern: pattern) { return value }
        violateNull(name)
        return ""
    }

    /// A whole number that may be absent.
    mutating func integer(_ name: String, range: ClosedRange<Int>) throws(QueryError) -> Int? {
        guard let text = fields.first(name) else { return nil }
        // The models know no number of more than 32 bits; a plus sign is taken (observed of the real service).
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

    /// The values of `<name>.member.<n>.<member>` for n from 1 on.
    mutating func list(_ name: String, member: String, most: Int, length: ClosedRange<Int>, pattern: Pattern? = nil) -> [String] {
        (0..<count(of: name, most: most)).compactMap { index in
            text(String(joining: name, ".member.", String(index + 1), ".", member), length: length, pattern: pattern)
        }
    }

    /// The values of `<name>.member.<n>` for n from 1 on. What is wrong with one of them is told of the list.
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

    /// How many members `<name>.member.<n>`, or structures below it, there are: the greatest number, whose predecessors may be missing.
    mutating func count(of name: String, most: Int) -> Int {
        let prefix = name + ".member."
        var indices: Set<Int> = []
        for place in fields.fields.indices where fields.fields[place].name.hasPrefix(prefix) {
            let rest = fields.fields[place].name.dropFirst(prefix.count)
            let text = rest.prefix { $0 != "." }
            guard let index = index(text) else { return 0 }
            indices.insert(index)
            // Members are read by their number without leading zeros.
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

    /// The members of a list as refusals repeat them: texts as they are, tags by their names; others are left out, ours.
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

    /// How far the numbers of two members may lie apart.
    private static let mostSkipped = 10

    /// The number of a member, from 1 on. Notes what is wrong with it. (Texts recorded of the real service in public.)
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

    /// Refuses a call that has not the list at all; one without members will do.
    mutating func require(list name: String) {
        if !fields.fields.contains(where: { $0.name == name || $0.name.hasPrefix(name + ".") }) { violateNull(name) }
    }

    /// Refuses a call whose list has no members.
    mutating func requireMembers(of name: String) {
        if !fields.fields.contains(where: { $0.name.hasPrefix(name + ".") }) { violateNull(name) }
    }

    /// A truth value that may be absent.
    mutating func flag(_ name: String) throws(QueryError) -> Bool? {
        guard let text = fields.first(name) else { return nil }
        switch text {
        case "true", "1": return true
        case "false", "0": return false
        default: throw .malformedInput("Could not convert '\(text)' to a truth value")
        }
    }

    /// A text that must be one of some.
    /// - Parameter lists: whether the refusal says which; unless told, as the service does mostly.
    mutating func choice(_ name: String, of choices: [String], lists: Bool? = nil) -> String? {
        guard let value = fields.first(name) else { return nil }
        if !choices.contains(value) {
            let list = lists ?? quotes ? ": [\(choices.joined(separator: ", "))]" : ""
            violate(value, name, "Member must satisfy enum value set\(list)")
        }
        return value
    }

    /// The values of `<name>.member.<n>`, each of which must be one of some.
    mutating func list(_ name: String, of choices: [String]) -> [String] {
        let values = list(name, most: .max, length: 0...Int.max)
        if !values.allSatisfy(choices.contains) {
            let set = "Member must satisfy enum value set: [\(choices.joined(separator: ", "))]"
            violate("[\(values.joined(separator: ", "))]", name, "Member must satisfy constraint: [\(set)]")
        }
        return values
    }

    /// Notes what is refused where no constraint is violated.
    mutating func refuse(_ error: QueryError) { fault = fault ?? error }

    /// A text that must be there and be one of some.
    mutating func requiredChoice(_ name: String, of choices: [String], lists: Bool? = nil) -> String {
        if let value = choice(name, of: choices, lists: lists) { return value }
        violateNull(name)
        return ""
    }

    /// - Throws: `MalformedInput` where the call cannot be read, the one `ValidationError` that lists every violation found so far, or else
    ///   what ``refuse(_:)`` was told first.
    func check() throws(QueryError) {
        if let malformed { throw malformed }
        guard !violations.isEmpty else {
            if let fault { throw fault }
            return
        }
        let count = "\(violations.count) validation error\(violations.count == 1 ? "" : "s") detected"
        throw QueryError("ValidationError", .badRequest, "\(count): \(violations.joined(separator: "; "))")
    }

    private mutating func violate(_ value: String, _ name: String, _ constraint: String) {
        let shown = !quotes || Self.secrets.contains(name) ? "" : " '\(value)'"
        violations.append("Value\(shown) at '\(Self.memberName(name))' failed to satisfy constraint: \(constraint)")
    }

    /// The members that the service models of STS and IAM call sensitive: what was sent is not repeated.
    private static let secrets: Set = [
        "AddPrivateKey", "NewPassword", "OldPassword", "Password", "PrivateKey", "SAMLAssertion", "WebIdentityToken",
    ]

    private mutating func violateNull(_ name: String) {
        violations.append(
            "Value\(quotes ? " null" : "") at '\(Self.memberName(name))' failed to satisfy constraint: Member must not be null")
    }

    /// Messages spell members with a small first letter, and the number of one before the word: `tags.1.member.key`.
    private static func memberName(_ name: String) -> String {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).map { $0.prefix(1).lowercased() + $0.dropFirst() }
        for index in parts.indices.dropFirst().reversed() where parts[index - 1] == "member" { parts.swapAt(index - 1, index) }
        return parts.joined(separator: ".")
    }

    /// A set of characters, spelled as the service model spells it.
    struct Pattern: Sendable {
        var text: String
        var accepts: @Sendable (Unicode.Scalar) -> Bool
        /// What the service says in place of the pattern, where it checks itself.
        var refusal: String?
        /// What must hold beside every character, where something must.
        var frame: @Sendable (String) -> Bool = { _ in true }

        /// Whether it takes every printable character of ASCII, of which most texts are made.
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

        /// Names in IAM: those of ``name``, in the service's own words.
        static let entityName = Pattern(
            text: "[\\w+=,.@-]+", accepts: name.accepts,
            refusal: "It must contain only alphanumeric characters and/or the following: +=,.@_-")

        /// Paths: `/`, or printable characters between slashes.
        static let path = Pattern(text: "(\\u002F)|(\\u002F[\\u0021-\\u007E]+\\u002F)") {
            (0x21...0x7E).contains($0.value)
        }.saying("It must begin and end with / and contain only alphanumeric characters and/or / characters.") {
            $0.hasPrefix("/") && $0.hasSuffix("/") && $0 != "//"
        }

        /// The beginning of paths.
        static let pathPrefix = Pattern(text: "\\u002F[\\u0021-\\u007F]*") {
            (0x21...0x7F).contains($0.value)
        }.saying("It must begin with / and contain only alphanumeric characters and/or / characters.") { $0.hasPrefix("/") }

        /// Values of tags: letters, digits, spaces and some signs.
        static let tagValue = Pattern(text: "[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*") { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
            case .decimalNumber, .letterNumber, .otherNumber: true
            default: "_.:/=+-@".unicodeScalars.contains(scalar)
            }
        }

        /// Keys of tags.
        static let tagKey = Pattern(text: "[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+", accepts: tagValue.accepts)

        /// ARNs: anything printable.
        static let arn = Pattern(text: "[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u0085\\u00A0-\\uD7FF\\uE000-\\uFFFD\\u10000-\\u10FFFF]+") {
            $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r"
        }.takingPrintable

        /// Policy documents.
        static let policy = Pattern(text: "[\\u0009\\u000A\\u000D\\u0020-\\u00FF]+") {
            (0x20...0xFF).contains($0.value) || $0 == "\t" || $0 == "\n" || $0 == "\r"
        }.takingPrintable

        /// Policy documents in IAM: those of ``policy``, in the service's own words.
        static let policyDocument = policy.saying("It must contain only printable ASCII characters.")

        /// Letters, digits and the underscore: identifiers.
        static let word = Pattern(text: "[\\w]+") { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
        }

        /// Digits.
        static let digits = Pattern(text: "[\\d]+") { ("0"..."9").contains($0) }

        /// Serial numbers of devices.
        static let serialNumber = Pattern(text: "[\\w+=/:,.@-]+") { word.accepts($0) || "+=/:,.@-".unicodeScalars.contains($0) }

        /// The same characters, refused in the service's own words, and what must hold beside them.
        func saying(_ refusal: String, _ frame: @escaping @Sendable (String) -> Bool = { _ in true }) -> Pattern {
            Pattern(text: text, accepts: accepts, refusal: refusal, frame: frame, takesPrintable: takesPrintable)
        }

        private var takingPrintable: Pattern {
            var pattern = self
            pattern.takesPrintable = true
            return pattern
        }
    }
}

extension QueryError {
    /// The refusal of parameters that cannot be read.
    fileprivate static func malformedInput(_ message: String) -> QueryError { QueryError("MalformedInput", .badRequest, message) }
}

extension String {
    /// How many Unicode scalars the text has: the bytes that begin one, counted in place.
    fileprivate var scalarCount: Int {
        var text = self
        return text.withUTF8 { bytes in
            // Most texts are ASCII, which eight bytes at a time tell.
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
