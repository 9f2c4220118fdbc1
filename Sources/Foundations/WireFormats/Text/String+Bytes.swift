#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// A text that a client sends is a sequence of bytes. The standard library compares texts by canonical equivalence ("é" equals "e" and an
// accent), and divides them into grapheme clusters, so that a combining character behind a separator hides the separator. No service does
// that. The functions of this folder have the signatures of the standard library's. In a file that imports `WireFormats`, they are used
// instead: texts compare by their bytes, and their elements are Unicode scalars.

// MARK: Equality

extension String {
    /// Returns whether two texts have the same bytes.
    @inlinable
    package static func == (left: String, right: String) -> Bool { left.equals(right) }

    /// Returns whether two texts have different bytes.
    @inlinable
    package static func != (left: String, right: String) -> Bool { !left.equals(right) }

    /// Returns whether the bytes of the text begin with those of another one. A shorter text needs no look at its bytes.
    @inlinable
    package func hasPrefix(_ prefix: String) -> Bool { utf8.count >= prefix.utf8.count && startsWithBytes(of: prefix) }

    /// Returns whether the bytes of the text end with those of another one. A shorter text needs no look at its bytes.
    @inlinable
    package func hasSuffix(_ suffix: String) -> Bool { utf8.count >= suffix.utf8.count && endsWithBytes(of: suffix) }
}

extension Substring {
    /// Returns whether two texts have the same bytes.
    @inlinable
    package static func == (left: Substring, right: Substring) -> Bool { left.hasBytes(of: right) }

    /// Returns whether two texts have different bytes.
    @inlinable
    package static func != (left: Substring, right: Substring) -> Bool { !left.hasBytes(of: right) }
}

extension StringProtocol {
    /// Returns whether two texts have the same bytes.
    @inlinable
    package static func == (left: Self, right: some StringProtocol) -> Bool { left.hasBytes(of: right) }

    /// Returns whether two texts have different bytes.
    @inlinable
    package static func != (left: Self, right: some StringProtocol) -> Bool { !left.hasBytes(of: right) }

    /// Returns whether the bytes of the text begin with those of another one.
    @inlinable
    package func hasPrefix(_ prefix: some StringProtocol) -> Bool { startsWithBytes(of: prefix) }

    /// Returns whether the bytes of the text end with those of another one.
    @inlinable
    package func hasSuffix(_ suffix: some StringProtocol) -> Bool { endsWithBytes(of: suffix) }

    /// Calls a function with the bytes of two texts.
    @inlinable
    func withBytes<Result>(
        and other: some StringProtocol, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        func both(_ bytes: UnsafeBufferPointer<UInt8>) -> Result {
            if let result = other.utf8.withContiguousStorageIfAvailable({ body(bytes, $0) }) { return result }
            return Array(other.utf8).withUnsafeBufferPointer { body(bytes, $0) }
        }
        if let result = utf8.withContiguousStorageIfAvailable(both) { return result }
        return Array(utf8).withUnsafeBufferPointer(both)
    }

    @inlinable
    func hasBytes(of other: some StringProtocol) -> Bool {
        withBytes(and: other) { $0.count == $1.count && isSame($0, $1, $0.count) }
    }

    @inlinable
    func startsWithBytes(of prefix: some StringProtocol) -> Bool {
        withBytes(and: prefix) { $0.count >= $1.count && isSame($0, $1, $1.count) }
    }

    @inlinable
    func endsWithBytes(of suffix: some StringProtocol) -> Bool {
        withBytes(and: suffix) { text, suffix in
            text.count >= suffix.count && isSame(UnsafeBufferPointer(rebasing: text.suffix(suffix.count)), suffix, suffix.count)
        }
    }
}

/// Returns whether the first bytes of two texts are the same.
@usableFromInline
func isSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>, _ count: Int) -> Bool {
    guard count > 0, let left = left.baseAddress, let right = right.baseAddress else { return count == 0 }
    return memcmp(left, right, count) == 0
}

extension String? {
    /// Returns whether two texts have the same bytes, or both are missing.
    @inlinable
    package static func == (left: String?, right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left.equals(right)
        case (nil, nil): true
        default: false
        }
    }

    /// Returns whether two texts have different bytes, or only one is missing.
    @inlinable
    package static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension Substring? {
    /// Returns whether two texts have the same bytes, or both are missing.
    @inlinable
    package static func == (left: Substring?, right: Substring?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left.hasBytes(of: right)
        case (nil, nil): true
        default: false
        }
    }

    /// Returns whether two texts have different bytes, or only one is missing.
    @inlinable
    package static func != (left: Substring?, right: Substring?) -> Bool { !(left == right) }
}

/// Returns whether a text has the bytes of a case of a `switch`.
@inlinable
package func ~= (pattern: String, text: String) -> Bool { text.equals(pattern) }

/// Returns whether a text has the bytes of a case of a `switch`.
@inlinable
package func ~= (pattern: String, text: String?) -> Bool { text == pattern }

/// Returns whether a text has the bytes of a case of a `switch`.
@inlinable
package func ~= (pattern: Substring, text: Substring) -> Bool { text.hasBytes(of: pattern) }

// MARK: Letter case

extension StringProtocol {
    /// The text with uppercase ASCII letters converted to lowercase, for names in which no other letters are equivalent. Unicode's mapping
    /// also converts the Kelvin sign to `k`.
    @inlinable package var lowercasedASCII: String {
        guard utf8.contains(where: { 0x41...0x5A ~= $0 }) else { return String(self) }
        return String(decoding: utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
