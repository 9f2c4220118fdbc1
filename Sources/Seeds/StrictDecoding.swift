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
        let unknown = try container(keyedBy: AnyKey.self).allKeys.filter { !known.contains($0.stringValue) }
        // The container has no order, and which keys are reported must not differ from one check to the next.
        for key in unknown.sorted(by: { $0.stringValue < $1.stringValue }) {
            if SeedFaultCollector.current?.counts(losesNames: true) == true { continue }
            let name = renamed[key.stringValue]
            let expected =
                name.map { "the key '\($0)', which replaces '\(key.stringValue)'" } ?? "one of the keys \(known.joined(separator: ", "))"
            let fault = DecodingError.dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: expected))
            guard let collector = SeedFaultCollector.current else { throw fault }
            collector.addUnknownKey(key.stringValue, fault, renamed: name, known: known)
        }
        return try container(keyedBy: keys)
    }
}

extension KeyedDecodingContainer {
    /// The value at `key`, or `fallback` where the key is absent. A null is not an absent key.
    func decode<Value: Decodable>(_ key: Key, or fallback: @autoclosure () -> Value) throws -> Value {
        try decode(ifThere: key) ?? fallback()
    }

    /// The list at `key`, or `fallback` where the key is absent. When faults are collected, elements with faults are left out.
    func decode<Element: Decodable>(_ key: Key, or fallback: @autoclosure () -> [Element]) throws -> [Element] {
        guard let collector = SeedFaultCollector.current, contains(key) else { return try decode(ifThere: key) ?? fallback() }
        var elements: [Element] = []
        do {
            var list = try nestedUnkeyedContainer(forKey: key)
            while !list.isAtEnd {
                let decoder = try list.superDecoder()
                do {
                    elements.append(try Element(from: decoder))
                } catch {
                    collector.add(error.inSeed(at: decoder.codingPath, of: Element.self), losesNames: true)
                }
            }
        } catch {
            collector.add(error.inSeed(at: codingPath + [key], of: [Element].self), losesNames: true)
        }
        return elements
    }

    /// The value at `key`, or `nil` if the key is absent. A null is not an absent key. When faults are collected, a faulty value
    /// counts as absent.
    func decode<Value: Decodable>(ifThere key: Key) throws -> Value? {
        guard contains(key) else { return nil }
        do {
            return try decode(Value.self, forKey: key)
        } catch {
            let fault = error.inSeed(at: codingPath + [key], of: Value.self)
            guard let collector = SeedFaultCollector.current else { throw fault }
            collector.add(fault, losesNames: true)
            return nil
        }
    }

    /// The value that a text names, or `nil` if the key is absent. Refuses a text that names none.
    func decode<Value>(_ key: Key, named make: (String) -> Value?, expecting expected: String) throws -> Value? {
        guard let text: String = try decode(ifThere: key) else { return nil }
        guard let value = make(text) else {
            try refuse(key, expecting: expected)
            return nil
        }
        return value
    }

    /// Refuses an absent value, and one that `holds` does not accept.
    func decode<Value: Decodable>(_ key: Key, expecting expected: String, where holds: (Value) -> Bool) throws -> Value {
        if let value: Value = try decode(ifThere: key) {
            if !holds(value) { try refuse(key, expecting: expected) }
            return value
        }
        let fault = DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: expected)
        // Any value lets the decoding go on to the next fault.
        let substitutes: [Any] = ["", 0, Int64(0), false, [String](), [String: String]()]
        guard let collector = SeedFaultCollector.current, let value = substitutes.lazy.compactMap({ $0 as? Value }).first else {
            throw fault
        }
        collector.add(fault, losesNames: true)
        return value
    }

    /// Reports a faulty value: throws, or where faults are collected adds it to them and returns.
    func refuse(_ key: Key, expecting expected: String) throws {
        let fault = DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: expected)
        guard let collector = SeedFaultCollector.current else { throw fault }
        collector.add(fault, losesNames: false)
    }
}

extension Error {
    /// This error of a decoder as one that says where the fault is and what was expected in the words of seeds.
    fileprivate func inSeed<Value>(at path: [any CodingKey], of type: Value.Type) -> DecodingError {
        guard let fault = self as? DecodingError else {
            // For a number that its type cannot hold, and for a text that no string can hold, the decoder does not report the place.
            let expected =
                switch Value.self {
                case is any FixedWidthInteger.Type: "a whole number of at most 64 bits"
                case is String.Type: "a string of whole characters, none of them zero"
                default: "numbers of at most 64 bits, whole where they are counts, and strings of whole characters, none of them zero"
                }
            return .dataCorrupted(.init(codingPath: path, debugDescription: expected))
        }
        // The decoder's own words for a text that names no case are not those of seeds.
        guard case .dataCorrupted(let context) = fault, context.codingPath.count == path.count, let words = words(of: Value.self) else {
            return fault
        }
        return .dataCorrupted(.init(codingPath: context.codingPath, debugDescription: "one of \(words.joined(separator: ", "))"))
    }
}

/// The texts of an enumeration's cases; nil for every other type.
private func words(of type: Any.Type) -> [String]? {
    func texts<Cases: CaseIterable>(_ cases: Cases.Type) -> [String]? {
        let texts = cases.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        return texts.isEmpty ? nil : texts
    }
    return (type as? any CaseIterable.Type).flatMap { texts($0) }
}
