/// A large value, held by reference: whoever copies what has it counts one reference instead of some thirty, which all threads count on.
/// Setting replaces the whole.
@propertyWrapper
package struct Shared<Value: Sendable>: Sendable {
    @usableFromInline
    package final class Box: Sendable {
        @usableFromInline
        package let value: Value

        @usableFromInline
        package init(_ value: Value) { self.value = value }
    }

    @usableFromInline
    package var box: Box

    @inlinable
    package init(wrappedValue: Value) { box = Box(wrappedValue) }

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
