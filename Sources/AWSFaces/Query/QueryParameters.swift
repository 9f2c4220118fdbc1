import HTTPTypes
import WireFormats

/// The parameters of one call of the AWS Query protocol, checked against their constraints.
///
/// Violations are gathered, because the service lists them all in one `ValidationError`.
struct QueryParameters {
    private let fields: FormFields
    private var violations: [String] = []

    init(_ fields: FormFields) { self.fields = fields }

    /// A text that may be absent.
    mutating func text(_ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil) -> String? {
        guard let value = fields.first(name) else { return nil }
        let count = value.unicodeScalars.count
        if count < length.lowerBound {
            violate(value, name, "Member must have length greater than or equal to \(length.lowerBound)")
        }
        if count > length.upperBound {
            violate(value, name, "Member must have length less than or equal to \(length.upperBound)")
        }
        if let pattern, !value.unicodeScalars.allSatisfy(pattern.accepts) {
            violate(value, name, "Member must satisfy regular expression pattern: \(pattern.text)")
        }
        return value
    }

    /// A text that must be there.
    mutating func requiredText(_ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil) -> String {
        if let value = text(name, length: length, pattern: pattern) { return value }
        violations.append("Value null at '\(Self.memberName(name))' failed to satisfy constraint: Member must not be null")
        return ""
    }

    /// A whole number that may be absent.
    mutating func integer(_ name: String, range: ClosedRange<Int>) throws(QueryError) -> Int? {
        guard let text = fields.first(name) else { return nil }
        guard let value = Int(text) else {
            throw QueryError("MalformedInput", .badRequest, "Could not convert '\(text)' to a number")
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
    mutating func list(_ name: String, member: String, most: Int) -> [String] {
        var values: [String] = []
        while let value = fields.first("\(name).member.\(values.count + 1).\(member)") { values.append(value) }
        if values.count > most {
            violate(
                "[\(values.joined(separator: ", "))]", name, "Member must have length less than or equal to \(most)")
        }
        return values
    }

    /// - Throws: the one `ValidationError` that lists every violation found so far.
    func check() throws(QueryError) {
        guard !violations.isEmpty else { return }
        let count = "\(violations.count) validation error\(violations.count == 1 ? "" : "s") detected"
        throw QueryError("ValidationError", .badRequest, "\(count): \(violations.joined(separator: "; "))")
    }

    private mutating func violate(_ value: String, _ name: String, _ constraint: String) {
        violations.append("Value '\(value)' at '\(Self.memberName(name))' failed to satisfy constraint: \(constraint)")
    }

    /// Messages spell members with a small first letter.
    private static func memberName(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    /// A set of characters, spelled as the service model spells it.
    struct Pattern: Sendable {
        var text: String
        var accepts: @Sendable (Unicode.Scalar) -> Bool

        /// Names of sessions and users.
        static let name = Pattern(text: "[\\w+=,.@-]*") { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_+=,.@-".unicodeScalars.contains(scalar))
        }

        /// ARNs: anything printable.
        static let arn = Pattern(text: "[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u0085\\u00A0-\\uD7FF\\uE000-\\uFFFD\\u10000-\\u10FFFF]+") {
            $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r"
        }

        /// Policy documents.
        static let policy = Pattern(text: "[\\u0009\\u000A\\u000D\\u0020-\\u00FF]+") {
            (0x20...0xFF).contains($0.value) || $0 == "\t" || $0 == "\n" || $0 == "\r"
        }
    }
}
