import Cloud
import Cryptography
import Directory
import WireFormats

/// How clients of the machines sign and what is kept of passwords: HMAC-SHA-256 throughout, texts as UTF-8.
enum VendingSignature {
    /// The secret that is kept of a password: `hex(HMAC(password, name + app + endpoint))`.
    /// - Parameters:
    ///   - app: the app's name in lower case.
    ///   - endpoint: the machine's host, or what a client calls it by, in lower case.
    static func saltedHash(of password: String, name: String, app: String, endpoint: String) -> String {
        hmacSHA256(key: Array(password.utf8), name + app + endpoint).hex
    }

    /// Whether a text is the signature of a timestamp. The anonymous machine's clients spell the code in base 64, those of the identity
    /// machine in hexadecimal digits, and older ones in base 64 there, too.
    static func holds(_ signature: String, of timestamp: String, key: String) -> Bool {
        let code = hmacSHA256(key: Array(key.utf8), timestamp)
        // Both are always compared, so that the time tells nothing.
        let spellings = [code.hex, code.base64].map { constantTimeEquals($0, signature) }
        return spellings.contains(true)
    }
}

extension VendingUser {
    /// The hashes by which the user may sign at a machine that goes by these names.
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
