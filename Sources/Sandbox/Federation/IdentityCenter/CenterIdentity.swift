import Cryptography
package import Directory
import WireFormats

/// A person of IAM Identity Center who gets a role. Identity Center asserts the person to STS as a SAML provider of the account.
/// (IAM Identity Center User Guide, "Permission sets".)
package struct CenterIdentity: FederatedIdentity {
    package static let action = "sts:AssumeRoleWithSAML"

    package let federatedPrincipal: String
    package let trustKeys: [SessionCredentials.Claim]
    package let sessionKeys: [SessionCredentials.Claim]
    package let requests = SessionRequests()
    /// The name of the session: the user name. One that cannot be the name of a session is changed, and gets a hash at its end, so that no two
    /// people have the same.
    package let sessionName: String

    /// - Parameters:
    ///   - account: the number of the account.
    ///   - provider: the name of the SAML provider of the account.
    package init(of person: Person, in account: String, by center: IdentityCenter) {
        let provider = center.samlProviderName(in: account)
        federatedPrincipal = center.samlProviderARN(in: account)
        let issuer = center.samlEntityID(in: account)
        let qualifier = SHA1.hash(Array("\(issuer)\(account)/\(provider)".utf8)).base64
        sessionKeys = [
            .init(key: "saml:sub", values: [person.name]), .init(key: "saml:sub_type", values: ["persistent"]),
            .init(key: "saml:namequalifier", values: [qualifier]),
        ]
        trustKeys =
            sessionKeys + [
                .init(key: "saml:aud", values: [IdentityCenter.audience]), .init(key: "saml:iss", values: [issuer]),
                .init(key: "saml:doc", values: ["\(account)/\(provider)"]),
            ]
        sessionName = Self.sessionName(of: person)
    }

    private static func sessionName(of person: Person) -> String {
        let name = person.name
        if SessionRequests.isName(name), !endsWithHash(name) { return name }
        let bytes = name.utf8.prefix(64 - hashLength).map { byte -> UInt8 in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: byte
            default: "_+=,.@-".utf8.contains(byte) ? byte : UInt8(ascii: "_")
            }
        }
        return "\(String(decoding: bytes, as: UTF8.self))=\(SHA256.hash(name).hex.prefix(hashLength - 1))"
    }

    /// The length of an equals sign and a hash.
    private static let hashLength = 17

    /// Returns whether a name could be one that was changed.
    private static func endsWithHash(_ name: String) -> Bool {
        let end = Array(name.utf8.suffix(hashLength))
        return end.count == hashLength && end[0] == UInt8(ascii: "=")
            && end.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension IdentityCenter {
    /// Returns the entity ID with which Identity Center signs assertions for an account.
    package func samlEntityID(in account: String) -> String {
        "https://portal.sso.\(region).amazonaws.com/saml/assertion/\(Array("\(account)_\(instance)".utf8).base64url)"
    }
}

extension IdentityProviderMetadata {
    /// Creates the metadata of Identity Center for an account.
    /// - Parameter certificates: the certificates in DER.
    init(of center: IdentityCenter, in account: String, certificates: [[UInt8]]) {
        let location = center.samlEntityID(in: account)
        self.init(
            entityID: location, certificates: certificates, signOn: location,
            logout: location.replacing("/saml/assertion/", with: "/saml/logout/"))
    }
}

extension SAMLTrust {
    /// Returns whether Identity Center created the provider and its metadata are unchanged.
    func isMade(by center: IdentityCenter) -> Bool {
        metadata.isEmpty && identityProvider == nil && name.equals(center.samlProviderName(in: account))
    }
}
