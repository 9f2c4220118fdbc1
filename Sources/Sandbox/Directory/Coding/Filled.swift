package import WireFormats

/// A member of a record that gets a default value if a record stored by an earlier version does not have it.
@propertyWrapper
package struct Filled<Value: Sendable>: Sendable {
    private var shared: Shared<Value>

    /// The value.
    package var wrappedValue: Value {
        _read { yield shared.wrappedValue }
        set { shared.wrappedValue = newValue }
    }

    /// - Parameter wrappedValue: the value.
    package init(wrappedValue: Value) { shared = Shared(wrappedValue: wrappedValue) }
}

// Not constraints of the type: the runtime looks up the protocols of each value's type among all conformances of the program.
extension Filled: Decodable where Value: Decodable {
    package init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
}

extension Filled: Encodable where Value: Encodable {
    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Filled: Equatable where Value: Equatable {}
extension Filled: Hashable where Value: Hashable {}

/// A type that ``Filled`` members can have.
package protocol Fillable {
    /// The value of a member that a record does not have.
    static var fill: Self { get }
}

extension Array: Fillable {
    package static var fill: [Element] { [] }
}

extension Timestamp: Fillable {
    package static var fill: Timestamp { Timestamp(milliseconds: 0) }
}

extension KeyedDecodingContainer {
    /// Decodes the value, or returns the default if the key is missing.
    package func decode<Value: Decodable & Fillable>(_ type: Filled<Value>.Type, forKey key: Key) throws -> Filled<Value> {
        try decodeIfPresent(type, forKey: key) ?? Filled(wrappedValue: Value.fill)
    }
}
