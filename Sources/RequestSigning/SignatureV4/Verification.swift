import Cryptography
import WireFormats

/// A signature that is not the one its secret gives, with what the server computed, as S3's `SignatureDoesNotMatch` document
/// shows it.
package struct SignatureMismatch: Error, Hashable, Sendable {
    /// The canonical request in bytes; UTF-8 unless a header was not. Only Version 4 has one, and only outside of forms.
    package var canonicalRequest: [UInt8]?
    /// The string to sign, ASCII but for odd regions.
    package var stringToSign: [UInt8]
    /// The signature as sent.
    package var signatureProvided: String
}

extension SignatureV4.Presented {
    /// Holds the presented signature against the one that `key` gives for `request`.
    /// - Parameters:
    ///   - payload: what the request says of its body; see ``payloadHash(of:)``.
    ///   - path: how the service puts the path into the canonical request.
    ///   - key: the key of the presented access key's secret in the presented ``scope``.
    package func verify(
        _ request: SignableRequest, payload: PayloadHash, path: SignatureV4.PathRule, key: ScopedSigningKey
    ) throws(SignatureMismatch) {
        let canonical = CanonicalRequest(request, signedHeaders: signedHeaders, payload: payload, path: path).bytes
        let stringToSign = SignatureV4.stringToSign(canonicalRequest: canonical, timestamp: timestamp, scope: scope)
        guard constantTimeEquals(key.signature(of: stringToSign), signature) else {
            throw SignatureMismatch(
                canonicalRequest: canonical, stringToSign: stringToSign, signatureProvided: signature)
        }
    }
}

extension SignatureV4 {
    static func stringToSign(canonicalRequest: [UInt8], timestamp: Timestamp, scope: CredentialScope) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        bytes.append(line: algorithm)
        bytes.append(line: timestamp.basic)
        bytes.append(scopeLine: scope)
        bytes.append(hexOf: SHA256.hash(canonicalRequest))
        return bytes
    }
}

extension [UInt8] {
    /// Appends a text and a line feed.
    mutating func append(line text: String) {
        append(contentsOf: text.utf8)
        append(0x0A)
    }

    /// Appends a credential scope and a line feed.
    mutating func append(scopeLine scope: CredentialScope) {
        append(contentsOf: scope.date.utf8)
        append(0x2F)
        append(contentsOf: scope.region.utf8)
        append(0x2F)
        append(contentsOf: scope.service.utf8)
        append(0x2F)
        append(line: scope.scheme.terminator)
    }
}
