import HTTPTypes
import RequestSigning
import Testing
import WireFormats

/// The bodies of "Signature Calculations for the Authorization Header: Transferring Payload in Multiple Chunks" and of the
/// chapter on trailing headers in the S3 API Reference: 66,560 times the letter a in chunks of 64 KiB and 1 KiB.
@Suite("Chunked payloads")
struct ChunkedPayloadTests {
    private static let length = 66_560
    private static let trailer = "x-amz-checksum-crc32c"

    private struct Decoded: Equatable {
        var payload: [UInt8] = []
        var trailers: [ChunkedPayloadDecoder.Trailer] = []
    }

    private func example(
        _ payload: PayloadHash, seed: String, signedHeaders: String, fields: [(String, String)]
    ) throws -> (SignableRequest, SignatureV4.Presented) {
        var request = try PublishedExample.request(
            "PUT", "/examplebucket/chunkObject.txt", authority: "s3.amazonaws.com", payload: payload.text,
            signedHeaders: signedHeaders, signature: seed)
        for (name, value) in fields { request.fields[try #require(HTTPField.Name(name))] = value }
        return (request, try #require(try SignatureV4.Presented(request)))
    }

    private func signedExample() throws -> (SignableRequest, SignatureV4.Presented) {
        try example(
            .signedChunks, seed: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
            signedHeaders:
                "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class",
            fields: [
                ("content-encoding", "aws-chunked"), ("content-length", "66824"), ("x-amz-decoded-content-length", "66560"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ])
    }

    private func trailerExample() throws -> (SignableRequest, SignatureV4.Presented) {
        try example(
            .signedChunksWithTrailer, seed: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
            signedHeaders:
                "content-encoding;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class;x-amz-trailer",
            fields: [
                ("content-encoding", "aws-chunked"), ("x-amz-decoded-content-length", "66560"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"), ("x-amz-trailer", Self.trailer),
            ])
    }

    private func body(
        _ chunks: [(Int, String)], before: String = ";chunk-signature=", after: String = "", end: String = "\r\n"
    ) -> [UInt8] {
        var body: [UInt8] = []
        for (size, signature) in chunks {
            body += Array("\(String(size, radix: 16))\(before)\(signature)\(after)\r\n".utf8)
            if size > 0 { body += [UInt8](repeating: 0x61, count: size) + [0x0D, 0x0A] }
        }
        return body + Array(end.utf8)
    }

    private static let signedChunks = [
        (65_536, "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648"),
        (1_024, "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497"),
        (0, "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9"),
    ]

    private var signedBody: [UInt8] { body(Self.signedChunks) }

    private func trailerBody(lineEnd: String = "\r\n") -> [UInt8] {
        let signature = "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435"
        return body(
            [
                (65_536, "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2"),
                (1_024, "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7"),
                (0, "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992"),
            ], end: "\(Self.trailer):sOO8/Q==\(lineEnd)x-amz-trailer-signature:\(signature)\r\n\r\n")
    }

    private func decoder(
        _ payload: PayloadHash, _ presented: SignatureV4.Presented, length: Int = Self.length, trailers: Set<String> = []
    ) throws -> ChunkedPayloadDecoder {
        try #require(
            ChunkedPayloadDecoder(
                payload, presented: presented, key: PublishedExample.key, decodedLength: length, trailers: trailers))
    }

    private func decode(
        _ body: [UInt8], with start: ChunkedPayloadDecoder, pieces: Int = .max
    ) throws(ChunkError) -> Decoded {
        var decoder = start
        var decoded = Decoded()
        var rest = body[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            rest = rest.dropFirst(piece.count)
            let result = piece.withUnsafeBytes { bytes in
                Result { () throws(ChunkError) in
                    try decoder.decode(bytes) { decoded.payload += bytes[$0] }
                }
            }
            try result.get()
        }
        decoded.trailers = try decoder.finish()
        return decoded
    }

    @Test("the published signed body is verified, in buffers of any size", arguments: [1, 2, 7, 1_000, 65_623, .max])
    func signed(pieces: Int) throws {
        let (request, presented) = try signedExample()
        try PublishedExample.verify(request)
        let decoded = try decode(signedBody, with: decoder(.signedChunks, presented), pieces: pieces)
        #expect(decoded.payload == [UInt8](repeating: 0x61, count: Self.length))
        #expect(decoded.trailers.isEmpty)
        #expect(signedBody.count == 66_824)
    }

    @Test("the published body with a signed trailer is verified", arguments: ["\r\n", "\n\r\n"], [1, 3, .max])
    func signedTrailer(lineEnd: String, pieces: Int) throws {
        let (request, presented) = try trailerExample()
        try PublishedExample.verify(request)
        let start = try decoder(.signedChunksWithTrailer, presented, trailers: [Self.trailer])
        let decoded = try decode(trailerBody(lineEnd: lineEnd), with: start, pieces: pieces)
        #expect(decoded.payload.count == Self.length)
        #expect(decoded.trailers.map(\.name) == [Self.trailer])
        #expect(decoded.trailers.map(\.value) == ["sOO8/Q=="])
        var check = CRC32C()
        decoded.payload.withUnsafeBytes { check.update($0) }
        #expect([UInt8](base64: "sOO8/Q==") == withUnsafeBytes(of: check.value.bigEndian) { Array($0) })
    }

    @Test("any change to a signed body is refused")
    func tampering() throws {
        let (_, presented) = try trailerExample()
        let start = try decoder(.signedChunksWithTrailer, presented, trailers: [Self.trailer])
        let body = trailerBody()
        var places = [0, 5, 30, 84, 5_000, 65_650, 66_000, body.count - 110, body.count - 80, body.count - 30]
        places += [body.count - 1, body.count - 2, body.count - 3]
        for place in places {
            var changed = body
            changed[place] ^= 1
            #expect(throws: ChunkError.self, "byte \(place)") { try decode(changed, with: start) }
        }
    }

    @Test("a wrong chunk signature has an error with the chunk and the string to sign")
    func mismatch() throws {
        let (_, presented) = try signedExample()
        var changed = signedBody
        changed[100] = 0x62
        let error = #expect(throws: ChunkError.self) { try decode(changed, with: decoder(.signedChunks, presented)) }
        guard case .signatureMismatch(1, let mismatch)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let stringToSign = String(decoding: mismatch.stringToSign, as: UTF8.self)
        #expect(stringToSign.hasPrefix("AWS4-HMAC-SHA256-PAYLOAD\n20130524T000000Z\n20130524/us-east-1/s3/aws4_request\n"))
        #expect(mismatch.signatureProvided.hasPrefix("ad80c7"))
        #expect(mismatch.canonicalRequest == nil)
    }

    private func decodeUnsigned(
        _ body: String, length: Int, trailers: Set<String> = [Self.trailer], pieces: Int = .max
    ) throws -> Decoded {
        let (_, presented) = try trailerExample()
        let start = try decoder(.unsignedChunksWithTrailer, presented, length: length, trailers: trailers)
        return try decode(Array(body.utf8), with: start, pieces: pieces)
    }

    @Test("unsigned chunks with a trailer are decoded", arguments: [1, 4, .max])
    func unsigned(pieces: Int) throws {
        let decoded = try decodeUnsigned(
            "5\r\nhello\r\n0\r\nX-Amz-Checksum-Crc32c: abc= \r\n\r\n", length: 5, pieces: pieces)
        #expect(decoded.payload == Array("hello".utf8))
        #expect(decoded.trailers.map(\.name) == [Self.trailer])
        #expect(decoded.trailers.map(\.value) == ["abc="])
        #expect(try decodeUnsigned("0\r\n\r\n", length: 0, trailers: []) == Decoded())
    }

    static let damaged: [(String, ChunkError)] = [
        ("", .incomplete), ("5\r\nhel", .incomplete), ("5\r\nhello\r\n", .incomplete), ("5\r\nhello\r\n0\r\n", .incomplete),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:a\r\n", .incomplete), ("5\nhello\r\n", .malformed), ("\r\n", .malformed),
        ("-5\r\nhello", .malformed), (" 5\r\nhello", .malformed), ("0x5\r\nhello", .malformed), ("5;chunk-signature=a\r\n", .malformed),
        ("fffffffffffffffff\r\n", .malformed), ("7ffffffffffffff\r\n", .decodedLength(declared: 5, provided: 0x7ff_ffff_ffff_ffff)),
        ("5\r\nhello0\r\n", .malformed),
        ("5\r\nhello!\r\n", .malformed), (String(repeating: "0", count: 300), .malformed),
        ("6\r\nhello!\r\n", .decodedLength(declared: 5, provided: 6)),
        ("4\r\nhell\r\n0\r\nx-amz-checksum-crc32c:a\r\n\r\n", .decodedLength(declared: 5, provided: 4)),
        ("4\r\nhell\r\n0\r\n\r\n", .missingTrailer("x-amz-checksum-crc32c")),
        ("5\r\nhello\r\n0\r\n\r\n", .missingTrailer("x-amz-checksum-crc32c")), ("5\r\nhello\r\n0\r\nother:a\r\n", .malformedTrailer),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32c\r\n", .malformedTrailer), ("5\r\nhello\r\n0\r\n:a\r\n", .malformedTrailer),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:a\n\r\n", .malformed),
        ("5\r\nhello\r\n0\r\n\r\nx-amz-checksum-crc32c:a\r\n\r\n", .missingTrailer("x-amz-checksum-crc32c")),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:\(String(repeating: "a", count: 17_000))", .malformedTrailer),
        ("2\r\nhe\r\n3\r\nllo\r\n", .chunkTooSmall(chunk: 2, size: 2)),
    ]

    @Test("damaged bodies are refused with their fault, in buffers of any size", arguments: damaged, [1, .max])
    func damage(example: (body: String, error: ChunkError), pieces: Int) {
        #expect(throws: example.error) { try decodeUnsigned(example.body, length: 5, pieces: pieces) }
    }

    @Test("a signed trailer without its signature is refused")
    func unsignedTrailer() throws {
        let (_, presented) = try trailerExample()
        let start = try decoder(.signedChunksWithTrailer, presented, trailers: [Self.trailer])
        let signatureLine = "x-amz-trailer-signature:".utf8.count + 64 + 4
        #expect(throws: ChunkError.incomplete) {
            try decode(trailerBody().dropLast(signatureLine) + [0x0D, 0x0A], with: start)
        }
    }

    // The rules of the next four tests are those of OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS.

    @Test(
        "the header of a signed chunk has its signature only, with spaces around each part",
        arguments: [
            (";chunk-signature=", "", nil), (" ; chunk-signature=", "", nil), (";chunk-signature = ", " ", nil),
            (";chunk-signature=", ";extra=param", ChunkError.malformed), (";chunk-signature= ;", "", .malformed),
        ] as [(String, String, ChunkError?)])
    func header(before: String, after: String, error: ChunkError?) throws {
        let (_, presented) = try signedExample()
        let body = body(Self.signedChunks, before: before, after: after)
        if let error {
            #expect(throws: error) { try decode(body, with: decoder(.signedChunks, presented)) }
        } else {
            #expect(try decode(body, with: decoder(.signedChunks, presented)).payload.count == Self.length)
        }
    }

    @Test(
        "a chunk without its signature is malformed, and another parameter is not its signature",
        arguments: [
            ("", false), (";", false), (" ; ", false), (";chunk-signature", false), (";chunk-signature=", false),
            (";chunk-signature=  ", false), (";extra=param;chunk-signature=SIG", true), (";SIG", true), (";signature=SIG", true),
            (";CHUNK-SIGNATURE=SIG", true),
        ])
    func otherParameters(parameter: String, isMismatch: Bool) throws {
        let (_, presented) = try signedExample()
        let written = parameter.replacing("SIG", with: Self.signedChunks[0].1)
        let body = Array("10000\(written)\r\n".utf8) + [UInt8](repeating: 0x61, count: 65_536)
        let error = #expect(throws: ChunkError.self) { try decode(body, with: decoder(.signedChunks, presented)) }
        guard case .signatureMismatch(1, let mismatch)? = error else {
            #expect(error == .malformed)
            #expect(!isMismatch)
            return
        }
        #expect(isMismatch)
        #expect(mismatch.signatureProvided == written)
    }

    @Test("the last of several trailers with one name counts")
    func repeatedTrailer() throws {
        let decoded = try decodeUnsigned(
            "5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:a\r\nX-Amz-Checksum-Crc32c: b\r\n\r\n", length: 5)
        #expect(decoded.trailers.map(\.value) == ["b"])
    }

    @Test(
        "what follows the trailers is ignored, but nothing may follow a body without them",
        arguments: ["!", "\r\n", "\r\n\r\n", "bonus: trailer\r\n", "5\r\nhello\r\n"], [1, .max])
    func remainder(text: String, pieces: Int) throws {
        let decoded = try decodeUnsigned(
            "5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:a\r\n\r\n" + text, length: 5, pieces: pieces)
        #expect(decoded.payload == Array("hello".utf8))
        #expect(decoded.trailers.map(\.value) == ["a"])
        #expect(throws: ChunkError.malformed) {
            try decodeUnsigned("5\r\nhello\r\n0\r\n\r\n" + text, length: 5, trailers: [], pieces: pieces)
        }
    }

    @Test("an empty chunk ends the body")
    func emptyChunk() {
        #expect(throws: ChunkError.decodedLength(declared: 5, provided: 4)) {
            try decodeUnsigned("4\r\nhell\r\n0\r\n\r\n1\r\no\r\n0\r\n\r\n", length: 5, trailers: [])
        }
    }

    @Test("a payload without chunks has no decoder")
    func others() throws {
        let (_, presented) = try signedExample()
        for payload in [PayloadHash.unsigned, .sha256(PublishedExample.emptyHash), .other("invalid")] {
            #expect(
                ChunkedPayloadDecoder(payload, presented: presented, key: PublishedExample.key, decodedLength: 0, trailers: [])
                    == nil)
        }
    }
}
