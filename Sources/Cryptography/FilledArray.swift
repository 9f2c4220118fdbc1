/// A new array of exactly `count` bytes; the closure must write all of them.
func bytes(_ count: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    bytes(upTo: count) { buffer in
        write(buffer)
        return count
    }
}

/// A new array of at most `capacity` bytes; the closure answers how many it wrote, the first ones.
func bytes(upTo capacity: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        guard let base = buffer.baseAddress else { return }
        initialized = write(base)
    }
}
