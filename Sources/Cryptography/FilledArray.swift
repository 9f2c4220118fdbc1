/// Returns a new array of exactly `count` bytes; the closure must write all of them.
func bytes(_ count: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    bytes(upTo: count) { buffer in
        write(buffer)
        return count
    }
}

/// Returns a new array of at most `capacity` bytes; the closure returns how many it wrote from the start of the buffer.
func bytes(upTo capacity: Int, writtenBy write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8] {
    // Clearing the few bytes is faster than `unsafeUninitializedCapacity`, which looks up the type of the array's storage.
    var bytes = [UInt8](repeating: 0, count: capacity)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map(write) ?? 0 }
    if count < capacity { bytes.removeLast(capacity - count) }
    return bytes
}
