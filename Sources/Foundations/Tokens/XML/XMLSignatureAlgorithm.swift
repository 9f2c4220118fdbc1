package import Cryptography
import WireFormats

/// A signature algorithm of XML documents; the raw value is its identifier. (XML Signature 1.1, section 6.4; RFC 9231, section 2.3.)
///
/// HMAC is not supported, since anyone with the public key could forge it. Each curve is supported only with its own digest.
package enum XMLSignatureAlgorithm: String, Sendable, CaseIterable {
    case rsaSHA1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
    case rsaSHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    case rsaSHA384 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384"
    case rsaSHA512 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"
    case ecdsaSHA256 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"
    case ecdsaSHA384 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384"
    case ecdsaSHA512 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512"

    /// Creates the XML algorithm that corresponds to a token algorithm; `nil` if there is none.
    package init?(_ algorithm: SignatureAlgorithm) {
        guard let same = Self.ofTokens[algorithm] else { return nil }
        self = same
    }

    private static let ofTokens: [SignatureAlgorithm: XMLSignatureAlgorithm] = [
        .rs256: .rsaSHA256, .rs384: .rsaSHA384, .rs512: .rsaSHA512, .es256: .ecdsaSHA256, .es384: .ecdsaSHA384, .es512: .ecdsaSHA512,
    ]

    /// The digest that the algorithm signs.
    package var hash: HashAlgorithm {
        switch self {
        case .rsaSHA1: .sha1
        case .rsaSHA256, .ecdsaSHA256: .sha256
        case .rsaSHA384, .ecdsaSHA384: .sha384
        case .rsaSHA512, .ecdsaSHA512: .sha512
        }
    }

    /// Returns whether one of the keys made the signature over the message.
    func verifies(_ signature: [UInt8], of message: [UInt8], with keys: [VerificationKey]) -> Bool {
        keys.contains { key in
            switch (self, key) {
            case (.rsaSHA1, .rsa(let key)), (.rsaSHA256, .rsa(let key)), (.rsaSHA384, .rsa(let key)), (.rsaSHA512, .rsa(let key)):
                key.verify(signature, of: message, hash: hash)
            case (.ecdsaSHA256, .ec(let key)): key.curve == .p256 && key.verify(signature, of: message)
            case (.ecdsaSHA384, .ec(let key)): key.curve == .p384 && key.verify(signature, of: message)
            case (.ecdsaSHA512, .ec(let key)): key.curve == .p521 && key.verify(signature, of: message)
            default: false
            }
        }
    }
}
