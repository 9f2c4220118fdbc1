import Directory
import Policy
import WireFormats

/// The members of the input of one call, checked against the constraints of the service model.
///
/// Violations are collected, because the service lists all of them in one `InvalidParameterException`. A member that no operation reads is
/// refused by name.
struct UserPoolInput: Sendable {
    /// A set of characters, with the regular expression of the service model.
    struct Pattern: Sendable {
        var text: String
        var accepts: @Sendable (Unicode.Scalar) -> Bool
        var frame: @Sendable (String) -> Bool = { !$0.isEmpty }

        func matches(_ value: String) -> Bool { value.unicodeScalars.allSatisfy(accepts) && frame(value) }

        static let pool = Pattern(
            text: "[\\w-]+_[0-9a-zA-Z]+", accepts: { isWord($0) || $0 == "-" }, frame: { UserPool.isIdentifier($0) })
        static let client = Pattern(text: "[\\w+]+", accepts: { isWord($0) || $0 == "+" })
        static let name = Pattern(text: "[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+", accepts: { isVisible($0) })
        static let title = Pattern(
            text: "[\\w\\s+=,.@-]+", accepts: { isWord($0) || " \t\n\r+=,.@-".unicodeScalars.contains($0) })
        static let providerName = Pattern(
            text: "[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\p{Z}]+", accepts: { $0.properties.generalCategory != .control })
        static let visible = Pattern(text: "[\\S]+", accepts: { isVisible($0) })
        static let secretHash = Pattern(text: "[\\w+=/]+", accepts: { isWord($0) || "+=/".unicodeScalars.contains($0) })
        static let token = Pattern(text: "[A-Za-z0-9-_=.]+", accepts: { isWord($0) || "-=.".unicodeScalars.contains($0) })
        static let function = Pattern(
            text: "arn:[\\w+=/,.@-]+:[\\w+=/,.@-]+:([\\w+=/,.@-]*)?:[0-9]+:[\\w+=/,.@-]+(:[\\w+=/,.@-]+)?(:[\\w+=/,.@-]+)?",
            accepts: { _ in true }, frame: { UserPoolTrigger.isARN($0) })
        static let device = Pattern(text: "[\\w-]+_[0-9a-f-]+", accepts: { isWord($0) || $0 == "-" }, frame: { $0.contains("_") })
        static let message = Pattern(text: ".*\\{####\\}.*", accepts: { _ in true }, frame: { $0.contains("{####}") })
        static let subject = Pattern(
            text: "[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s]+", accepts: { isVisible($0) || $0.properties.isWhitespace })
        static let softwareCode = Pattern(text: "[0-9]+", accepts: { ("0"..."9").contains($0) })

        private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
        }

