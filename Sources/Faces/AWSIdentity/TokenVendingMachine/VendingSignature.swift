import Cloud
import Cryptography
import Directory
import WireFormats

/// The signatures of the machines' clients and the hashes of passwords: HMAC-SHA-256 over UTF-8 texts.
enum VendingSignature {
    /// Returns the hash that is stored for a password: `hex(HMAC(password, name + app + endpoint))`.
    /// - Parameters:
    ///   - app: the app's name in lowercase.
    ///   - endpoint: the machine's host, or the client's name for it, in lowercase.
    static func saltedHash(of password: String, name: String, app: String, endpoint: String) -> String {
        hmacSHA256(key: Array(password.utf8), name + app + endpoint).hex
    }

    /// Verifies the signature of a timestamp. Clients of the anonymous machine encode it in base 64, those of the identity machine in
    /// hexadecimal digits, or in base 64 if they are older.
    static func isValid(_ signature: String, of timestamp: String, key: String) -> Bool {
        let code = hmacSHA256(key: Array(key.utf8), timestamp)
        // Both are always compared, so that timing reveals nothing.
        let spellings = [code.hex, code.base64].map { constantTimeEquals($0, signature) }
        return spellings.contains(true)
    }
}

extension VendingUser {
    /// Returns the hashes with which the user may sign at a machine with these endpoints.
    func hashes(app: String, endpoints: [String]) -> [String] {
        switch secret {
        case .hashes(let hashes): hashes
        case .password(let password): Self.hashes(of: password, name: name, app: app, endpoints: endpoints)
        }
    }

    static func hashes(of password: String, name: String, app: String, endpoints: [String]) -> [String] {
        endpoints.map { VendingSignature.saltedHash(of: password, name: name, app: app, endpoint: $0) }
    }
}
