import HTTPTypes
import WireFormats

/// The members of the input of one call with a JSON document, checked against their constraints: also maps and structures, which
/// ``QueryParameters`` cannot read, because names of members can have dots.
///
/// Violations are collected, because the service lists all of them in one `ValidationException`.
struct JSONMembers: Sendable {
    private let document: JSONObject
    /// The name of the structure in messages, with a dot; empty for the input itself.
    private let prefix: String
    private var violations: [String] = []
    private var malformed: ServiceError?

    /// Reads the document of a call; an empty body has no members.
    init(_ body: [UInt8]) throws(ServiceError) {
        prefix = ""
        guard !body.isEmpty else {
            document = JSONObject()
            return
        }
        guard let object = (try? JSONValue(parsing: body))?.objectValue else {
            throw ServiceError("SerializationException", .badRequest, "The request body is not a JSON object.")
        }
        document = object
    }

    private init(_ document: JSONObject, prefix: String) {
        self.document = document
        self.prefix = prefix
    }

    /// The lengths of a text, and its pattern.
    struct Form: Sendable {
        var length: ClosedRange<Int>
        var pattern: QueryParameters.Pattern?

        init(_ length: ClosedRange<Int>, _ pattern: QueryParameters.Pattern? = nil) {
            self.length = length
            self.pattern = pattern
        }

        /// The constraints that a text violates, as messages name them.
        fileprivate func violations(by text: String) -> [String] {
            var found: [String] = []
            if let pattern, !pattern.matches(text) { found.append("Member must satisfy regular expression pattern: \(pattern.text)") }
            let count = text.unicodeScalars.count
            if count < length.lowerBound { found.append("Member must have length greater than or equal to \(length.lowerBound)") }
            if count > length.upperBound { found.append("Member must have length less than or equal to \(length.upperBound)") }
            return found
        }

        /// All constraints, as the messages of lists and maps name them.
        fileprivate var all: String {
            var all = [
                "Member must have length less than or equal to \(length.upperBound)",
                "Member must have length greater than or equal to \(length.lowerBound)",
            ]
            if let pattern { all.append("Member must satisfy regular expression pattern: \(pattern.text)") }
            return all.joined(separator: ", ")
        }
    }

    // MARK: Texts, numbers and Booleans

