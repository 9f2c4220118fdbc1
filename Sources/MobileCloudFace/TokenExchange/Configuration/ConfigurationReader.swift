import WireFormats

/// A fault in the configuration of the token exchange, and its place.
struct ConfigurationFault: Error, Equatable {
    /// The path of the member: `issuers[0].jwks.allowHttp`.
    var place: String
    /// A description of valid values: `true or false`.
    var expected: String

    var text: String { "\(place) must be \(expected)." }
}

/// Reads the members of one object of the configuration. Null is treated as absent; a member of the wrong type is an error.
struct ConfigurationReader {
    let members: JSONObject
    /// The path of the object, empty for the root.
    let place: String

    init(_ value: JSONValue, place: String) throws(ConfigurationFault) {
        guard let members = value.objectValue else { throw ConfigurationFault(place: place, expected: "an object") }
        self.members = members
        self.place = place
    }

    func fault(_ name: String, _ expected: String) -> ConfigurationFault {
        ConfigurationFault(place: place.isEmpty ? name : "\(place).\(name)", expected: expected)
    }

    /// Returns the member, if it is present.
    func value(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    func text(_ name: String) throws(ConfigurationFault) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue, !text.isEmpty else { throw fault(name, "a string") }
        return text
    }

    func bool(_ name: String, or usual: Bool) throws(ConfigurationFault) -> Bool {
        guard let value = value(name) else { return usual }
        guard let bool = value.boolValue else { throw fault(name, "true or false") }
        return bool
    }

    /// - Parameter least: the smallest accepted number.
    func seconds(_ name: String, least: Int64 = 0) throws(ConfigurationFault) -> Int? {
        guard let value = value(name) else { return nil }
        guard let seconds = value.integerValue, (least...Self.longest).contains(seconds) else {
            throw fault(name, "a whole number of seconds, \(least) or more")
        }
        return Int(seconds)
    }

    func texts(_ name: String) throws(ConfigurationFault) -> [String]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else { throw fault(name, "a list of strings") }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { throw fault(name, "a list of strings") }
        return texts
    }

    func list(_ name: String) throws(ConfigurationFault) -> [JSONValue]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else { throw fault(name, "a list") }
        return elements
    }

    /// Returns the case of an enumeration that the member names.
    func named<Value: RawRepresentable & CaseIterable>(
        _ name: String, as type: Value.Type
    ) throws(ConfigurationFault) -> Value? where Value.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw fault(name, "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return value
    }

    /// The largest number of seconds: a hundred years, well below overflow.
    private static let longest: Int64 = 3_155_760_000
}
