import WireFormats

/// Decompresses an object that arrives in pieces.
struct SelectDecoder {
    /// The size of a decompressed chunk in bytes.
    private static let chunk = 1 << 20

    private enum Format {
        case none([UInt8])
        case gzip(GunzipStream)
        case bzip2(BunzipStream)
    }

    private var format: Format
    /// The first bytes, until they show whether the object is compressed.
    private var beginning: [UInt8]? = []
    private var ready: [UInt8] = []
    private var isLast = false
    /// Whether the object is complete and all its bytes were returned.
    private(set) var isAtEnd = false

    /// Whether ``next()`` certainly requires more bytes of the object.
    var needsBytes: Bool { if case .none(let bytes) = format { bytes.isEmpty && !isLast } else { false } }

    init(_ compression: SelectRequest.Compression) {
        format =
            switch compression {
            case .none: .none([])
            case .gzip: .gzip(GunzipStream())
            case .bzip2: .bzip2(BunzipStream())
            }
    }

    /// Adds the next bytes of the object.
    /// - Parameter isLast: whether these are the last bytes.
    mutating func append(_ bytes: [UInt8], isLast: Bool) {
        self.isLast = isLast
        if let known = beginning, known.count < 3 { beginning = known + bytes.prefix(3) }
        switch format {
        case .none: format = .none(bytes)
        case .gzip(let stream): stream.append(bytes)
        case .bzip2(var stream):
            format = .none([])
            stream.append(bytes, isLast: isLast)
            format = .bzip2(stream)
        }
    }

    /// Returns the next chunk; `nil` if that requires more bytes of the object.
    /// - Throws: ``SelectRefusal`` if the object is not compressed in the specified format.
    mutating func next() throws(SelectRefusal) -> [UInt8]? {
        let isValid: Bool
        switch format {
        case .none(let bytes):
            format = .none([])
            isAtEnd = isLast
            return bytes.isEmpty && !isLast ? nil : bytes
        case .gzip(let stream):
            isValid = stream.decompress(into: &ready, upTo: Self.chunk)
            isAtEnd = stream.isAtEnd && isLast
        case .bzip2(var stream):
            format = .none([])
            isValid = stream.decompress(into: &ready, upTo: Self.chunk)
            isAtEnd = stream.isAtEnd
            format = .bzip2(stream)
        }
        if !isValid || isLast && !isAtEnd && ready.count < Self.chunk { throw refusal }
        guard isAtEnd || ready.count >= Self.chunk else { return nil }
        defer { ready = [] }
        return ready
    }

    private var refusal: SelectRefusal {
        let (name, mark): (String, [UInt8]) = if case .gzip = format { ("GZIP", [0x1F, 0x8B]) } else { ("BZIP2", Array("BZh".utf8)) }
        let isMarked = beginning?.starts(with: mark) ?? true
        return SelectRefusal(.decompressFailure, "The object is not compressed by \(name).", isMarked ? nil : .notCompressed)
    }
}
