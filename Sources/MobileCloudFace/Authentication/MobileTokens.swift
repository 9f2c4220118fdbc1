import Cloud
import Cryptography
import Directory
import Tokens
import WireFormats

/// The access tokens that the mobile cloud issues: JWTs that name the backend which they are for.
///
/// They carry no address, so that they count under every name of the environment.
struct MobileTokens: Sendable {
    let cloud: Cloud

    /// Names the ring of the signing keys, and stands in `iss`. No identity provider can have the name.
    static let issuer = "mobile cloud"

    /// What a token says.
    struct Content: Sendable {
        /// ``MobileBackend/id``
        var backendID: String
        /// Nothing in a token of client credentials.
        var username: String?
        /// Of a virtual user: the issuer that vouches for it, and what it may do. Absent for a user of the realm, whose roles are looked up.
        var virtual: Virtual?
        /// What it was issued on.
        var method: MobileCaller.Method
        /// Roles that a token of an issuer gave a user of the realm beside those assigned.
        var furtherRoles: [String] = []
        /// As it will say.
        var issued: Timestamp
        var expires: Timestamp
        /// Of a user of the realm, as the token was issued: a name that goes to somebody else is not meant. Found by ``MobileTokens/issue(_:)``.
        var userID: String?
    }

    struct Virtual: Sendable {
        var issuer: String
        var roles: [String]
    }

    /// A new token.
    /// - Throws: an error of the key's making.
    func issue(_ content: Content) async throws -> String {
        let mobile = cloud.directory.mobile
        guard let backend = mobile.backend(id: content.backendID) else {
            throw MobileError(.internalError, "A token was to be issued for a backend that is not there.")
        }
        var content = content
        if content.virtual == nil, let username = content.username {
            content.userID = mobile.realms[backend.realm]?.user(named: username)?.id
        }
        let key = try await cloud.signingKey(for: Self.issuer)
        let payload = Self.plain(JSONValue.object(try content.claims(of: backend)).serialized())
        return try JSONWebToken.sign(payload: payload, key: key)
    }

    /// What a token of ours says, if it still counts. Whether its backend lets anybody in by it is another question.
    /// - Throws: ``MobileError``.
    func read(_ text: String) async throws -> Content {
        guard let token = try? JSONWebToken(parsing: text, accepting: [.rs256]), let keyID = token.keyID,
            let key = try await cloud.verificationKey(keyID, of: Self.issuer), (try? token.verify(with: key)) != nil,
            let content = Content(claims: token.claims)
        else {
            throw MobileError(
                .invalidToken,
                "The token was not issued by this environment, or before it was reset. A token of another issuer is to be exchanged first.")
        }
        guard !cloud.clock.hasExpired(content.expires, issuedAt: content.issued) else {
            throw MobileError(.invalidToken, "The token has expired.")
        }
        return content
    }

    /// The payload in characters whose base 64 is the same in both alphabets: clients decode it with `atob`, which knows neither `-` nor `_`.
    /// These stand for six ones, or five and a zero, which in ASCII only `>`, `?`, `~` and delete end in.
    private static func plain(_ json: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in json.unicodeScalars {
            if scalar.isASCII, scalar.value & 0x3E != 0x3E {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                // Outside of strings JSON has none of these characters.
                for unit in String(scalar).utf16 {
                    bytes += "\\u".utf8
                    bytes += [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)].hex.utf8
                }
            }
        }
        return bytes
    }
}

extension MobileTokens.Content {
    /// Claims as the Oracle OAuth service spells them, where it has one, and further ones of ours.
    fileprivate func claims(of backend: MobileBackend) throws -> JSONObject {
        let subject = username ?? backend.clientID
        var claims: JSONObject = [
            "iss": .string(MobileTokens.issuer), "sub": .string(subject), "prn": .string(subject), "iat": .integer(issued.seconds),
            "exp": .integer(expires.seconds), "jti": .string(try randomBytes(16).hex),
            "oracle.oauth.tk_context": username == nil ? "client_assertion" : "user_assertion",
            "oracle.oauth.client_origin_id": .string(backend.clientID), "backend_id": .string(backend.id),
            "method": .string(method.rawValue),
        ]
        if let userID { claims["user_id"] = .string(userID) }
        if let virtual {
            claims["virtual"] = true
            claims["issuer"] = .string(virtual.issuer)
        }
        let roles = virtual?.roles ?? furtherRoles
        if !roles.isEmpty { claims["roles"] = .array(roles.map { .string($0) }) }
        return claims
    }

    /// What the claims of a verified token say.
    fileprivate init?(claims: JSONObject) {
        guard claims["iss"]?.stringValue == MobileTokens.issuer, let backendID = claims["backend_id"]?.stringValue,
            let subject = claims["sub"]?.stringValue, let issued = claims["iat"]?.integerValue,
            let expires = claims["exp"]?.integerValue, let method = claims["method"]?.stringValue.flatMap(MobileCaller.Method.init)
        else { return nil }
        let roles = claims["roles"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let virtual = claims["issuer"]?.stringValue.map { MobileTokens.Virtual(issuer: $0, roles: roles) }
        self.init(
            backendID: backendID, username: claims["oracle.oauth.tk_context"] == "client_assertion" ? nil : subject, virtual: virtual,
            method: method, furtherRoles: virtual == nil ? roles : [], issued: Timestamp(seconds: issued),
            expires: Timestamp(seconds: expires), userID: claims["user_id"]?.stringValue)
    }
}
