import HTTPTypes
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The canonical form of a request. Signature Version 4 covers its SHA-256.
struct CanonicalRequest {
    /// The six parts, separated by line feeds.
    private(set) var bytes: [UInt8] = []

    /// Writes method, path, query without its signature, signed headers and their names, and the payload hash.
    init(_ request: SignableRequest, signedHeaders: [String], payload: PayloadHash, path: SignatureV4.PathRule) {
        bytes.reserveCapacity(1024)
        bytes.append(text: request.method)
        bytes.append(0x0A)
        append(path: request.path, path)
        bytes.append(0x0A)
        append(query: request.query)
        bytes.append(0x0A)
        append(signedHeaders, of: request)
        bytes.append(0x0A)
        for (index, name) in signedHeaders.enumerated() {
            if index > 0 { bytes.append(0x3B) }
            bytes.append(text: name)
        }
        bytes.append(0x0A)
        bytes.append(text: payload.text)
    }

    private mutating func append(path: String, _ rule: SignatureV4.PathRule) {
        switch rule {
        case .asReceived:
            if path.isEmpty { bytes.append(0x2F) }
            if !bytes.append(normalisingPath: path) { bytes.append(text: path) }
        case .normalised:
            var segments: [Substring.UTF8View] = []
            var isDirectory = true
            for segment in path[...].utf8.split(separator: 0x2F, omittingEmptySubsequences: false) {
                isDirectory = true
                if segment.elementsEqual("..".utf8) {
                    _ = segments.popLast()
                } else if !segment.isEmpty, !segment.elementsEqual(".".utf8) {
                    segments.append(segment)
                    isDirectory = false
                }
            }
            for segment in segments {
                bytes.append(0x2F)
                var segment = Substring(segment)
                segment.withUTF8 { bytes.append(percentEncoding: $0) }
            }
            if isDirectory { bytes.append(0x2F) }
        }
    }

    /// Appends the parameters sorted by encoded name, then by encoded value, without the signature.
    private mutating func append(query: RawQuery) {
        guard !query.items.isEmpty else { return }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(512)
        func normalised(_ part: Substring) -> Range<Int> {
            let start = encoded.count
            if !encoded.append(normalisingQuery: part) { encoded.append(contentsOf: part.utf8) }
            return start..<encoded.count
        }
        var parameters: [(name: Range<Int>, value: Range<Int>)] = []
        parameters.reserveCapacity(query.items.count)
        for item in query.items where item.name != "X-Amz-Signature" {
            parameters.append((normalised(item.name), normalised(item.value ?? "")))
        }
        parameters.sort { left, right in
            let (leftName, rightName) = (encoded[left.name], encoded[right.name])
            return leftName == rightName
                ? encoded[left.value].lexicographicallyPrecedes(encoded[right.value])
                : leftName.lexicographicallyPrecedes(rightName)
        }
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { bytes.append(0x26) }
            bytes.append(contentsOf: encoded[parameter.name])
            bytes.append(0x3D)
            bytes.append(contentsOf: encoded[parameter.value])
        }
    }

    /// Appends the signed headers. The value of a name that occurs again is empty, because repetitions of a long value would make a short
    /// request very long.
    private mutating func append(_ signedHeaders: [String], of request: SignableRequest) {
        // A scan finds a repetition fastest among the usual few names.
        var seen: Set<String> = []
        for (index, name) in signedHeaders.enumerated() {
            let isRepeated = index < 24 ? signedHeaders[..<index].contains(name) : seen.contains(name)
            if signedHeaders.count > 24 { seen.insert(name) }
            guard isRepeated else {
                append(header: name, of: request)
                continue
            }
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: [0x3A, 0x0A])
        }
    }

    /// Appends one signed header: the values of all headers of that name, trimmed and joined by commas. An absent header
    /// counts as empty, so that its signature cannot match.
    private mutating func append(header name: String, of request: SignableRequest) {
        bytes.append(text: name)
        bytes.append(0x3A)
        if name == "host" {
            bytes.append(text: request.authority)
        } else {
            var isFirst = true
            for index in request.fields.indices where request.fields[index].name.canonicalName.isSame(as: name) {
                if !isFirst { bytes.append(0x2C) }
                isFirst = false
                request.fields[index].withUnsafeBytesOfValue { append(trimming: $0) }
            }
        }
        bytes.append(0x0A)
    }

    /// Appends a value without the white space around it and with single spaces inside.
    private mutating func append(trimming value: UnsafeBufferPointer<UInt8>) {
        // A fast path: a session token is one word of a thousand bytes.
        guard value.contains(byte: 0x20) || value.contains(byte: 0x09) else { return bytes.append(contentsOf: value) }
        let start = bytes.count
        var position = 0
        while position < value.count {
            guard !isSpace(value[position]) else {
                position += 1
                continue
            }
            let word = position
            while position < value.count, !isSpace(value[position]) { position += 1 }
            if bytes.count > start { bytes.append(0x20) }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: value[word..<position]))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func contains(byte: UInt8) -> Bool {
        guard let baseAddress else { return false }
        return memchr(baseAddress, Int32(byte), count) != nil
    }
}

@inline(__always)
private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
