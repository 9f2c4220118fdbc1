import Cryptography
import WireFormats

/// A password of which only a hash is known, in the form in which Keycloak exports it: a key that PBKDF2 derives from the password (RFC
/// 8018 section 5.2).
package struct PasswordHash: Hashable, Sendable, Codable {
    /// The algorithms. The raw value is Keycloak's name.
    package enum Algorithm: String, Sendable, Codable, CaseIterable {
        case sha1 = "pbkdf2"
        case sha256 = "pbkdf2-sha256"
        case sha512 = "pbkdf2-sha512"

        fileprivate var hash: HashAlgorithm {
            switch self {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        }
    }

    /// The number of iterations that a hash may have. Keycloak's default is 210000, or 600000 for SHA-256.
    package static let iterations = 1...600_000
    /// The number of bytes that a derived key may have. Keycloak's have 64, or 32 in older exports.
    package static let lengths = 1...64

    /// The algorithm.
    package var algorithm: Algorithm
    /// The number of iterations.
    package var iterations: Int
    /// The salt in Base64.
    package var salt: String
    /// The derived key in Base64.
    package var value: String

    package init(algorithm: Algorithm, iterations: Int, salt: String, value: String) {
        self.algorithm = algorithm
        self.iterations = iterations
        self.salt = salt
        self.value = value
    }

    /// Returns whether a password has this hash.
    func matches(_ password: String) -> Bool {
        guard let salt = [UInt8](base64: salt), let value = [UInt8](base64: value), !value.isEmpty else { return false }
        // A derivation fails only for counts that the seed rejects.
        guard let key = try? algorithm.hash.passwordKey(password, salt: salt, iterations: iterations, count: value.count) else {
            return false
        }
        return constantTimeEquals(key, value)
    }
}

extension Person {
    /// Returns whether a text is the person's password. A person without a password cannot log in with one.
    package func hasPassword(_ text: String) -> Bool {
        if let passwordHash { return passwordHash.matches(text) }
        return !password.isEmpty && constantTimeEquals(password, text)
    }
}
