import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolCall {
    /// InitiateAuth.
    mutating func initiateAuth() async throws -> JSONValue? {
        let flow = try input.requiredChoice("AuthFlow", of: UserPoolSignIn.flows)
        let id = try clientID()
        let parameters = try input.map("AuthParameters")
        let validation = try input.clientMetadata()
        try input.check()
        let (client, pool) = try client(id)
        let signIn = UserPoolSignIn(
            http: http, pool: pool, client: client, isAdmin: false, functions: functions, deviceKey: parameters["DEVICE_KEY"])
        return try await signIn.start(flow, parameters, validation: validation)
    }

    /// RespondToAuthChallenge.
    mutating func respondToAuthChallenge() async throws -> JSONValue? {
        let id = try clientID()
        let challenge = try input.requiredChoice("ChallengeName", of: UserPoolSignIn.challenges)
        let session = try input.text("Session", length: 20...4096, isSecret: true)
        let responses = try input.map("ChallengeResponses")
        let metadata = try input.clientMetadata()
        try input.check()
        let (client, pool) = try client(id)
        let signIn = UserPoolSignIn(
            http: http, pool: pool, client: client, isAdmin: false, functions: functions, metadata: metadata,
            deviceKey: responses["DEVICE_KEY"])
        return try await signIn.answer(try await signIn.respond(to: challenge, session: session, responses))
    }

    /// GetTokensFromRefreshToken.
    mutating func getTokensFromRefreshToken() async throws -> JSONValue? {
        let token = try input.requiredText("RefreshToken", length: 0...20_000, pattern: .token, isSecret: true)
        let id = try clientID()
        let secret = try input.text("ClientSecret", length: 1...64, isSecret: true)
        let metadata = try input.clientMetadata()
        let deviceKey = try input.text("DeviceKey", length: 1...55, pattern: .device)
        try input.check()
        let (client, pool) = try client(id)
        if let expected = client.secret {
            guard let secret else {
                throw UserPoolError.notAuthorized("Client \(id) is configured for secret but secret was not received")
            }
            guard constantTimeEquals(expected, secret) else {
                throw UserPoolError.notAuthorized("Unable to verify secret for client \(id)")
            }
        }
        let signIn = UserPoolSignIn(
            http: http, pool: pool, client: client, isAdmin: false, functions: functions, metadata: metadata, deviceKey: deviceKey)
        let (user, login) = try signIn.continued(token)
        // A function that fails does not use the token up.
        let tokens = try await signIn.refreshed(user, login)
        var rotated: String?
        if let grace = client.rotationGrace {
            rotated = try await logins.rotate(token, of: login, in: pool, grace: grace)
            guard rotated != nil else { throw UserPoolError("RefreshTokenReuseException", "Refresh token reuse detected") }
        }
        guard let result = UserPoolSignIn.result(tokens, refreshToken: rotated)["AuthenticationResult"] else { return nil }
        return ["AuthenticationResult": result]
    }

    /// RevokeToken. Unknown and revoked tokens are no error.
    mutating func revokeToken() async throws -> JSONValue? {
        let token = try input.requiredText("Token", length: 0...20_000, pattern: .token, isSecret: true)
        let id = try clientID()
        let secret = try input.text("ClientSecret", length: 1...64, isSecret: true)
        try input.check()
        guard let client = pools.client(id) else { throw UserPoolError("UnauthorizedException", "Invalid client or secret") }
        if let expected = client.secret {
            guard let secret, constantTimeEquals(expected, secret) else {
                throw UserPoolError("UnauthorizedException", "Invalid client or secret")
            }
        }
        guard token.utf8.filter({ $0 == UInt8(ascii: ".") }).count != 2 else {
            throw UserPoolError("UnsupportedTokenTypeException", "Unsupported token type")
        }
        guard client.allowsRevocation else {
            throw UserPoolError("UnsupportedOperationException", "Token revocation is not enabled for client \(id)")
        }
        guard let login = logins.login(ofRefreshToken: token) else { return [:] }
        guard login.client == client.id else { throw UserPoolError("UnauthorizedException", "Invalid client or secret") }
        try await logins.end(login)
        return [:]
    }

    /// GlobalSignOut.
    mutating func globalSignOut() async throws -> JSONValue? {
        let token = try accessToken()
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        try await logins.endAll(of: holder.user, in: holder.pool)
        return [:]
    }
}

extension SignedUserPoolCall {
    /// AdminInitiateAuth.
    mutating func adminInitiateAuth() async throws -> JSONValue? {
        let id = try poolID()
        let clientID = try input.requiredText("ClientId", length: 1...128, pattern: .client, isSecret: true)
        let flow = try input.requiredChoice("AuthFlow", of: UserPoolSignIn.flows)
        let parameters = try input.map("AuthParameters")
        let validation = try input.clientMetadata()
        let pool = try pool(id)
        let client = try client(clientID, of: pool)
        let signIn = UserPoolSignIn(
            http: http, pool: pool, client: client, isAdmin: true, functions: functions, deviceKey: parameters["DEVICE_KEY"])
        return try await signIn.start(flow, parameters, validation: validation)
    }

    /// AdminRespondToAuthChallenge.
    mutating func adminRespondToAuthChallenge() async throws -> JSONValue? {
        let id = try poolID()
        let clientID = try input.requiredText("ClientId", length: 1...128, pattern: .client, isSecret: true)
        let challenge = try input.requiredChoice("ChallengeName", of: UserPoolSignIn.challenges)
        let session = try input.text("Session", length: 20...4096, isSecret: true)
        let responses = try input.map("ChallengeResponses")
        let metadata = try input.clientMetadata()
        let pool = try pool(id)
        let client = try client(clientID, of: pool)
        let signIn = UserPoolSignIn(
            http: http, pool: pool, client: client, isAdmin: true, functions: functions, metadata: metadata,
            deviceKey: responses["DEVICE_KEY"])
        return try await signIn.answer(try await signIn.respond(to: challenge, session: session, responses))
    }

    /// AdminUserGlobalSignOut.
    mutating func adminUserGlobalSignOut() async throws -> JSONValue? {
        let id = try poolID()
        let name = try username()
        let pool = try pool(id)
        try await logins.endAll(of: try user(name, of: pool), in: pool)
        return [:]
    }
}
