#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Comparisons of UTF-8 bytes for texts that every request compares. Swift's own compare characters, whatever the lengths, and take
// longer.
extension String {
    /// Returns whether the bytes of the text begin with those of a constant.
    package func begins(with prefix: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { text in
            guard text.count >= prefix.utf8CodeUnitCount else { return false }
            for index in 0..<prefix.utf8CodeUnitCount where text[index] != prefix.utf8Start[index] { return false }
            return true
        }
    }

    /// Returns whether the bytes of the text are those of another one.
    @inlinable
    package func equals(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Short texts are in the two words themselves. Texts that are not even canonically equivalent differ in a byte.
        if unsafeBitCast(self, to: Words.self) == unsafeBitCast(other, to: Words.self) { return true }
        return Self.areEquivalent(self, other) && hasSameBytes(as: other)
    }

    @usableFromInline typealias Words = (UInt, UInt)

    /// The comparison of the standard library, which `==` hides here.
    @inlinable
    static func areEquivalent<Value: Equatable>(_ left: Value, _ right: Value) -> Bool { left == right }

    /// Returns whether the bytes of the text are those of another one of the same length.
    @usableFromInline
    func hasSameBytes(as other: String) -> Bool {
        var (text, other) = (self, other)
        return text.withUTF8 { text in
            other.withUTF8 { other in
                guard let start = text.baseAddress, let otherStart = other.baseAddress else { return true }
                return memcmp(start, otherStart, text.count) == 0
            }
        }
    }
}
