import Cryptography
import WireFormats

/// The error for a signature that is not the one its secret gives, with the values that the server computed. S3's
/// `SignatureDoesNotMatch` document contains them.
package struct SignatureMismatch: Error, Hashable, Sendable {
    /// The bytes of the canonical request; UTF-8 unless a header is not. Only Version 4 has one, and forms have none.
    package var canonicalRequest: [UInt8]?
    /// The string to sign; ASCII unless the region is unusual.
    package var stringToSign: [UInt8]
    /// The signature as sent.
    package var signatureProvided: String
}

extension SignatureV4.Presented {
    /// Verifies that the presented signature equals the one that `key` gives for `request`.
    /// - Parameters:
    ///   - payload: the payload hash of the request; see ``payloadHash(of:)``.
    ///   - path: how the service writes the path in the canonical request.
    ///   - key: the key of the presented access key's secret in the presented ``scope``.
    package func verify(
        _ request: SignableRequest, payload: PayloadHash, path: SignatureV4.PathRule, key: ScopedSigningKey
    ) throws(SignatureMismatch) {
        let canonical = canonicalRequest(of: request, payload: payload, path: path)
        let stringToSign = SignatureV4.stringToSign(canonicalRequest: canonical, timestamp: timestamp, scope: scope)
        guard constantTimeEquals(key.signature(of: stringToSign), signature) else {
            throw SignatureMismatch(
                canonicalRequest: canonical, stringToSign: stringToSign, signatureProvided: signature)
        }
    }

    /// Returns the bytes of the canonical request that the signature covers.
    package func canonicalRequest(
        of request: SignableRequest, payload: PayloadHash, path: SignatureV4.PathRule
    ) -> [UInt8] {
        CanonicalRequest(request, signedHeaders: signedHeaders, payload: payload, path: path).bytes
    }
}

extension SignatureV4 {
    static func stringToSign(
        canonicalRequest: [UInt8], timestamp: Timestamp, scope: CredentialScope, algorithm: String = SignatureV4.algorithm
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        bytes.append(line: algorithm)
        bytes.append(basic: timestamp)
        bytes.append(0x0A)
        bytes.append(scopeLine: scope)
        bytes.append(hexOf: SHA256.hash(canonicalRequest))
        return bytes
    }
}

extension [UInt8] {
    /// Appends the UTF-8 bytes of a text.
    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends a text and a line feed.
    mutating func append(line text: String) {
        append(text: text)
        append(0x0A)
    }

    /// Appends a credential scope and a line feed.
    mutating func append(scopeLine scope: CredentialScope) {
        append(text: scope.date)
        append(0x2F)
        append(text: scope.region)
        append(0x2F)
        append(text: scope.service)
        append(0x2F)
        append(line: scope.scheme.terminator)
    }
}
