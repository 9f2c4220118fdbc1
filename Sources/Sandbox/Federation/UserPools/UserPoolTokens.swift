import Cloud
package import Directory
import Tokens
import WireFormats

/// The tokens that a user pool issues about a person. (Amazon Cognito Developer Guide, "Using tokens with user pools".)
package struct UserPoolTokens: Sendable {
    /// The access token.
    package let accessToken: String
    /// The ID token.
    package let idToken: String
    /// The validity of the access token in seconds.
    package let lifetime: Int

    /// The scope of access tokens that calls of the API return.
    package static let scopeOfAPI = "aws.cognito.signin.user.admin"
}

extension UserPoolLoginStore {
    /// Issues tokens in a login.
    /// - Parameters:
    ///   - device: the key of the device; `nil` if the pool does not remember devices.
    ///   - changes: what a function changes in them.
    /// - Throws: an error of the keys' storage.
    package func tokens(
        for user: UserPoolUser, at client: UserPoolClient, of pool: UserPool, in login: UserPoolLogin, device: String? = nil,
        changes: UserPoolTokenChanges = UserPoolTokenChanges()
    ) async throws -> UserPoolTokens {
        let now = cloud.clock.now
        let groups = changes.groups ?? UserPoolTokenGroups(cloud.directory.userPools.groups(of: user))
        var shared: JSONObject = ["sub": .string(user.sub)]
        if !groups.names.isEmpty { shared["cognito:groups"] = .array(groups.names.map { .string($0) }) }
        shared["iss"] = .string(pool.issuer)
        shared["origin_jti"] = .string(login.id)
        shared["event_id"] = .string(login.event)
        shared["auth_time"] = .integer(cloud.clock.effective(login.time).seconds)
        shared["iat"] = .integer(now.seconds)

        var access = shared
        access["client_id"] = .string(client.id)
        access["token_use"] = "access"
        access["scope"] = .string(changes.scopes(of: [UserPoolTokens.scopeOfAPI]).joined(separator: " "))
        access["exp"] = .integer((now + client.accessTokenDuration).seconds)
        access["jti"] = .string(try UserPoolIdentifier.newUUID())
        access["username"] = .string(user.username)
        if let device { access["device_key"] = .string(device) }
        changes.access.apply(to: &access, except: UserPoolTokenChanges.fixedInAccessTokens)

        var identity = shared
        if !groups.roles.isEmpty { identity["cognito:roles"] = .array(groups.roles.map { .string($0) }) }
        if let role = groups.preferredRole { identity["cognito:preferred_role"] = .string(role) }
        identity["cognito:username"] = .string(user.username)
        identity["aud"] = .string(client.id)
        identity["token_use"] = "id"
        identity["exp"] = .integer((now + client.idTokenDuration).seconds)
        identity["jti"] = .string(try UserPoolIdentifier.newUUID())
        for attribute in user.attributes where client.reads(attribute.name) { identity[attribute.name] = Self.claim(attribute) }
        changes.identity.apply(to: &identity, except: UserPoolTokenChanges.fixedInIDTokens)

        let (idKey, accessKey) = (
            try await cloud.signingKey(for: pool.keyNameOfIDTokens), try await cloud.signingKey(for: pool.keyNameOfAccessTokens)
        )
        return UserPoolTokens(
            accessToken: try JSONWebToken.sign(header: [:], claims: access, key: accessKey),
            idToken: try JSONWebToken.sign(header: [:], claims: identity, key: idKey),
            lifetime: Int(client.accessTokenDuration.components.seconds))
    }

    /// Values are texts, except of the two Boolean standard attributes and of the address.
    private static func claim(_ attribute: UserPoolUser.Attribute) -> JSONValue {
        if UserPoolAttribute.verified.contains(attribute.name) { return .bool(attribute.value == "true") }
        if attribute.name == "address" { return ["formatted": .string(attribute.value)] }
        return .string(attribute.value)
    }
}
