/// Any key of a JSON object.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// A container that knows all its keys: one that `Keys` does not list is refused, so that a misspelt setting is never ignored.
    /// - Parameter renamed: earlier names of keys, and the names of today.
    func strictContainer<Keys: CodingKey & CaseIterable>(
        keyedBy keys: Keys.Type, renamed: [String: String] = [:]
    ) throws -> KeyedDecodingContainer<Keys> {
        let known = keys.allCases.map(\.stringValue)
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            if let name = renamed[key.stringValue] {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: codingPath + [key], debugDescription: "the key '\(name)', which replaces '\(key.stringValue)'"))
            }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath + [key],
                    debugDescription: "one of the keys \(known.joined(separator: ", "))"))
        }
        return try container(keyedBy: keys)
    }
}

extension KeyedDecodingContainer {
    /// The value at `key`, or `fallback` where the key is absent. A null is not an absent key.
    func decode<Value: Decodable>(_ key: Key, or fallback: @autoclosure () -> Value) throws -> Value {
        try decode(ifThere: key) ?? fallback()
    }

    /// The value at `key`, or nothing where the key is absent. A null is not an absent key.
    func decode<Value: Decodable>(ifThere key: Key) throws -> Value? {
        guard contains(key) else { return nil }
        do {
            return try decode(Value.self, forKey: key)
        } catch let error where !(error is DecodingError) {
            // Of a number that its type cannot hold, and of a text that no text can hold, the decoder does not say where it stands.
            let expected =
                switch Value.self {
                case is any FixedWidthInteger.Type: "a whole number of at most 64 bits"
                case is String.Type: "a string of whole characters, none of them zero"
                default: "numbers of at most 64 bits, whole where they are counts, and strings of whole characters, none of them zero"
                }
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: expected)
        }
    }

    /// The value that a text names, or nothing where the key is absent. Refuses a text that names none.
    func decode<Value>(_ key: Key, named make: (String) -> Value?, expecting expected: String) throws -> Value? {
        guard let text: String = try decode(ifThere: key) else { return nil }
        guard let value = make(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: expected)
        }
        return value
    }

    /// Refuses an absent value, and one that `holds` does not accept.
    func decode<Value: Decodable>(_ key: Key, expecting expected: String, where holds: (Value) -> Bool) throws -> Value {
        guard let value: Value = try decode(ifThere: key), holds(value) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: expected)
        }
        return value
    }
}
