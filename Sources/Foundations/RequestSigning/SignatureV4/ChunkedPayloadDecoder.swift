import Cryptography
import WireFormats

/// Decodes a body in the content coding `aws-chunked` incrementally as it arrives, and verifies it.
///
/// The payload is neither stored nor copied: for each input buffer, the decoder reports the ranges that are payload. A chunk's bytes
/// are reported before its signature is verified, so nothing may become visible before ``finish()`` has returned. After an
/// error the decoder must not be used any more.
package struct ChunkedPayloadDecoder: Sendable {
    /// A field after the last chunk, with its name in lowercase and its value trimmed.
    package struct Trailer: Hashable, Sendable {
        /// The name of the trailing field.
        package var name: String
        /// The value of the trailing field.
        package var value: String
    }

    private enum State {
        case chunkHeader
        case payload(remaining: Int)
        case chunkEnd
        case trailers
        /// After the trailers. S3 ignores what follows them.
        case remainder
        case end
    }

    private var state = State.chunkHeader
    private var line: [UInt8] = []

    private var signature: ChunkSignature?
    private let hasTrailers: Bool
    private var announcedTrailers: Set<String>
    private let declaredLength: Int

    private var decodedLength = 0
    private var chunkNumber = 0
    private var chunkSize = 0
    private var chunkHash = SHA256()
    private var chunkSignatureProvided = ""

    private var trailers: [Trailer] = []
    private var trailerBytes = 0
    private var trailerSignatureProvided: String?
    private var awaitsRestOfLineEnd = false

    /// The minimum size in bytes of every chunk except the last.
    private static let smallestChunk = 8192
    private static let longestChunkHeader = 256
    private static let longestTrailers = 16_384

    /// Creates a decoder for the body of a request whose own signature has been verified; `nil` if the payload is not chunked.
    /// - Parameters:
    ///   - payload: the payload hash of the request.
    ///   - presented: the verified signature, with which the chain of chunk signatures begins.
    ///   - key: the key that verified it.
    ///   - decodedLength: the value of `x-amz-decoded-content-length` in bytes.
    ///   - trailers: the names that `x-amz-trailer` announces, in lowercase. Each is required, and no other is allowed.
    package init?(
        _ payload: PayloadHash, presented: SignatureV4.Presented, key: ScopedSigningKey, decodedLength: Int, trailers: Set<String>
    ) {
        switch payload {
        case .sha256, .unsigned, .other: return nil
        case .unsignedChunksWithTrailer: signature = nil
        case .signedChunks, .signedChunksWithTrailer:
            signature = ChunkSignature(
                key: key, scope: presented.scope, timestamp: presented.timestamp, seed: presented.signature)
        }
        hasTrailers = payload != .signedChunks
        announcedTrailers = trailers
        declaredLength = decodedLength
    }

    /// Creates a decoder for the chunks of an unsigned request.
    /// - Parameters:
    ///   - length: the value of `x-amz-decoded-content-length` in bytes.
    ///   - trailers: the names that `x-amz-trailer` announces, in lowercase. Each is required, and no other is allowed.
    package init(unsignedLength length: Int, trailers: Set<String>) {
        signature = nil
        hasTrailers = true
        announcedTrailers = trailers
        declaredLength = length
    }

    /// Decodes the next buffer of the body.
    /// - Parameter payload: is called with each range of `input` that is payload, in order; never with an empty one.
    package mutating func decode(_ input: UnsafeRawBufferPointer, payload: (Range<Int>) -> Void) throws(ChunkError) {
        var position = 0
        while position < input.count {
            switch state {
            case .chunkHeader:
                guard let header = try takeLine(from: input, &position, limit: Self.longestChunkHeader) else { return }
                try begin(chunk: header)
            case .payload(let remaining):
                let end = position + min(remaining, input.count - position)
                payload(position..<end)
                if signature != nil { chunkHash.update(UnsafeRawBufferPointer(rebasing: input[position..<end])) }
                let rest = remaining - (end - position)
                position = end
                state = .payload(remaining: rest)
                if rest == 0 { try endPayload() }
            case .chunkEnd:
                guard let rest = try takeLine(from: input, &position, limit: 2) else { return }
                guard rest.isEmpty else { throw .malformed }
                if chunkSize == 0 { try end() } else { state = .chunkHeader }
            case .trailers:
                guard let trailer = try takeTrailerLine(from: input, &position) else { return }
                try take(trailer: trailer)
            case .remainder:
                return
            case .end:
                throw .malformed
            }
        }
    }

    /// Ends the body.
    /// - Returns: the trailers in the order of the body, without the signature among them.
    package mutating func finish() throws(ChunkError) -> [Trailer] {
        switch state {
        case .end, .remainder: return trailers
        case .chunkHeader, .payload, .chunkEnd, .trailers: throw .incomplete
        }
    }

    /// Parses a chunk header: the size, and for a signed chunk `;chunk-signature=…`. Spaces are allowed around each part.
    ///
    /// Only that parameter is allowed. What follows it makes the header malformed; another parameter first counts as a signature that does
    /// not match (OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS).
    private mutating func begin(chunk header: [UInt8]) throws(ChunkError) {
        let digits = header.prefix { hexDigit($0) != nil }
        guard 1...15 ~= digits.count else { throw .malformed }
        let size = digits.reduce(0) { $0 << 4 | (hexDigit($1) ?? 0) }
        let parameter = header[digits.endIndex...].trimmingSpace()
        if signature != nil {
            guard parameter.first == UInt8(ascii: ";") else { throw .malformed }
            chunkSignatureProvided = try Self.signature(in: parameter.dropFirst().trimmingSpace())
        } else if !parameter.isEmpty {
            throw .malformed
        }
        if size > 0, chunkNumber > 0, chunkSize < Self.smallestChunk {
            throw .chunkTooSmall(chunk: chunkNumber + 1, size: chunkSize)
        }
        guard size <= declaredLength - decodedLength else {
            throw .decodedLength(declared: declaredLength, provided: decodedLength + size)
        }
        decodedLength += size
        chunkNumber += 1
        chunkSize = size
        chunkHash = SHA256()
        state = .payload(remaining: size)
        if size == 0 { try endPayload() }
    }

    /// Returns the signature of a chunk. Another parameter is returned with its semicolon, so that it cannot be a signature.
    private static func signature(in parameter: ArraySlice<UInt8>) throws(ChunkError) -> String {
        guard !parameter.isEmpty else { throw .malformed }
        let name = parameter.prefix { $0 != UInt8(ascii: "=") }
        guard name.trimmingSpace().elementsEqual("chunk-signature".utf8) else {
            return ";" + String(decoding: parameter, as: UTF8.self)
        }
        let value = parameter[name.endIndex...].dropFirst().trimmingSpace()
        guard !value.isEmpty, !value.contains(UInt8(ascii: ";")) else { throw .malformed }
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func endPayload() throws(ChunkError) {
        if let next = signature?.next(chunkHash: chunkHash.finalize()) {
            try hold(next, against: chunkSignatureProvided)
        }
        state = chunkSize == 0 && hasTrailers ? .trailers : .chunkEnd
    }

    private mutating func take(trailer line: [UInt8]) throws(ChunkError) {
        guard !line.isEmpty else { return try endTrailers() }
        guard trailerSignatureProvided == nil, let colon = line.firstIndex(of: 0x3A), colon > 0 else { throw .malformedTrailer }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = String(decoding: line[colon...].dropFirst().trimmingSpace(), as: UTF8.self)
        if name == "x-amz-trailer-signature", signature != nil {
            trailerSignatureProvided = value
            return
        }
        guard announcedTrailers.contains(name) else { throw .malformedTrailer }
        // The last of several values counts.
        trailers.removeAll { $0.name == name }
        trailers.append(Trailer(name: name, value: value))
    }

    /// Ends the trailers. Without their signature, or with nothing but it, the body is incomplete.
    private mutating func endTrailers() throws(ChunkError) {
        guard signature == nil || trailerSignatureProvided != nil else { throw .incomplete }
        if let missing = announcedTrailers.subtracting(trailers.map(\.name)).min() { throw .missingTrailer(missing) }
        let canonical = canonicalTrailers
        if let next = signature?.next(trailers: canonical) {
            try hold(next, against: trailerSignatureProvided ?? "")
            guard !trailers.isEmpty else { throw .incomplete }
        }
        try end()
    }

    private var canonicalTrailers: [UInt8] {
        var bytes: [UInt8] = []
        for trailer in trailers {
            bytes.append(contentsOf: trailer.name.utf8)
            bytes.append(0x3A)
            bytes.append(line: trailer.value)
        }
        return bytes
    }

    /// Ends the body, whose length is known only now.
    private mutating func end() throws(ChunkError) {
        guard decodedLength == declaredLength else { throw .decodedLength(declared: declaredLength, provided: decodedLength) }
        state = trailers.isEmpty ? .end : .remainder
    }

    private func hold(
        _ computed: (signature: String, stringToSign: [UInt8]), against provided: String
    ) throws(ChunkError) {
        guard constantTimeEquals(computed.signature, provided) else {
            throw .signatureMismatch(
                chunk: chunkNumber, SignatureMismatch(stringToSign: computed.stringToSign, signatureProvided: provided))
        }
    }

    /// Reads a line that ends with CRLF; `nil` until it is complete.
    /// - Parameter limit: the maximum length of the line in bytes, including its end.
    private mutating func takeLine(
        from input: UnsafeRawBufferPointer, _ position: inout Int, limit: Int
    ) throws(ChunkError) -> [UInt8]? {
        guard let taken = takeThroughLineFeed(input, &position, limit: limit) else { throw .malformed }
        guard taken else { return nil }
        defer { line.removeAll(keepingCapacity: true) }
        guard line.dropLast().last == 0x0D else { throw .malformed }
        return line.dropLast(2)
    }

    /// Reads a line of the trailers. Signed trailers may end with a line feed before the CRLF, as widespread clients
    /// send them. That line feed belongs to the canonical form.
    private mutating func takeTrailerLine(
        from input: UnsafeRawBufferPointer, _ position: inout Int
    ) throws(ChunkError) -> [UInt8]? {
        while true {
            guard let taken = takeThroughLineFeed(input, &position, limit: Self.longestTrailers - trailerBytes) else {
                throw .malformedTrailer
            }
            guard taken else { return nil }
            let complete = line
            line.removeAll(keepingCapacity: true)
            trailerBytes += complete.count
            guard complete.dropLast().last == 0x0D else {
                guard signature != nil, complete.count > 1 else { throw .malformed }
                awaitsRestOfLineEnd = true
                return complete.dropLast()
            }
            let isRestOfLineEnd = awaitsRestOfLineEnd && complete.count == 2
            awaitsRestOfLineEnd = false
            if !isRestOfLineEnd { return complete.dropLast(2) }
        }
    }

    /// Moves bytes up to and including the next line feed into `line`. Returns `false` if there is none yet, and `nil` beyond the limit.
    private mutating func takeThroughLineFeed(
        _ input: UnsafeRawBufferPointer, _ position: inout Int, limit: Int
    ) -> Bool? {
        let found = input[position...].prefix(limit - line.count + 1).firstIndex(of: 0x0A)
        let end = found.map { $0 + 1 } ?? min(input.count, position + limit - line.count + 1)
        line.append(contentsOf: input[position..<end])
        position = end
        return line.count > limit ? nil : found != nil
    }
}

private func hexDigit(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x61...0x66: Int(byte) - 0x57
    case 0x41...0x46: Int(byte) - 0x37
    default: nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimmingSpace() -> ArraySlice<UInt8> {
        var trimmed = self
        while let first = trimmed.first, first == 0x20 || first == 0x09 { trimmed.removeFirst() }
        while let last = trimmed.last, last == 0x20 || last == 0x09 { trimmed.removeLast() }
        return trimmed
    }
}
