/// A large value, held by reference: whoever copies what has it counts one reference instead of some thirty, which all threads count on.
/// Setting replaces the whole.
@propertyWrapper
package struct Shared<Value: Sendable>: Sendable {
    /// Holds the value.
    @usableFromInline
    package final class Box: Sendable {
        /// The value.
        @usableFromInline
        package let value: Value

        /// - Parameter value: the value.
        @usableFromInline
        package init(_ value: Value) { self.value = value }
    }

    /// Holds the value; copies of the property share it.
    @usableFromInline
    package var box: Box

    /// - Parameter wrappedValue: the value.
    @inlinable
    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value. To set it does not change copies.
    @inlinable
    package var wrappedValue: Value {
        _read { yield box.value }
        set { box = Box(newValue) }
    }
}

extension Shared: Equatable where Value: Equatable {
    package static func == (one: Self, other: Self) -> Bool { one.box === other.box || one.wrappedValue == other.wrappedValue }
}

extension Shared: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
