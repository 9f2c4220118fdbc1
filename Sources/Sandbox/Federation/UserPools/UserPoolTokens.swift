import Cloud
import Cryptography
package import Directory
import Tokens
import WireFormats

/// The tokens that a user pool issues about a person. (Amazon Cognito Developer Guide, "Using tokens with user pools".)
package struct UserPoolTokens: Sendable {
    /// The access token.
    package let accessToken: String
    /// The ID token; `nil` if the login lacks the scope `openid`.
    package let idToken: String?
    /// The validity of the access token in seconds.
    package let lifetime: Int
}

extension UserPoolLoginStore {
    /// Issues tokens in a login.
    /// - Parameters:
    ///   - nonce: the `nonce` of the authorization request; `nil` if there is none.
    ///   - device: the key of the device; `nil` if the pool does not remember devices.
    ///   - changes: what a function changes in them.
    /// - Throws: an error of the keys' storage.
    package func tokens(
        for user: UserPoolUser, at client: UserPoolClient, of pool: UserPool, in login: UserPoolLogin, nonce: String? = nil,
        device: String? = nil, changes: UserPoolTokenChanges
    ) async throws -> UserPoolTokens {
        let now = cloud.clock.now
        let groups = changes.groups ?? UserPoolTokenGroups(cloud.directory.userPools.groups(of: user))
        var shared: JSONObject = ["sub": .string(user.sub)]
        if !groups.names.isEmpty { shared["cognito:groups"] = .array(groups.names.map { .string($0) }) }
        shared["iss"] = .string(pool.issuer)
        shared["origin_jti"] = .string(login.id)
        shared["event_id"] = .string(login.event)
        shared["auth_time"] = .integer(cloud.clock.effective(login.authenticated).seconds)
        shared["iat"] = .integer(now.seconds)

        var access = shared
        access["client_id"] = .string(client.id)
        access["token_use"] = "access"
        access["scope"] = .string(changes.scopes(of: login.scopes ?? [UserPoolScope.selfService]).joined(separator: " "))
        access["exp"] = .integer((now + client.accessTokenDuration).seconds)
        access["jti"] = .string(try UserPoolIdentifier.newUUID())
        access["username"] = .string(user.username)
        if login.scopes != nil { access["version"] = 2 }
        if let device { access["device_key"] = .string(device) }
        changes.access.apply(to: &access, except: UserPoolTokenChanges.fixedInAccessTokens)
        let accessKey = try await cloud.signingKey(for: pool.keyNameOfAccessTokens)
        let accessToken = try JSONWebToken.sign(header: [:], claims: access, key: accessKey)
        let lifetime = Int(client.accessTokenDuration.components.seconds)
        guard login.scopes.map({ $0.contains(UserPoolScope.openID) }) ?? true else {
            return UserPoolTokens(accessToken: accessToken, idToken: nil, lifetime: lifetime)
        }

        var identity = shared
        if !groups.roles.isEmpty { identity["cognito:roles"] = .array(groups.roles.map { .string($0) }) }
        if let role = groups.preferredRole { identity["cognito:preferred_role"] = .string(role) }
        identity["cognito:username"] = .string(user.username)
        identity["aud"] = .string(client.id)
        identity["token_use"] = "id"
        identity["exp"] = .integer((now + client.idTokenDuration).seconds)
        identity["jti"] = .string(try UserPoolIdentifier.newUUID())
        // (OpenID Connect Core 1.0 section 3.1.3.6.)
        if login.scopes != nil { identity["at_hash"] = .string(Array(SHA256.hash(accessToken).prefix(16)).base64url) }
        if let nonce { identity["nonce"] = .string(nonce) }
        for attribute in user.attributes where client.reads(attribute.name) {
            guard login.scopes.map({ UserPoolScope.open(attribute.name, in: $0) }) ?? true else { continue }
            identity[attribute.name] = Self.claim(attribute)
        }
        if !user.identities.isEmpty { identity["identities"] = .array(user.identities.map { Self.claim($0) }) }
        changes.identity.apply(to: &identity, except: UserPoolTokenChanges.fixedInIDTokens)
        let idKey = try await cloud.signingKey(for: pool.keyNameOfIDTokens)
        return UserPoolTokens(
            accessToken: accessToken, idToken: try JSONWebToken.sign(header: [:], claims: identity, key: idKey), lifetime: lifetime)
    }

    /// Issues an access token for a client itself (RFC 6749 section 4.4). It belongs to no login, and cannot be revoked.
    /// - Parameter changes: what a function changes in it.
    /// - Throws: an error of the keys' storage.
    package func clientToken(
        of client: UserPoolClient, of pool: UserPool, scopes: [String], changes: UserPoolTokenChanges
    ) async throws -> (accessToken: String, lifetime: Int) {
        let now = cloud.clock.now
        var claims: JSONObject = [
            "sub": .string(client.id), "token_use": "access", "scope": .string(changes.scopes(of: scopes).joined(separator: " ")),
            "auth_time": .integer(now.seconds), "iss": .string(pool.issuer), "exp": .integer((now + client.accessTokenDuration).seconds),
            "iat": .integer(now.seconds), "version": 2, "jti": .string(try UserPoolIdentifier.newUUID()), "client_id": .string(client.id),
        ]
        changes.access.apply(to: &claims, except: UserPoolTokenChanges.fixedInAccessTokens)
        let key = try await cloud.signingKey(for: pool.keyNameOfAccessTokens)
        return (
            try JSONWebToken.sign(header: [:], claims: claims, key: key), Int(client.accessTokenDuration.components.seconds)
        )
    }

    /// Values of identities are texts.
    private static func claim(_ link: UserPoolLink) -> JSONValue {
        [
            "userId": .string(link.subject), "providerName": .string(link.provider), "providerType": .string(link.kind.rawValue),
            "issuer": .null, "primary": .string(link.isPrimary ? "true" : "false"),
            "dateCreated": .string(String(link.created.milliseconds)),
        ]
    }

    /// Values are texts, except of the two Boolean standard attributes and of the address.
    private static func claim(_ attribute: UserPoolUser.Attribute) -> JSONValue {
        if UserPoolAttribute.verified.contains(attribute.name) { return .bool(attribute.value == "true") }
        if attribute.name == "address" { return ["formatted": .string(attribute.value)] }
        return .string(attribute.value)
    }
}
