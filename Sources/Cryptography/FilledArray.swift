/// Returns a new array of exactly `count` bytes; the closure must write all of them.
func bytes(_ count: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    bytes(upTo: count) { buffer in
        write(buffer)
        return count
    }
}

/// Returns a new array of at most `capacity` bytes; the closure returns how many it wrote from the start of the buffer.
func bytes(upTo capacity: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        guard let base = buffer.baseAddress else { return }
        initialized = write(base)
    }
}
