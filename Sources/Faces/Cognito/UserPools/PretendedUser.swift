import Cloud
import Cryptography
import Directory
import WireFormats

/// A person who does not exist, for apps that hide that. What they see is the same each time, and only the sandbox can compute it.
/// (Amazon Cognito Developer Guide, "Managing user existence error responses".)
struct PretendedUser: Sendable {
    private let name: String
    private let pool: UserPool
    private let cloud: Cloud
    /// The attribute that the name is a value of; `nil` if it is not an address.
    private let address: String?

    init(_ name: String, in pool: UserPool, of cloud: Cloud) {
        (self.name, self.pool, self.cloud) = (pool.folded(name), pool, cloud)
        address = name.contains("@") ? "email" : UserPool.isPhoneNumber(name) ? "phone_number" : nil
    }

    private func digest(_ purpose: String) -> [UInt8] { cloud.secretDigest(of: "pretended user/\(purpose)/\(pool.id)/\(name)") }

    /// The username. Whoever signs in with an address has another one.
    var username: String {
        guard let address, pool.usernameAttributes.contains(address) || pool.aliasAttributes.contains(address) else { return name }
        return UserPoolIdentifier.uuid(of: Array(digest("username").prefix(16)))
    }

    /// Returns a password that nobody knows.
    func password() throws(CryptographyError) -> UserPoolUser.Password {
        var salt = Array(digest("salt").prefix(16))
        salt[0] |= 1
        let verifier = try SecureRemotePassword.verifier(
            identity: pool.shortName + username, password: digest("password").hex, salt: salt)
        return UserPoolUser.Password(salt: salt, verifier: verifier, set: pool.created)
    }

    /// Returns how a code would reach the person.
    /// - Parameter attributes: the attributes that the code could go to, the first one preferred.
    func delivery(to attributes: [String]) -> CodeDelivery {
        let attribute = address ?? attributes.first ?? "email"
        let bytes = digest("address")
        let destination =
            if address != nil {
                name
            } else if attribute == "email" {
                String(decoding: [97 + bytes[0] % 26, UInt8(ascii: "@"), 97 + bytes[1] % 26], as: UTF8.self)
            } else {
                String(decoding: bytes.prefix(4).map { 48 + $0 % 10 }, as: UTF8.self)
            }
        return CodeDelivery(
            code: UserPoolCode(
                purpose: .password, attribute: attribute, destination: destination, code: "", sent: pool.created, expires: pool.created))
    }
}

extension UserPool {
    /// Returns whether a text is a phone number in the form of the service: a plus sign and digits.
    static func isPhoneNumber(_ text: String) -> Bool {
        text.utf8.count > 1 && text.utf8.first == UInt8(ascii: "+") && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
