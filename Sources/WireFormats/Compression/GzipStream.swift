import CDeflate

/// Compresses a stream of bytes into one member of gzip (RFC 1952). To be used by one task at a time.
package final class GzipStream {
    /// `nil` if there was no memory; what comes out is then no gzip, and ends whoever reads it.
    private let state = cdeflate_gzip_begin()

    package init() {}

    deinit { cdeflate_gzip_end(state) }

    /// What is ready of the compressed bytes, once these have been added.
    package func compress(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { run(bytes, finishing: false) }

    /// The rest of the compressed bytes.
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