    /// Returns an optional text.
    mutating func text(_ name: String, _ form: Form) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.stringValue else { return mistyped(name, "a string") }
        for constraint in form.violations(by: text) { violate("'\(text)'", name, constraint) }
        return text
    }

    /// Returns a required text.
    mutating func requiredText(_ name: String, _ form: Form) -> String {
        require(name)
        return text(name, form) ?? ""
    }

    /// Returns an optional text that is one of an enumeration's.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of _: Choice.Type) -> Choice? {
        guard let value = present(name) else { return nil }
        guard let text = value.stringValue else { return mistyped(name, "a string") }
        if let choice = Choice.allCases.first(where: { $0.rawValue == text }) { return choice }
        let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        violate("'\(text)'", name, "Member must satisfy enum value set: [\(all)]")
        return nil
    }

    /// Returns an optional Boolean.
    mutating func flag(_ name: String) -> Bool? {
        guard let value = present(name) else { return nil }
        guard let flag = value.boolValue else { return mistyped(name, "a Boolean") }
        return flag
    }

    /// Returns a required Boolean.
    mutating func requiredFlag(_ name: String) -> Bool {
        require(name)
        return flag(name) ?? false
    }

    /// Returns an optional integer.
    mutating func integer(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let value = present(name) else { return nil }
        guard let number = value.integerValue else { return mistyped(name, "an integer") }
        if number < range.lowerBound {
            violate("'\(number)'", name, "Member must have value greater than or equal to \(range.lowerBound)")
        }
        if number > range.upperBound { violate("'\(number)'", name, "Member must have value less than or equal to \(range.upperBound)") }
        return Int(clamping: number)
    }

    /// Returns a required integer.
    mutating func requiredInteger(_ name: String, _ range: ClosedRange<Int>) -> Int {
        require(name)
        return integer(name, range) ?? range.lowerBound
    }

    // MARK: Lists, maps and structures

    /// Returns an optional list of texts.
    mutating func texts(_ name: String, counts: ClosedRange<Int>, _ form: Form) -> [String]? {
        guard let value = present(name) else { return nil }
        guard let elements = value.arrayValue else { return mistyped(name, "a list") }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { return mistyped(name, "a list of strings") }
        let shown = "'[\(texts.joined(separator: ", "))]'"
        check(texts.count, in: counts, name, shown)
        if texts.contains(where: { !form.violations(by: $0).isEmpty }) {
            violate(shown, name, "Member must satisfy constraint: [\(form.all)]")
        }
        return texts
    }

    /// Returns an optional map of texts, in the order of the document.
    /// - Parameter areSecret: whether the values are tokens, which messages do not repeat.
    mutating func map(
        _ name: String, most: Int, keys: Form, values: Form, areSecret: Bool = false
    ) -> [(key: String, value: String)]? {
        guard let value = present(name) else { return nil }
        guard let object = value.objectValue else { return mistyped(name, "a map") }
        var entries: [(key: String, value: String)] = []
        for (key, value) in object.members {
            guard let text = value.stringValue else { return mistyped(name, "a map of strings") }
            entries.append((key, text))
        }
        let shown = entries.map { "\($0.key)=\(areSecret && !$0.value.isEmpty ? "***" : $0.value)" }.joined(separator: ", ")
        check(entries.count, in: 0...most, name, "'{\(shown)}'")
        if entries.contains(where: { !keys.violations(by: $0.key).isEmpty }) {
            violate("'{\(shown)}'", name, "Map keys must satisfy constraint: [\(keys.all)]")
        }
        if entries.contains(where: { !values.violations(by: $0.value).isEmpty }) {
            violate("'{\(shown)}'", name, "Map value must satisfy constraint: [\(values.all)]")
        }
        return entries
    }

    /// Returns an optional structure.
    /// - Parameter read: reads its members.
    mutating func structure<Value>(_ name: String, _ read: (inout JSONMembers) -> Value) -> Value? {
        guard let value = present(name) else { return nil }
        guard let object = value.objectValue else { return mistyped(name, "a structure") }
        return nested(object, "\(label(name)).", read)
    }

    /// Returns an optional list of structures.
    /// - Parameter read: reads the members of one of them.
    mutating func structures<Value>(
        _ name: String, counts: ClosedRange<Int>, _ read: (inout JSONMembers) -> Value
    ) -> [Value]? {
        guard let value = present(name) else { return nil }
        guard let elements = value.arrayValue else { return mistyped(name, "a list") }
        check(elements.count, in: counts, name, "'[…]'")
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.objectValue else { return mistyped(name, "a list of structures") }
            values.append(nested(object, "\(label(name)).\(index + 1).member.", read))
        }
        return values
    }

    /// Returns an optional map of structures, in the order of the document.
    /// - Parameter read: reads the members of one of them.
    mutating func mapOfStructures<Value>(
        _ name: String, most: Int, keys: Form, _ read: (inout JSONMembers) -> Value
    ) -> [(key: String, value: Value)]? {
        guard let value = present(name) else { return nil }
        guard let object = value.objectValue else { return mistyped(name, "a map") }
        check(object.count, in: 0...most, name, "'{…}'")
        var entries: [(key: String, value: Value)] = []
        for (key, value) in object.members {
            guard let structure = value.objectValue else { return mistyped(name, "a map of structures") }
            if !keys.violations(by: key).isEmpty { violate("'{\(key)=…}'", name, "Map keys must satisfy constraint: [\(keys.all)]") }
            entries.append((key, nested(structure, "\(label(name)).\(key).member.", read)))
        }
        return entries
    }

    private mutating func nested<Value>(_ object: JSONObject, _ prefix: String, _ read: (inout JSONMembers) -> Value) -> Value {
        var members = JSONMembers(object, prefix: prefix)
        let value = read(&members)
        violations += members.violations
        malformed = malformed ?? members.malformed
        return value
    }

    // MARK: Violations

    /// Records a violation if a member is missing.
    mutating func require(_ name: String) {
        if present(name) == nil { violate("null", name, "Member must not be null") }
    }

    /// - Throws: the error for a member of another type, otherwise the one `ValidationException` that lists every violation so far.
    func check() throws(ServiceError) {
        if let malformed { throw malformed }
        guard !violations.isEmpty else { return }
        let count = "\(violations.count) validation error\(violations.count == 1 ? "" : "s") detected"
        throw ServiceError("ValidationException", .badRequest, "\(count): \(violations.joined(separator: "; "))")
    }

    /// A member is absent also if it is null.
    private func present(_ name: String) -> JSONValue? {
        guard let value = document[name] else { return Optional.none }
        if case .null = value { return Optional.none }
        return value
    }

    private mutating func check(_ count: Int, in counts: ClosedRange<Int>, _ name: String, _ shown: String) {
        if count < counts.lowerBound { violate(shown, name, "Member must have length greater than or equal to \(counts.lowerBound)") }
        if count > counts.upperBound { violate(shown, name, "Member must have length less than or equal to \(counts.upperBound)") }
    }

    /// Records that a member has another type. (Virga's wording.)
    private mutating func mistyped<Value>(_ name: String, _ type: String) -> Value? {
        malformed = malformed ?? ServiceError("SerializationException", .badRequest, "The member \(label(name)) must be \(type).")
        return Optional.none
    }

    private mutating func violate(_ shown: String, _ name: String, _ constraint: String) {
        violations.append("Value \(shown) at '\(label(name))' failed to satisfy constraint: \(constraint)")
    }

    /// Returns the name of a member in messages, with a lowercase first letter.
    private func label(_ name: String) -> String { prefix + name.prefix(1).lowercased() + name.dropFirst() }
}
