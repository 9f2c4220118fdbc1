/// Returns a new array of exactly `count` bytes; the closure must write all of them.
func bytes(_ count: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    bytes(upTo: count) { buffer in
        write(buffer)
        return count
    }
}

/// Returns a new array of at most `capacity` bytes; the closure returns how many it wrote from the start of the buffer.
///
/// The bytes are written on the stack and copied. An array of uninitialized bytes would look up the type of its storage, which takes longer.
func bytes(upTo capacity: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
        guard let base = buffer.baseAddress else { return [] }
        return Array(UnsafeBufferPointer(start: base, count: write(base)))
    }
}
