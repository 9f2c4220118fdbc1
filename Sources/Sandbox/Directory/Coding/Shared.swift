import WireFormats

/// A large value, held by reference. A copy of its owner updates one reference count, which all threads share, instead of about thirty.
/// Setting the value replaces it as a whole.
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

    /// The value. Setting it does not change copies.
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
