#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UnsafeBufferPointer<UInt8> {
    /// Where `byte` stands next, or the end: many at a time, as the C library looks for it.
    package func place(of byte: UInt8, from start: Int) -> Int {
        guard start < count, let base = UnsafeRawPointer(baseAddress), let found = memchr(base + start, Int32(byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - base
    }
}

extension UnsafeRawBufferPointer {
    /// The first place from `start` on, in steps of eight bytes, where `finds` finds one among eight or fewer are left.
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

/// Eight bytes that are looked at together. A test answers with the highest bit of each byte that it finds; of those after the first that
/// it finds it may be wrong. (Warren, Hacker's Delight, section 6-1.)
struct EightBytes {
    let word: UInt64

    @inline(__always)
    static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// - Parameter bound: at most 0x80.
    @inline(__always)
    func below(_ bound: UInt8) -> UInt64 { (word &- Self.each(bound)) & ~word }

    @inline(__always)
    func equal(_ byte: UInt8) -> UInt64 {
        let difference = word ^ Self.each(byte)
        return (difference &- Self.each(1)) & ~difference
    }

    /// Bytes from 0x7F on.
    @inline(__always)
    var beyondPrintable: UInt64 { word | (word &+ Self.each(1)) }
}

extension String {
    /// Whether every character is a printable one of ASCII.
    package var isPrintableASCII: Bool {
        var text = self
        return text.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            return bytes[bytes.step(from: 0) { $0.below(0x20) | $0.beyondPrintable }...].allSatisfy { (0x20...0x7E).contains($0) }
        }
    }
}
