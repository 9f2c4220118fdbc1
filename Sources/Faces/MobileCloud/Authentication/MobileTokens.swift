import Cloud
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

/// The access tokens that the mobile cloud issues: JWTs that name the backend they are for.
///
/// They contain no host name, so they are valid under every name of the environment.
struct MobileTokens: Sendable {
    let cloud: Cloud

    /// The name of the ring of signing keys, and the value of `iss`. No identity provider can have this name.
    static let issuer = "mobile cloud"

    /// The content of a token.
    struct Content: Sendable {
        /// ``MobileBackend/id``
        var backendID: String
        /// `nil` in a token of client credentials.
        var username: String?
        /// For a virtual user: the issuer and the roles. `nil` for a user of the realm, whose roles are looked up.
        var virtual: Virtual?
        /// The authentication that the token was issued for.
        var method: MobileCaller.Method
        /// Roles that an external token gave a user of the realm in addition to the assigned ones.
        var furtherRoles: [String] = []
        /// The time of issue, as the token states it.
        var issued: Timestamp
        var expires: Timestamp
        /// For a user of the realm: the user's ID at the time of issue, so that a new user with the same name is rejected. Set by
        /// ``MobileTokens/issue(_:in:)``.
        var userID: String?
    }

    struct Virtual: Sendable {
        var issuer: String
        var roles: [String]
    }

    /// Issues a new token.
    /// - Parameter mobile: the directory in which the request has found the user. The user of a later one may be another with the name.
    /// - Throws: an error from creating the signing key.
    func issue(_ content: Content, in mobile: MobileCloud) async throws -> String {
        guard let backend = mobile.backend(id: content.backendID) else {
            throw MobileError(.internalError, "The backend of the token to issue does not exist.")
        }
        var content = content
        if content.virtual == nil, let username = content.username {
            content.userID = mobile.realms[backend.realm]?.user(named: username)?.id
        }
        let key = try await cloud.signingKey(for: Self.issuer)
        let payload = Self.plain(JSONValue.object(try content.claims(of: backend)).serialized())
        return try JSONWebToken.sign(payload: payload, key: key)
    }

    /// Returns the content of one of our tokens, if it is valid. Does not check whether the backend allows the token's method.
    /// - Throws: ``MobileError``.
    func read(_ text: String) async throws -> Content {
        var run = DecidingRun<MobileError>()
        return try check(try await verified(text), &run)
    }

    /// Returns the content of a token whose signature is valid; `nil` for another text.
    /// - Throws: an error of the database.
    func verified(_ text: String) async throws -> Content? {
        guard let token = try await cloud.token(text, signedBy: Self.issuer, accepting: [.rs256]) else { return nil }
        return Content(claims: token.claims)
    }

    /// Checks a token, and returns its content.
    /// - Parameter verified: the content, if the signature is valid.
    func check<Run: CheckRun>(_ verified: Content?, _ run: inout Run) throws(MobileError) -> Content where Run.Failure == MobileError {
        let content = try run.find("signature") { () throws(MobileError) in
            guard let verified else {
                throw MobileError(
                    .invalidToken,
                    "The token was not issued by this environment since its last reset. Exchange a token of another issuer first.")
            }
            return verified
        }
        try run.check("times") { () throws(MobileError) in
            guard !cloud.clock.hasExpired(content.expires, issuedAt: content.issued) else {
                throw MobileError(.invalidToken, "The token has expired.")
            }
        }
        return content
    }

    /// Escapes the payload so that base64url and base64 encode it identically.
    /// Clients decode it with `atob`, which accepts neither `-` nor `_`. These two stand for the bits 11111x. Among ASCII characters only
    /// `>`, `?`, `~` and DEL end in such bits.
    private static func plain(_ json: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in json.unicodeScalars {
            if scalar.isASCII, scalar.value & 0x3E != 0x3E {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                // In JSON these characters occur only inside strings.
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
    /// Returns the claims: those of the Oracle OAuth service in its spelling, and our own.
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

    /// Reads the claims of a verified token.
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
