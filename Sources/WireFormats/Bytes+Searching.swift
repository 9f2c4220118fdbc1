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
        guard start < count, let base = UnsafeRawPointer(baseAddress), let found = memchr(base + start, Int32(byte), count - start) else { return count }
        return UnsafeRawPointer(found) - base
    }
}
