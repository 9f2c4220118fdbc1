import WireFormats

extension Decoder {
    /// Returns the members of an object. Rejects unknown keys, so that a misspelled setting is never ignored.
    /// - Parameters:
    ///   - known: the names of the fields.
    ///   - renamed: current names of fields, by their earlier names.
    func members(named known: [String], renamed: [String: String] = [:]) throws -> SeedMembers {
        let members = try container(keyedBy: FieldName.self)
        let unknown = members.allKeys.filter { !known.contains($0.stringValue) }
        // The container is not ordered, but each check must report the same keys.
        for key in unknown.sorted(by: { $0.stringValue < $1.stringValue }) {
            if SeedFaultCollector.current?.counts(losesNames: true) == true { continue }
            let name = renamed[key.stringValue]
            let expected =
                name.map { "the key '\($0)', which replaces '\(key.stringValue)'" } ?? "one of the keys \(known.joined(separator: ", "))"
            let fault = DecodingError.dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: expected))
            guard let collector = SeedFaultCollector.current else { throw fault }
            collector.addUnknownKey(key.stringValue, fault, renamed: name, known: known)
        }
        return members
    }
}

extension KeyedDecodingContainer {
    /// Decodes the value at `key`, or returns `fallback` if the key is absent. A null is not an absent key.
    func decode<Value: Decodable>(_ key: Key, or fallback: @autoclosure () -> Value) throws -> Value {
        try decode(ifThere: key) ?? fallback()
    }

    /// Decodes the list at `key`, or returns `nil` if the key is absent. When faults are collected, faulty elements are omitted.
    /// - Parameter read: reads an element.
    func decodeList<Element>(_ key: Key, of read: (any Decoder) throws -> Element) throws -> [Element]? {
        guard contains(key) else { return nil }
        var elements: [Element] = []
        _ = try collecting([Element].self, at: codingPath + [key]) {
            var list = try nestedUnkeyedContainer(forKey: key)
            while !list.isAtEnd {
                let decoder = try list.superDecoder()
                if let element = try collecting(Element.self, at: decoder.codingPath, { try read(decoder) }) { elements.append(element) }
            }
            return elements
        }
        return elements
    }

    /// Decodes the value at `key`, or returns `nil` if the key is absent. A null is not an absent key. When faults are collected, a faulty
    /// value is treated as absent.
    func decode<Value: Decodable>(ifThere key: Key) throws -> Value? {
        guard contains(key) else { return nil }
        return try collecting(Value.self, at: codingPath + [key]) { try decode(Value.self, forKey: key) }
    }

    /// Decodes the value at `key` in the same way.
    /// - Parameter read: reads the value.
    func decode<Value>(ifThere key: Key, _ read: (any Decoder) throws -> Value) throws -> Value? {
        guard contains(key) else { return nil }
        return try collecting(Value.self, at: codingPath + [key]) { try read(superDecoder(forKey: key)) }
    }

    /// Reads a value. A fault is thrown, or collected and `nil` returned.
    private func collecting<Value>(_ type: Value.Type, at path: [any CodingKey], _ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch {
            let fault = error.inSeed(at: path, of: type)
            guard let collector = SeedFaultCollector.current else { throw fault }
            collector.add(fault, losesNames: true)
            return nil
        }
    }

    /// Decodes a text and converts it to a value; `nil` if the key is absent. Rejects a text that `make` does not convert.
    func decode<Value>(_ key: Key, named make: (String) -> Value?, expecting expected: String) throws -> Value? {
        guard let text: String = try decode(ifThere: key) else { return nil }
        guard let value = make(text) else {
            try refuse(key, expecting: expected)
            return nil
        }
        return value
    }

    /// Reports a missing value: adds it to the collector if there is one, and throws otherwise.
    /// - Parameter expected: what is expected there; `nil` if it can only be called a value.
    func reportMissing(_ key: Key, expecting expected: String?) throws {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "")
        let fault =
            expected.map { DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: $0) } ?? .keyNotFound(key, context)
        guard let collector = SeedFaultCollector.current else { throw fault }
        collector.add(fault, losesNames: true)
    }

    /// Reports a faulty value: adds it to the collector if there is one, and throws otherwise.
    func refuse(_ key: Key, expecting expected: String) throws {
        let fault = DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: expected)
        guard let collector = SeedFaultCollector.current else { throw fault }
        collector.add(fault, losesNames: false)
    }
}

extension Error {
    /// Converts an error of the decoder to one with the path of the value and a description of what is expected.
    fileprivate func inSeed<Value>(at path: [any CodingKey], of type: Value.Type) -> DecodingError {
        guard let fault = self as? DecodingError else {
            // The decoder does not report a path for a number that exceeds its type or for a text that is not a valid string.
            let expected =
                switch Value.self {
                case is any FixedWidthInteger.Type: "a whole number of at most 64 bits"
                case is String.Type: "a string of whole characters, none of them zero"
                default: "numbers of at most 64 bits, whole where they are counts, and strings of whole characters, none of them zero"
                }
            return .dataCorrupted(.init(codingPath: path, debugDescription: expected))
        }
        // The decoder's own message for an unknown case of an enumeration is not suitable for users.
        guard case .dataCorrupted(let context) = fault, context.codingPath.count == path.count,
            context.debugDescription.hasPrefix("Cannot initialize"), let words = words(of: Value.self)
        else { return fault }
        return .dataCorrupted(.init(codingPath: context.codingPath, debugDescription: "one of \(words.joined(separator: ", "))"))
    }
}

/// Returns the raw values of an enumeration's cases; `nil` for every other type.
private func words(of type: Any.Type) -> [String]? {
    func texts<Cases: CaseIterable>(_ cases: Cases.Type) -> [String]? {
        let texts = cases.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        return texts.isEmpty ? nil : texts
    }
    return (type as? any CaseIterable.Type).flatMap { texts($0) }
}
