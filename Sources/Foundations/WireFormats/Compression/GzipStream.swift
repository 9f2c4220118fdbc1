import CDeflate

/// Compresses a stream of bytes into one member of gzip (RFC 1952). Only one task may use it at a time.
package final class GzipStream {
    /// `nil` if memory ran out. The output is then empty, which is not valid gzip, so readers fail.
    private let state = cdeflate_gzip_begin()

    package init() {}

    deinit { cdeflate_gzip_end(state) }

    /// Adds bytes and returns the compressed bytes that are ready.
    package func compress(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { run(bytes, finishing: false) }

    /// Ends the stream and returns the rest of the compressed bytes.
    package func finish() -> [UInt8] { run(UnsafeRawBufferPointer(start: nil, count: 0), finishing: true) }

    private func run(_ bytes: UnsafeRawBufferPointer, finishing: Bool) -> [UInt8] {
        guard let state else { return [] }
        cdeflate_gzip_add(state, bytes.baseAddress, bytes.count)
        var output: [UInt8] = []
        let step = 64 << 10
        while true {
            let part = [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
                count = cdeflate_gzip_take(state, finishing ? 1 : 0, buffer.baseAddress, step)
            }
            output += part
            if part.count < step { return output }
        }
    }
}
