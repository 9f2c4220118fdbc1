import Cryptography
import WireFormats

/// The key that signs for one secret on one day, in one region, for one service.
package struct ScopedSigningKey: Sendable {
    private let hmac: HMACKey

    /// Derives the key. This costs four HMAC operations, so cache the key (``SigningKeyCache``).
    package init(secret: String, scope: CredentialScope) {
        let date = hmacSHA256(key: Array("\(scope.scheme.keyPrefix)\(secret)".utf8), scope.date)
        let region = hmacSHA256(key: date, scope.region)
        let service = hmacSHA256(key: region, scope.service)
        hmac = HMACKey(hmacSHA256(key: service, scope.scheme.terminator))
    }

    /// Returns the signature of a string to sign, 64 lowercase hexadecimal digits.
    package func signature(of stringToSign: [UInt8]) -> String {
        hmac.authenticate(stringToSign).hex
    }
}
