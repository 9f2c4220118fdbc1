package import WireFormats

/// A member of a record that has a value of its own where the stored record, of an earlier version, does not name it.
@propertyWrapper
package struct Filled<Value: Codable & Sendable & Fillable>: Codable, Sendable {
    private var shared: Shared<Value>

    /// The value.
    package var wrappedValue: Value {
        _read { yield shared.wrappedValue }
        set { shared.wrappedValue = newValue }
    }

    /// - Parameter wrappedValue: the value.
    package init(wrappedValue: Value) { shared = Shared(wrappedValue: wrappedValue) }

    package init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Filled: Equatable where Value: Equatable {}
extension Filled: Hashable where Value: Hashable {}

/// What ``Filled`` members can be.
package protocol Fillable {
    /// Stands for what a record does not name.
    static var fill: Self { get }
}

extension Array: Fillable {
    package static var fill: [Element] { [] }
}

extension Timestamp: Fillable {
    package static var fill: Timestamp { Timestamp(milliseconds: 0) }
}

extension KeyedDecodingContainer {
    /// Decodes the value, or takes the one that fills in for a missing key.
    package func decode<Value>(_ type: Filled<Value>.Type, forKey key: Key) throws -> Filled<Value> {
        try decodeIfPresent(type, forKey: key) ?? Filled(wrappedValue: Value.fill)
    }
}
