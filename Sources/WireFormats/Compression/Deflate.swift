import CDeflate

// Raw DEFLATE (RFC 1951), without the header and checksum of zlib or gzip; and gzip for reading.

extension [UInt8] {
    /// The bytes compressed.
    package var deflated: [UInt8] {
        let capacity = cdeflate_bound(count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            initialized = Swift.max(0, cdeflate_compress(self, count, buffer.baseAddress, capacity))
        }
    }

    /// The bytes that were compressed; `nil` for what is not one whole compressed text.
    /// - Parameter limit: how many bytes may come out of it, since few bytes can stand for very many; `nil` as well for more.
    package func inflated(upTo limit: Int) -> [UInt8]? { expanded(upTo: limit, by: cdeflate_expand) }

    /// The same of one member of gzip (RFC 1952), whose checksum must be right.
    package func gunzipped(upTo limit: Int) -> [UInt8]? { expanded(upTo: limit, by: cdeflate_gunzip) }

    private func expanded(
        upTo limit: Int, by expand: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int
    ) -> [UInt8]? {
        var isWhole = false
        // One byte more than needed, because an empty buffer has no place.
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, initialized in
            let written = expand(self, count, buffer.baseAddress, limit)
            isWhole = written >= 0
            initialized = Swift.max(0, written)
        }
        return isWhole ? bytes : nil
    }
}
