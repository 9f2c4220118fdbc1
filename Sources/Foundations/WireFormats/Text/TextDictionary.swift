/// A text as the key of a collection. Keys are equal if their bytes are.
package struct TextKey: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    package let text: String

    /// Creates the key of a text.
    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package static func == (left: TextKey, right: TextKey) -> Bool { left.text.equals(right.text) }

    package static func < (left: TextKey, right: TextKey) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// A dictionary whose keys are texts of clients. `[String: Value]` finds a value also by a key that is only canonically equivalent.
package struct TextDictionary<Value>: Sequence, ExpressibleByDictionaryLiteral {
    private var storage: [TextKey: Value] = [:]

    /// Creates an empty dictionary.
    package init() {}

    /// Creates a dictionary; a repeated key is an error of the program.
    package init(dictionaryLiteral elements: (String, Value)...) {
        storage = Dictionary(uniqueKeysWithValues: elements.map { (TextKey($0), $1) })
    }

    /// The value of a key; `nil` if there is none, or to remove it.
    package subscript(key: String) -> Value? {
        get { storage[TextKey(key)] }
        _modify { yield &storage[TextKey(key)] }
    }

    /// The value of a key, or another one if there is none.
    package subscript(key: String, default value: @autoclosure () -> Value) -> Value {
        get { storage[TextKey(key)] ?? value() }
        _modify { yield &storage[TextKey(key), default: value()] }
    }

    /// The number of keys.
    package var count: Int { storage.count }
    /// Whether there is no key.
    package var isEmpty: Bool { storage.isEmpty }
    /// The keys, in no particular order.
    package var keys: [String] { storage.keys.map(\.text) }
    /// The values, in no particular order.
    package var values: some Collection<Value> { storage.values }

    /// Removes a key, and returns its value.
    @discardableResult
    package mutating func removeValue(forKey key: String) -> Value? { storage.removeValue(forKey: TextKey(key)) }

    /// Keeps only the keys and values that satisfy a predicate.
    package mutating func keep(where isKept: (_ key: String, _ value: Value) -> Bool) {
        storage = storage.filter { isKept($0.key.text, $0.value) }
    }

    /// Returns an iterator over keys and values, in no particular order.
    package func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
        storage.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
    }
}

extension TextDictionary: Sendable where Value: Sendable {}
extension TextDictionary: Equatable where Value: Equatable {}
