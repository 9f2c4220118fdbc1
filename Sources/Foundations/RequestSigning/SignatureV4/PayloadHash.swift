import Cryptography
import HTTPTypes
import WireFormats

/// What a request's signature covers of its body; the last line of the canonical request.
package enum PayloadHash: Hashable, Sendable {
    /// The SHA-256 of the body, 64 hexadecimal digits as sent.
    case sha256(String)
    /// The body is not covered.
    case unsigned
    /// The body is sent in chunks, each with a signature.
    case signedChunks
    /// The body is sent in chunks, each with a signature, and ends with signed trailers.
    case signedChunksWithTrailer
    /// The body is sent in chunks without signatures and ends with trailers.
    case unsignedChunksWithTrailer
    /// Another value. S3 compares it with the SHA-256 of the body, which cannot have it. Only presigned requests and those with a
    /// signature of Version 2 can have one, and their bodies are never in chunks (OpenStack Swift, test/s3api/test_input_errors.py,
    /// which also runs against AWS).
    case other(String)

    /// The name of the header, in lowercase.
    static let fieldName = "x-amz-content-sha256"

    /// Reads the value of `x-amz-content-sha256`.
    package init(_ text: String) throws(SigningError) {
        if text.utf8.count == 64, isHexadecimal(text) {
            self = .sha256(text)
            return
        }
        switch text {
        case "UNSIGNED-PAYLOAD": self = .unsigned
        case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD": self = .signedChunks
        case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER": self = .signedChunksWithTrailer
        case "STREAMING-UNSIGNED-PAYLOAD-TRAILER": self = .unsignedChunksWithTrailer
        default: throw .invalidPayloadHash(text)
        }
    }

    /// Reads the value of `x-amz-content-sha256` in a request other than a header-signed one of Version 4.
    package init(outsideHeaderSignature text: String) {
        switch try? PayloadHash(text) {
        case .sha256(let digits)?: self = .sha256(digits)
        case .unsigned?: self = .unsigned
        case .signedChunks?, .signedChunksWithTrailer?, .unsignedChunksWithTrailer?, .other?, nil: self = .other(text)
        }
    }

    /// Creates the hash of a whole body, which services other than S3 require.
    package init(of body: [UInt8]) {
        self = .sha256(SHA256.hash(body).hex)
    }

    /// The value as written in `x-amz-content-sha256` and in the canonical request.
    package var text: String {
        switch self {
        case .sha256(let digits): digits
        case .unsigned: "UNSIGNED-PAYLOAD"
        case .signedChunks: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        case .signedChunksWithTrailer: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
        case .unsignedChunksWithTrailer: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        case .other(let text): text
        }
    }

    /// Whether the SHA-256 of the body must be equal to ``digest``.
    package var coversWholeBody: Bool {
        switch self {
        case .sha256, .other: true
        case .unsigned, .signedChunks, .signedChunksWithTrailer, .unsignedChunksWithTrailer: false
        }
    }

    /// Whether the body is sent in signed chunks.
    package var hasSignedChunks: Bool {
        switch self {
        case .signedChunks, .signedChunksWithTrailer: true
        case .sha256, .unsigned, .unsignedChunksWithTrailer, .other: false
        }
    }

    /// The required SHA-256 of the body, 32 bytes; `nil` if no single hash covers the body, or none can.
    package var digest: [UInt8]? {
        if case .sha256(let digits) = self { [UInt8](hex: digits) } else { nil }
    }
}

extension SignatureV4.Presented {
    /// Returns the value of `x-amz-content-sha256`. A presigned request may have it in its query instead; its header counts only if
    /// it is signed, and without either the payload is unsigned. Returns `nil` if a header-signed request has no such header. S3 rejects
    /// that; every other service uses the hash of the body (``PayloadHash/init(of:)``).
    package func payloadHash(of request: SignableRequest) throws(SigningError) -> PayloadHash? {
        if place == .query, let text = request.query["X-Amz-Content-Sha256"]?.decodedValue {
            return PayloadHash(outsideHeaderSignature: text)
        }
        if place == .header || signedHeaders.contains(PayloadHash.fieldName) {
            for index in request.fields.indices where request.fields[index].name.canonicalName.isSame(as: PayloadHash.fieldName) {
                let text = request.fields[index].value
                return place == .header ? try PayloadHash(text) : PayloadHash(outsideHeaderSignature: text)
            }
        }
        return place == .query ? .unsigned : nil
    }
}

/// Reads the bytes in place instead of character by character, because every signed request passes through here.
private func isHexadecimal(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { digits in
        // Without branches, so that the compiler compares many bytes at a time.
        var others: UInt8 = 0
        for digit in digits {
            let isDecimal: UInt8 = digit &- 0x30 <= 9 ? 1 : 0
            let isLetter: UInt8 = (digit | 0x20) &- 0x61 <= 5 ? 1 : 0
            others |= 1 ^ (isDecimal | isLetter)
        }
        return others == 0
    }
}
