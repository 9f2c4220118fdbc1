/// A value to bind to a parameter of a statement.
package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Bytes that are copied when they are bound.
    case blob([UInt8])
    /// Bytes that are bound without a copy; they must stay valid until the call that binds them returns.
    case bytes(UnsafeRawBufferPointer)

    /// The value, or null for `nil`.
    package init(_ text: String?) { self = text.map(Value.text) ?? .null }
    /// The value, or null for `nil`.
    package init(_ integer: Int64?) { self = integer.map(Value.integer) ?? .null }
    /// The value, or null for `nil`.
    package init(_ integer: Int?) { self = integer.map { .integer(Int64($0)) } ?? .null }
    /// The value, or null for `nil`.
    package init(_ blob: [UInt8]?) { self = blob.map(Value.blob) ?? .null }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(nilLiteral: ()) { self = .null }
}
