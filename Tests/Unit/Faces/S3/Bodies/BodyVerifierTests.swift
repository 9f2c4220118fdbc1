import Cloud
import HTTPTypes
import NIOCore
import ObjectStore
import RequestSigning
import Testing
import WireFormats

@testable import S3Face

@Suite("Bodies and their digests")
struct BodyVerifierTests {
    static let text = "123456789"
    // Check values from the catalogue of parametrised CRC algorithms, and digests of the same nine bytes by openssl.
    static let crc32 = "y/Q5Jg=="
    static let crc64nvme = "rosUhgp5mIg="
    static let md5 = "JfnnlDI7RTiF9RgfG2JNCw=="

    private func verify(_ fields: [String: String], text: String = text, split: Int = 3) throws -> VerifiedBody {
        var headers: HTTPFields = [.contentLength: String(Self.text.utf8.count)]
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        let declaration = try BodyDeclaration(headers, payload: nil)
        var verifier = try BodyVerifier(declaration, nil, default: .crc64nvme)
        var taken: [UInt8] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: split) {
            let buffer = ByteBuffer(bytes: bytes[start..<min(start + split, bytes.count)])
            for payload in try verifier.take(buffer) { taken.append(contentsOf: payload.readableBytesView) }
        }
        let body = try verifier.finish()
        #expect(taken == bytes)
        return body
    }

    @Test("are hashed in one pass, in buffers of any size", arguments: [1, 3, 9])
    func hashes(_ split: Int) throws {
        let body = try verify([:], split: split)
        #expect(body.size == 9)
        #expect(body.md5.base64 == Self.md5)
        #expect(body.checksum.algorithm == .crc64nvme)
        #expect(body.checksum.bytes.base64 == Self.crc64nvme)
    }

    @Test(
        "that match their headers are accepted",
        arguments: [
            ["x-amz-checksum-crc32": crc32], ["Content-MD5": md5], ["x-amz-checksum-crc64nvme": crc64nvme],
            ["x-amz-checksum-crc32": crc32, "x-amz-sdk-checksum-algorithm": "CRC32"],
            ["x-amz-content-sha256": "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"],
            ["x-amz-checksum-sha1": sha1],
            ["x-amz-checksum-sha256": "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU="],
            [
                "x-amz-checksum-sha256": "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=",
                "x-amz-content-sha256": "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
            ],
            ["x-amz-checksum-sha512": "2eZ2LdHI6vbWGzxhkvxAjU1tXxF20MKRabwk5xw/J0rSf81YEbMT1oH35V7ALXPUmclUVba1u1A6z1dPuo/+hQ=="],
            ["x-amz-checksum-md5": md5], ["x-amz-checksum-xxhash64": "jLhB20DmroM="],
            ["x-amz-checksum-xxhash3": "ctyxi2ehff8="], ["x-amz-checksum-xxhash128": "MxGUd+3l3NXpcWQnaB1YYA=="],
            ["x-amz-checksum-xxhash3": "ctyxi2ehff8=", "x-amz-sdk-checksum-algorithm": "XXHASH3"],
        ])
    func passes(_ fields: [String: String]) throws { _ = try verify(fields) }

    /// SHA-1 of the nine bytes.
    static let sha1 = [UInt8](hex: "f7c3bc1d808e04732adf679965ccc34ca7ae3441")?.base64 ?? ""

    struct Refusal: Sendable {
        var fields: [String: String]
        var code: S3Error.Code
        var message: String

        static let all: [Refusal] = [
            Refusal(fields: ["Content-MD5": "nonsense"], code: .invalidDigest, message: "The Content-MD5 you specified was invalid."),
            Refusal(
                fields: ["Content-MD5": "AAAAAAAAAAAAAAAAAAAAAA=="], code: .badDigest,
                message: "The Content-MD5 you specified did not match what we received."),
            Refusal(
                fields: ["x-amz-checksum-crc32": "AAAAAA=="], code: .badDigest,
                message: "The CRC32 you specified did not match the calculated checksum."),
            Refusal(
                fields: ["x-amz-checksum-sha256": "AAAAAA=="], code: .invalidRequest,
                message: "Value for x-amz-checksum-sha256 header is invalid."),
            Refusal(
                fields: ["x-amz-checksum-sha256": "bad"], code: .invalidRequest,
                message: "Value for x-amz-checksum-sha256 header is invalid."),
            Refusal(
                fields: ["x-amz-checksum-md5": "AAAAAAAAAAAAAAAAAAAAAA=="], code: .badDigest,
                message: "The MD5 you specified did not match the calculated checksum."),
            Refusal(
                fields: ["x-amz-checksum-xxhash128": "AAAAAAAAAAA="], code: .invalidRequest,
                message: "Value for x-amz-checksum-xxhash128 header is invalid."),
            Refusal(
                fields: ["x-amz-checksum-crc32": crc32, "x-amz-checksum-crc64nvme": crc64nvme], code: .invalidRequest,
                message: "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."),
            Refusal(
                fields: ["x-amz-checksum-foo": crc32], code: .invalidRequest,
                message: "The algorithm type you specified in x-amz-checksum- header is invalid."),
            Refusal(
                fields: ["x-amz-sdk-checksum-algorithm": "CRC32"], code: .invalidRequest,
                message:
                    "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found."
            ),
            // OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS.
            Refusal(
                fields: ["x-amz-checksum-crc32": crc32, "x-amz-trailer": "x-amz-checksum-crc32"], code: .invalidRequest,
                message: "Expecting a single x-amz-checksum- header"),
            Refusal(
                fields: ["x-amz-checksum-crc32": crc32, "x-amz-trailer": "x-amz-checksum-crc32c"], code: .invalidRequest,
                message: "Expecting a single x-amz-checksum- header"),
            Refusal(
                fields: ["x-amz-checksum-crc32": crc32, "x-amz-trailer": "x-amz-checksum-crc32, x-amz-checksum-crc32"],
                code: .invalidRequest,
                message: "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."),
            Refusal(
                fields: ["x-amz-sdk-checksum-algorithm": "sha256", "x-amz-trailer": "x-amz-checksum-crc32, x-amz-checksum-crc32c"],
                code: .invalidRequest,
                message: "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."),
            Refusal(
                fields: ["x-amz-trailer": "x-amz-checksum-crc32"], code: .malformedTrailer,
                message:
                    "The request contained trailing data that was not well-formed or did not conform to our published schema."),
            Refusal(
                fields: ["x-amz-content-sha256": String(repeating: "0", count: 64)], code: .contentSHA256Mismatch,
                message: "The provided 'x-amz-content-sha256' header does not match what was computed."),
            Refusal(
                fields: ["Content-Length": "10"], code: .incompleteBody,
                message: "You did not provide the number of bytes specified by the Content-Length HTTP header"),
        ]
    }

    @Test("that do not match their headers are refused with S3's errors", arguments: Refusal.all)
    func refuses(_ refusal: Refusal) {
        let error = #expect(throws: S3Error.self) { try verify(refusal.fields) }
        #expect(error?.code == refusal.code)
        #expect(error?.message == refusal.message)
    }

    @Test("in chunks are decoded and compared with their trailer", arguments: [1, 7, 100])
    func chunks(_ split: Int) throws {
        let headers: HTTPFields = [
            .contentSHA256: "STREAMING-UNSIGNED-PAYLOAD-TRAILER", .decodedContentLength: "9",
            .trailerNames: "x-amz-checksum-crc32",
        ]
        let framed = Array("9\r\n\(Self.text)\r\n0\r\nx-amz-checksum-crc32:\(Self.crc32)\r\n\r\n".utf8)
        var verifier = try BodyVerifier(try BodyDeclaration(headers, payload: nil), nil, default: .crc64nvme)
        var taken: [UInt8] = []
        for start in stride(from: 0, to: framed.count, by: split) {
            let buffer = ByteBuffer(bytes: framed[start..<min(start + split, framed.count)])
            for payload in try verifier.take(buffer) { taken.append(contentsOf: payload.readableBytesView) }
        }
        let body = try verifier.finish()
        #expect(taken == Array(Self.text.utf8))
        #expect(body.checksum.algorithm == .crc32)
        #expect(body.checksum.bytes.base64 == Self.crc32)
    }

    /// OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS.
    @Test(
        "name their checksum in a list, which may end with commas",
        arguments: [
            ("x-amz-checksum-crc32", true), ("x-amz-checksum-crc32,", true), ("x-amz-checksum-crc32,,", true),
            ("X-Amz-Checksum-Crc32", true), (", x-amz-checksum-crc32, ,", false), (", x-amz-checksum-crc32", false),
            (",x-amz-checksum-crc32", false), ("x-amz-checksum-crc32, ,", false), ("x-amz-content-sha256", false), ("foo", false),
            ("content-md5", false), ("x-amz-checksum-bad", false), ("x-amz-checksum-crc32, x-amz-foo", false), (",", false), ("", false),
        ])
    func trailerNames(text: String, isAccepted: Bool) throws {
        let headers: HTTPFields = [
            .contentSHA256: "STREAMING-UNSIGNED-PAYLOAD-TRAILER", .decodedContentLength: "9", .trailerNames: text,
        ]
        if isAccepted {
            #expect(try BodyDeclaration(headers, payload: nil).algorithm == .crc32)
        } else {
            let error = #expect(throws: S3Error.self) { try BodyDeclaration(headers, payload: nil) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message == "The value specified in the x-amz-trailer header is not supported")
        }
    }

    @Test("in chunks require the decoded length")
    func decodedLength() {
        let error = #expect(throws: S3Error.self) {
            try BodyDeclaration([.contentSHA256: "STREAMING-UNSIGNED-PAYLOAD-TRAILER", .contentLength: "50"], payload: nil)
        }
        #expect(error?.code == .missingContentLength)
    }

    @Test("of objects require a length of at most five gibibytes")
    func objectLength() throws {
        let missing = try BodyDeclaration([:], payload: nil)
        #expect(throws: S3Error(.missingContentLength)) { try missing.objectLength() }
        let large = try BodyDeclaration([.contentLength: "5368709121"], payload: nil)
        let error = #expect(throws: S3Error.self) { try large.objectLength() }
        #expect(error?.code == .entityTooLarge)
    }
}
