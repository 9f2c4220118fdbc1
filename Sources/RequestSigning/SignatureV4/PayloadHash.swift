import Cryptography
import HTTPTypes
import WireFormats

/// What a request's signature says about its body: the last line of the canonical request.
package enum PayloadHash: Hashable, Sendable {
    /// The SHA-256 of the body, 64 hexadecimal digits as sent.
    case sha256(String)
    /// The body is not covered.
    case unsigned
    /// The body comes in chunks, each with a signature.
    case signedChunks
    /// The body comes in chunks, each with a signature, and ends with signed trailers.
    case signedChunksWithTrailer
    /// The body comes in chunks without signatures and ends with trailers.
    case unsignedChunksWithTrailer

    /// The field that carries it, in lowercase.
    static let fieldName = "x-amz-content-sha256"

    /// Reads the value of `x-amz-content-sha256`.
    package init(_ text: String) throws(SigningError) {
        switch text {
        case "UNSIGNED-PAYLOAD": self = .unsigned
        case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD": self = .signedChunks
        case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER": self = .signedChunksWithTrailer
        case "STREAMING-UNSIGNED-PAYLOAD-TRAILER": self = .unsignedChunksWithTrailer
        default:
            guard text.utf8.count == 64, isHexadecimal(text) else { throw .invalidPayloadHash(text) }
            self = .sha256(text)
        }
    }

    /// The hash of a whole body, as services other than S3 want it covered.
    package init(of body: [UInt8]) {
        self = .sha256(SHA256.hash(body).hex)
    }

    /// The value as it stands in `x-amz-content-sha256` and in the canonical request.
    package var text: String {
        switch self {
        case .sha256(let digits): digits
        case .unsigned: "UNSIGNED-PAYLOAD"
        case .signedChunks: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        case .signedChunksWithTrailer: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
        case .unsignedChunksWithTrailer: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        }
    }

    /// The 32 bytes that the body must hash to, or `nil` where the body is not covered by one hash.
    package var digest: [UInt8]? {
        if case .sha256(let digits) = self { [UInt8](hex: digits) } else { nil }
    }
}

extension SignatureV4.Presented {
    /// What a request says about its body: `x-amz-content-sha256`, which a presigned request may carry in its query too and
    /// otherwise leaves unsigned: there the field counts only where it is signed. `nil` where a header-signed request says nothing: S3 refuses that, and every other
    /// service takes the hash of the body (``PayloadHash/init(of:)``).
    package func payloadHash(of request: SignableRequest) throws(SigningError) -> PayloadHash? {
        if place == .query, let text = request.query["X-Amz-Content-Sha256"]?.decodedValue { return try PayloadHash(text) }
        if place == .header || signedHeaders.contains(PayloadHash.fieldName) {
            for field in request.fields where field.name.canonicalName == PayloadHash.fieldName {
                return try PayloadHash(field.value)
            }
        }
        return place == .query ? .unsigned : nil
    }
}

/// Every signed request passes here: read in place, not character by character through a view.
private func isHexadecimal(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { digits in
        for digit in digits where !isHexDigit(digit) { return false }
        return true
    }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte || 0x41...0x46 ~= byte
}
