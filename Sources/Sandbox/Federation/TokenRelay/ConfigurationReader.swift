import WireFormats

/// A fault in the configuration of the token exchange, and its place.
package struct ConfigurationFault: Error, Equatable {
    /// The path of the member: `issuers[0].jwks.allowHttp`.
    package var place: String
    /// A description of valid values: `true or false`.
    package var expected: String

    /// The fault as a sentence.
    package var text: String { "\(place) must be \(expected)." }
}

/// What the relay accepts in a configuration, although it matches nothing or has no effect.
package struct ConfigurationWarning: Equatable, Sendable {
    /// The path of the member.
    package var place: String
    /// A sentence.
    package var text: String
}

/// What is wrong in a configuration, in the order in which it is read.
final class ConfigurationFindings {
    var faults: [ConfigurationFault] = []
    var warnings: [ConfigurationWarning] = []
}

/// Reads the members of one object of the configuration. Null is treated as absent; a member of the wrong type is a fault, which is recorded,
/// and is read as absent.
struct ConfigurationReader {
    let members: JSONObject
    /// The path of the object, empty for the root.
    let place: String
    let findings: ConfigurationFindings

    /// - Returns: `nil` for another value than an object, which is a fault.
    init?(_ value: JSONValue, place: String, _ findings: ConfigurationFindings) {
        guard let members = value.objectValue else {
            findings.faults.append(ConfigurationFault(place: place, expected: "an object"))
            return nil
        }
        self.members = members
        self.place = place
        self.findings = findings
    }

    /// Returns the path of a member.
    private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

    /// Records a fault.
    func fault(_ name: String, _ expected: String) {
        findings.faults.append(ConfigurationFault(place: path(name), expected: expected))
    }

    /// Records what matches nothing or has no effect.
    func warn(_ name: String, _ text: String) { findings.warnings.append(ConfigurationWarning(place: path(name), text: text)) }

    /// Returns the member, if it is present.
    func value(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    /// Returns the member if it has a value of some kind.
    /// - Parameter read: returns the value; `nil` for a fault.
    private func read<Value>(_ name: String, _ expected: String, _ read: (JSONValue) -> Value?) -> Value? {
        guard let value = value(name) else { return nil }
        guard let value = read(value) else {
            fault(name, expected)
            return nil
        }
        return value
    }

    /// Returns the member, whose absence is a fault.
    func required<Value>(_ name: String, _ expected: String, _ read: (String) -> Value?) -> Value? {
        if value(name) == nil { fault(name, expected) }
        return read(name)
    }

    func text(_ name: String) -> String? { read(name, "a string") { $0.stringValue.flatMap { $0.isEmpty ? nil : $0 } } }

    func bool(_ name: String, or usual: Bool) -> Bool { read(name, "true or false", \.boolValue) ?? usual }

    /// - Parameter least: the smallest accepted number.
    func seconds(_ name: String, least: Int64 = 0) -> Int? {
        read(name, "a whole number of seconds, \(least) or more") { value in
            value.integerValue.flatMap { (least...Self.longest).contains($0) ? Int($0) : nil }
        }
    }

    func texts(_ name: String) -> [String]? {
        read(name, "a list of strings") { value in
            let texts = value.arrayValue?.compactMap(\.stringValue)
            return texts?.count == value.arrayValue?.count ? texts : nil
        }
    }

    func list(_ name: String) -> [JSONValue]? { read(name, "a list", \.arrayValue) }

    /// Returns the case of an enumeration that the member names.
    func named<Value: RawRepresentable & CaseIterable>(_ name: String, as type: Value.Type) -> Value? where Value.RawValue == String {
        guard let text = text(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            fault(name, "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
            return nil
        }
        return value
    }

    /// The largest number of seconds: a hundred years, well below overflow.
    static let longest: Int64 = 3_155_760_000
}