        private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
        }
    }

    private let members: JSONObject
    private var read: [String]
    private var violations: [String] = []

    /// The members that only triggers read, and those of analysis, which Virga does not have.
    private static let withoutEffect = ["AnalyticsMetadata", "ClientMetadata", "ContextData", "UserContextData", "ValidationData"]

    init(_ members: JSONObject) {
        self.members = members
        read = Self.withoutEffect
    }

    private mutating func value(_ name: String) -> JSONValue? {
        read.append(name)
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    private static func wrongType(_ name: String) -> UserPoolError {
        UserPoolError("SerializationException", "The member \(name) has the wrong type.")
    }

    /// Returns an optional text.
    /// - Parameter isSecret: whether messages do not quote it.
    mutating func text(
        _ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil, isSecret: Bool = false
    ) throws(UserPoolError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else { throw Self.wrongType(name) }
        let shown = isSecret ? "" : " '\(text)'"
        let count = text.unicodeScalars.count
        if count < length.lowerBound { violate(shown, name, "Member must have length greater than or equal to \(length.lowerBound)") }
        if count > length.upperBound { violate(shown, name, "Member must have length less than or equal to \(length.upperBound)") }
        if let pattern, !pattern.matches(text) { violate(shown, name, "Member must satisfy regular expression pattern: \(pattern.text)") }
        return text
    }

    /// Returns a required text.
    mutating func requiredText(
        _ name: String, length: ClosedRange<Int>, pattern: Pattern? = nil, isSecret: Bool = false
    ) throws(UserPoolError) -> String {
        if let value = try text(name, length: length, pattern: pattern, isSecret: isSecret) { return value }
        violate(" null", name, "Member must not be null")
        return ""
    }

    /// Returns an optional text that must be one of some choices.
    mutating func choice(_ name: String, of choices: [String]) throws(UserPoolError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else { throw Self.wrongType(name) }
        if !choices.contains(text) {
            violate(" '\(text)'", name, "Member must satisfy enum value set: [\(choices.joined(separator: ", "))]")
        }
        return text
    }

    /// Returns a required text that must be one of some choices.
    mutating func requiredChoice(_ name: String, of choices: [String]) throws(UserPoolError) -> String {
        if let value = try choice(name, of: choices) { return value }
        violate(" null", name, "Member must not be null")
        return ""
    }

    /// Returns an optional Boolean.
    mutating func flag(_ name: String) throws(UserPoolError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.boolValue else { throw Self.wrongType(name) }
        return flag
    }

    /// Returns an optional integer.
    mutating func integer(_ name: String, range: ClosedRange<Int>) throws(UserPoolError) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.integerValue.map({ Int($0) }) else { throw Self.wrongType(name) }
        if number < range.lowerBound {
            violate(" '\(number)'", name, "Member must have value greater than or equal to \(range.lowerBound)")
        }
        if number > range.upperBound { violate(" '\(number)'", name, "Member must have value less than or equal to \(range.upperBound)") }
        return number
    }

    /// Returns an optional list of texts.
    /// - Parameter choices: the only texts; `nil` for any.
    mutating func texts(_ name: String, of choices: [String]? = nil) throws(UserPoolError) -> [String]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else { throw Self.wrongType(name) }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { throw Self.wrongType(name) }
        if let choices, !texts.allSatisfy({ choices.contains($0) }) {
            let set = "Member must satisfy enum value set: [\(choices.joined(separator: ", "))]"
            violate(" '[\(texts.joined(separator: ", "))]'", name, "Member must satisfy constraint: [\(set)]")
        }
        return texts
    }

    /// Returns an optional list of structures.
    mutating func objects(_ name: String) throws(UserPoolError) -> [UserPoolInput]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else { throw Self.wrongType(name) }
        let objects = elements.compactMap(\.objectValue)
        guard objects.count == elements.count else { throw Self.wrongType(name) }
        return objects.map { UserPoolInput($0) }
    }

    /// Returns an optional structure, whose members are read next.
    mutating func object(_ name: String) throws(UserPoolError) -> UserPoolInput? {
        guard let value = value(name) else { return nil }
        guard let object = value.objectValue else { throw Self.wrongType(name) }
        return UserPoolInput(object)
    }

    /// Returns a map of texts; an empty one if it is missing.
    mutating func map(_ name: String) throws(UserPoolError) -> TextDictionary<String> {
        guard let value = value(name) else { return [:] }
        guard let object = value.objectValue else { throw Self.wrongType(name) }
        var texts: TextDictionary<String> = [:]
        for member in object.members {
            guard let text = member.value.stringValue else { throw Self.wrongType(name) }
            texts[member.name] = text
        }
        return texts
    }

    /// Returns the member `ClientMetadata`, which functions receive, sorted by key.
    mutating func clientMetadata() throws(UserPoolError) -> JSONObject {
        let map = try map("ClientMetadata")
        return JSONObject(map.keys.sorted().map { ($0, JSONValue.string(map[$0] ?? "")) })
    }

    /// Returns the tags in a map of texts, sorted by key.
    mutating func tags(_ name: String) throws(UserPoolError) -> [Tag] {
        let map = try map(name)
        return map.keys.sorted().map { Tag(key: $0, value: map[$0] ?? "") }
    }

    /// Returns the tags in a map of texts, sorted by key; `nil` if the map is missing.
    mutating func tagsIfGiven(_ name: String) throws(UserPoolError) -> [Tag]? {
        guard value(name) != nil else { return nil }
        return try tags(name)
    }

    /// Returns the attributes of a list; a missing value is empty.
    mutating func attributes(_ name: String) throws(UserPoolError) -> [UserPoolUser.Attribute] {
        var attributes: [UserPoolUser.Attribute] = []
        for var element in try objects(name) ?? [] {
            let attribute = try element.requiredText("Name", length: 1...32, pattern: .name)
            let value = try element.text("Value", length: 0...2048)
            violations += element.violations
            attributes.append(UserPoolUser.Attribute(attribute, value ?? ""))
        }
        return attributes
    }

    private mutating func violate(_ value: String, _ name: String, _ constraint: String) {
        let place = name.prefix(1).lowercased() + name.dropFirst()
        violations.append("Value\(value) at '\(place)' failed to satisfy constraint: \(constraint)")
    }

    /// Refuses the call if a constraint is violated or a member was not read.
    func check() throws(UserPoolError) {
        guard violations.isEmpty else {
            let count = "\(violations.count) validation error\(violations.count == 1 ? "" : "s") detected"
            throw .invalidParameter("\(count): \(violations.joined(separator: "; "))")
        }
        for member in members.members where member.value != .null && !read.contains(member.name) {
            throw .unsupported("the member \(member.name)")
        }
    }
}
