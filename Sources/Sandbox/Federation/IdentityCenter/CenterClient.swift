package import Cloud
import Cryptography
package import Directory
import Tokens
package import WireFormats

/// A client that has registered with IAM Identity Center. Its identifier contains the registration, sealed, so that nothing is stored.
/// (IAM Identity Center OIDC API Reference, "RegisterClient".)
package struct CenterClient: Sendable {
    /// What a client registers.
    package struct Registration: Sendable {
        /// The name, which the consent page shows.
        package var name: String
        /// The redirect URIs for authorization codes.
        package var redirectURIs: [String]
        /// The scopes; empty for a client that gets no refresh tokens.
        package var scopes: [String]
        /// The grant types; empty for all.
        package var grantTypes: [String]

        package init(name: String, redirectURIs: [String], scopes: [String], grantTypes: [String]) {
            self.name = name
            self.redirectURIs = redirectURIs
            self.scopes = scopes
            self.grantTypes = grantTypes
        }
    }

    /// The identifier.
    package let id: String
    /// What the client has registered.
    package let registration: Registration
    /// When it registered.
    package let issued: Timestamp

    /// The lifetime of a registration in seconds.
    private static let lifetime = 90 * 86_400
    private static let context = Array("identity center client".utf8)
    private static let contextOfSecret = Array("identity center secret".utf8)

    /// Registers a client.
    /// - Throws: an error of the random generator.
    package init(registering registration: Registration, in cloud: Cloud) throws {
        let issued = Timestamp(seconds: cloud.clock.now.seconds)
        let record: JSONValue = [
            .integer(issued.seconds), .string(registration.name), Self.list(registration.redirectURIs), Self.list(registration.scopes),
            Self.list(registration.grantTypes),
        ]
        id = try SealedRecord.sealedBytes(record.serializedBytes(), key: cloud.sealingKey, context: Self.context).base64url
        self.registration = registration
        self.issued = issued
    }

    /// Opens the identifier of a client, whose registration can have expired.
    /// - Returns: `nil` for another text.
    package init?(id: String, in cloud: Cloud) {
        guard let bytes = [UInt8](base64url: id),
            let plaintext = try? SealedRecord.open(bytes, key: cloud.sealingKey, context: Self.context),
            let record = (try? JSONValue(parsing: plaintext))?.arrayValue, record.count == 5, let issued = record[0].integerValue,
            let name = record[1].stringValue
        else { return nil }
        self.id = id
        self.issued = Timestamp(seconds: issued)
        registration = Registration(
            name: name, redirectURIs: Self.texts(record[2]), scopes: Self.texts(record[3]), grantTypes: Self.texts(record[4]))
    }

    private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    private static func texts(_ value: JSONValue) -> [String] { value.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// When the registration expires.
    package var expires: Timestamp { issued + .seconds(Self.lifetime) }

    /// Returns whether the registration has expired.
    package func hasExpired(by clock: SandboxClock) -> Bool { clock.hasExpired(expires, issuedAt: issued) }

    /// Returns a secret of the client. Each call returns another one, and all are valid.
    /// - Throws: an error of the random generator.
    package func secret(in cloud: Cloud) throws -> String {
        try SealedRecord.sealedBytes(SHA256.hash(id), key: cloud.sealingKey, context: Self.contextOfSecret).base64url
    }

    /// Returns whether a text is a secret of the client.
    package func hasSecret(_ text: String, in cloud: Cloud) -> Bool {
        guard let bytes = [UInt8](base64url: text),
            let plaintext = try? SealedRecord.open(bytes, key: cloud.sealingKey, context: Self.contextOfSecret)
        else { return false }
        return constantTimeEquals(plaintext.hex, SHA256.hash(id).hex)
    }

    /// Returns whether the client may use a grant type.
    package func mayUse(grantType: String) -> Bool {
        registration.grantTypes.isEmpty || registration.grantTypes.contains { $0.equals(grantType) }
    }

    /// Returns whether a redirect URI is one of the client. The port of a loopback URI may be any (RFC 8252 section 7.3).
    package func mayRedirect(to uri: String) -> Bool {
        if registration.redirectURIs.contains(where: { $0.equals(uri) }) { return true }
        guard let asked = Self.withoutPort(uri) else { return false }
        return registration.redirectURIs.contains { Self.withoutPort($0)?.equals(asked) ?? false }
    }

    /// Returns a loopback URI without its port; `nil` for another URI.
    private static func withoutPort(_ uri: String) -> String? {
        guard isPrintable(uri), uri.hasPrefix("http://"), let origin = Origin(url: uri), HostNames.isThisMachine(origin.host) else {
            return nil
        }
        guard hasPort(origin) else { return nil }
        return "\(origin.host)\(origin.path)"
    }

    /// Returns whether what follows the host is nothing, or a port from 1 to 65535 without leading zeros.
    private static func hasPort(_ origin: Origin) -> Bool {
        let rest = origin.authority.utf8.dropFirst(origin.host.utf8.count)
        guard let first = rest.first else { return true }
        let digits = String(decoding: rest.dropFirst(), as: UTF8.self)
        guard first == UInt8(ascii: ":"), let port = UInt16(digits: digits) else { return false }
        return port > 0 && "\(port)".equals(digits)
    }

    private static func isPrintable(_ uri: String) -> Bool { uri.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// Returns whether a client can register a name. Characters that are not seen could make it look like another one.
    package static func isName(_ name: String) -> Bool {
        name.utf8.count <= 256
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
                default: true
                }
            }
    }

    /// Returns whether a client can register a redirect URI.
    package static func isRedirectURI(_ uri: String) -> Bool {
        guard isPrintable(uri), !uri.utf8.contains(UInt8(ascii: "#")), let origin = Origin(url: uri), Authority.isValid(origin.host),
            hasPort(origin)
        else { return false }
        return uri.hasPrefix("https://") || withoutPort(uri) != nil
    }

    /// The client as the pages of the identity provider show it.
    package var shown: Client {
        Client(id: id, secret: nil, name: registration.name, redirectURIs: registration.redirectURIs, applicationID: nil)
    }
}
