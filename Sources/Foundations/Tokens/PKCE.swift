import Cryptography
import WireFormats

/// Proof Key for Code Exchange with the method S256 (RFC 7636); `plain` is not supported.
package enum PKCE {
    /// Returns whether a `code_challenge` is well formed for S256: base64url of 32 bytes (section 4.2).
    package static func isChallenge(_ challenge: String) -> Bool {
        [UInt8](base64url: challenge)?.count == SHA256.byteCount
    }

    /// Returns whether a `code_verifier` has 43 to 128 unreserved characters (section 4.1).
    package static func isVerifier(_ verifier: String) -> Bool {
        (43...128).contains(verifier.utf8.count)
            && verifier.utf8.allSatisfy { character in
                switch character {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
                default: false
                }
            }
    }

    /// Returns whether a `code_verifier` is well formed and matches the challenge (section 4.6).
    package static func matches(verifier: String, challenge: String) -> Bool {
        isVerifier(verifier) && constantTimeEquals(SHA256.hash(verifier).base64url, challenge)
    }
}
