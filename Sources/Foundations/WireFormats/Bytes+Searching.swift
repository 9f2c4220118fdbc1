#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the next `byte`, or the end. It uses the C library's `memchr`, which checks many bytes at a time.
    package func place(of byte: UInt8, from start: Int) -> Int {
        guard start < count, let base = UnsafeRawPointer(baseAddress), let found = memchr(base + start, Int32(byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - base
    }
}

extension [UInt8] {
    /// Returns whether the bytes contain those of a text.
    package func contains(bytesOf text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        return withUnsafeBufferPointer { bytes in
            wanted.withUnsafeBufferPointer { wanted in
                var start = bytes.place(of: first, from: 0)
                while start + wanted.count <= bytes.count {
                    if isSame(UnsafeBufferPointer(rebasing: bytes[start...]), wanted, wanted.count) { return true }
                    start = bytes.place(of: first, from: start + 1)
                }
                return false
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Advances in steps of eight bytes until `finds` matches one of them or fewer than eight are left. Returns the position.
    @inline(__always)
    func step(from start: Int, _ finds: (EightBytes) -> UInt64) -> Int {
        var position = start
        while position + 8 <= count {
            let word = EightBytes(word: loadUnaligned(fromByteOffset: position, as: UInt64.self))
            if finds(word) & EightBytes.each(0x80) != 0 { break }
            position += 8
        }
        return position
    }
}

/// Eight bytes that are tested together. A test sets the highest bit of each byte that matches. Only the bits up to the first match
/// are reliable. (Warren, Hacker's Delight, section 6-1.)
struct EightBytes {
    let word: UInt64

    @inline(__always)
    static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Matches bytes less than `bound`.
    /// - Parameter bound: at most 0x80.
    @inline(__always)
    func below(_ bound: UInt8) -> UInt64 { (word &- Self.each(bound)) & ~word }

    @inline(__always)
    func equal(_ byte: UInt8) -> UInt64 {
        let difference = word ^ Self.each(byte)
        return (difference &- Self.each(1)) & ~difference
    }

    /// Matches bytes from 0x7F on.
    @inline(__always)
    var beyondPrintable: UInt64 { word | (word &+ Self.each(1)) }
}

extension String {
    /// Whether every character is printable ASCII.
    package var isPrintableASCII: Bool {
        var text = self
        return text.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            return bytes[bytes.step(from: 0) { $0.below(0x20) | $0.beyondPrintable }...].allSatisfy { (0x20...0x7E).contains($0) }
        }
    }
}
