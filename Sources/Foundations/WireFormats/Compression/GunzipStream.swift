import CDeflate

/// Decompresses one member of gzip (RFC 1952) that arrives in pieces. Only one task may use it at a time.
package final class GunzipStream {
    /// `nil` if memory ran out.
    private let state = cdeflate_gunzip_begin()
    private var input: [UInt8] = []
    private var start = 0
    /// Whether the member is complete and its checksum is correct.
    package private(set) var isAtEnd = false

    package init() {}

    deinit { cdeflate_gunzip_end(state) }

    /// Whether all appended bytes are decompressed.
    package var isEmpty: Bool { start == input.count }

    /// Adds compressed bytes.
    package func append(_ bytes: [UInt8]) {
        input.removeFirst(start)
        start = 0
        input += bytes
    }

    /// Decompresses appended bytes and adds them to `output`. Returns when it has `limit` bytes or the appended bytes are used up.
    /// - Returns: `false` for invalid data, also for data after the member.
    package func decompress(into output: inout [UInt8], upTo limit: Int) -> Bool {
        guard let state else { return false }
        var isFull = true
        // Without a rest of the input, zlib may still have output that did not fit.
        while output.count < limit, !isAtEnd, isFull || !isEmpty {
            let step = min(64 << 10, limit - output.count)
            var (used, hasEnded, written) = (0, Int32(0), 0)
            let rest = input[start...]
            let part = [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
                written = rest.withUnsafeBufferPointer { bytes in
                    cdeflate_gunzip_take(state, bytes.baseAddress, bytes.count, buffer.baseAddress, step, &used, &hasEnded)
                }
                count = max(0, written)
            }
            guard written >= 0 else { return false }
            output += part
            start += used
            isAtEnd = hasEnded != 0
            isFull = written == step
            if written == 0, used == 0 { break }
        }
        return !isAtEnd || isEmpty
    }
}
