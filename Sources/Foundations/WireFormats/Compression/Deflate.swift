import CDeflate

// Raw DEFLATE (RFC 1951), without the header and checksum of zlib or gzip; also decompression of gzip.

extension [UInt8] {
    /// The bytes compressed as a gzip file without a name and time (RFC 1952).
    package var gzipped: [UInt8] {
        var checksum = CRC32()
        withUnsafeBytes { checksum.update($0) }
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        file += deflated
        for word in [checksum.value, UInt32(truncatingIfNeeded: count)] {
            for shift in [0, 8, 16, 24] { file.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
        }
        return file
    }

    /// The bytes, compressed.
    package var deflated: [UInt8] {
        let capacity = cdeflate_bound(count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            initialized = Swift.max(0, cdeflate_compress(self, count, buffer.baseAddress, capacity))
        }
    }

    /// Decompresses the bytes. Returns `nil` unless they are exactly one complete compressed stream.
    /// - Parameter limit: the maximum size of the result in bytes, because a few bytes can decompress to very many. If it is exceeded, the
    ///   result is `nil`.
    package func inflated(upTo limit: Int) -> [UInt8]? { expanded(upTo: limit, by: cdeflate_expand) }

    /// Decompresses one member of gzip (RFC 1952), whose checksum must be correct; otherwise as ``inflated(upTo:)``.
    package func gunzipped(upTo limit: Int) -> [UInt8]? { expanded(upTo: limit, by: cdeflate_gunzip) }

    private func expanded(
        upTo limit: Int, by expand: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int
    ) -> [UInt8]? {
        var isWhole = false
        // One byte more than needed, because an empty buffer has no address.
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, initialized in
            let written = expand(self, count, buffer.baseAddress, limit)
            isWhole = written >= 0
            initialized = Swift.max(0, written)
        }
        return isWhole ? bytes : nil
    }
}
