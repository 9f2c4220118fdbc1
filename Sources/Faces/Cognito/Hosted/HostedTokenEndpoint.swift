import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The token endpoint of a user pool. (Amazon Cognito Developer Guide, "Token endpoint".)
struct HostedTokenEndpoint: Sendable {
    let visit: HostedVisit

    func respond() async throws -> Response {
        try await visit.enter("Token")
        let form = try await visit.call.form()
        if let name = form.repeatedName { throw HostedTokenError.invalidRequest("The parameter \(name) is given twice.") }
        guard let grant = form.value("grant_type") else { throw HostedTokenError.invalidRequest("grant_type is missing.") }
        let client = try visit.client(sending: form)
        visit.call.note(caller: "\(visit.pool.arn)/client/\(client.id)")
        // A client whose grants are off has none. (Public reports about clients without `AllowedOAuthFlowsUserPoolClient`.)
        guard client.oauthSettings.isEnabled else { throw HostedTokenError.invalidGrant("The grants of the app client are off.") }
        switch grant {
        case "authorization_code": return try await tokens(forCodeOf: client, form)
        case "refresh_token": return try await tokens(forRefreshTokenOf: client, form)
        case "client_credentials": return try await tokens(of: client, form)
        default: throw HostedTokenError("unsupported_grant_type", "The grant type \(grant) is not known.")
        }
    }

    /// Redeems a code, which works once.
    private func tokens(forCodeOf client: UserPoolClient, _ form: FormFields) async throws -> Response {
        guard let code = form.value("code") else { throw HostedTokenError.invalidRequest("code is missing.") }
        guard let redirectURI = form.value("redirect_uri") else { throw HostedTokenError.invalidRequest("redirect_uri is missing.") }
        guard client.oauthSettings.allows(.code) else { throw HostedTokenError.unauthorizedClient("The app client cannot use codes.") }
        guard let grant = try visit.cloud.grants.find(code, kind: .code, at: visit.pool.grantName), grant.client == client.id else {
            throw HostedTokenError.invalidGrant("The code is not one of the app client, was used, or has expired.")
        }
        guard grant.details["redirect_uri"] == .string(redirectURI) else {
            throw HostedTokenError.invalidGrant("redirect_uri is not that of the authorization request.")
        }
        let verifier = form.value("code_verifier")
        guard Self.fits(verifier, challenge: grant.details["code_challenge"]?.stringValue) else {
            throw HostedTokenError.invalidGrant("code_verifier does not fit the code_challenge of the authorization request.")
        }
        guard let user = visit.pools.user(sub: grant.person, in: visit.pool.id), user.isEnabled else {
            throw HostedTokenError.invalidGrant("The user does not exist or is disabled.")
        }
        visit.call.note(caller: "\(visit.pool.arn)/\(user.username)")
        let scopes = grant.details["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? []
        guard Self.reads(client, scopes) else {
            throw HostedTokenError.invalidGrant("The app client cannot read all attributes of the scopes.")
        }
        let authenticated = grant.details["authenticated"]?.integerValue.map { Timestamp(stored: $0) } ?? grant.issued
        // A function that fails does not use the code up.
        let (current, changes) = try await visit.tokenChanges(for: user, at: client, scopes: scopes)
        let begun = try await visit.logins.begin(
            current, at: client, of: visit.pool, authenticated: authenticated, scopes: scopes, spending: code)
        guard let (login, refreshToken) = begun else { throw HostedTokenError.invalidGrant("The code was used before.") }
        let tokens = try await visit.logins.tokens(
            for: current, at: client, of: visit.pool, in: login, nonce: grant.details["nonce"]?.stringValue, changes: changes)
        return Self.response(tokens, refreshToken: refreshToken)
    }

    /// Returns whether a verifier proves that the client began the request. One without a challenge does not fit, or an attacker could remove the
    /// challenge unnoticed (RFC 9700 section 4.8.2).
    private static func fits(_ verifier: String?, challenge: String?) -> Bool {
        switch (verifier, challenge) {
        case (let verifier?, let challenge?): PKCE.matches(verifier: verifier, challenge: challenge)
        case (nil, nil): true
        default: false
        }
    }

    /// Returns whether a client can read the attributes of its scopes.
    private static func reads(_ client: UserPoolClient, _ scopes: [String]) -> Bool {
        let named = [("email", "email"), ("email", "email_verified"), ("phone", "phone_number"), ("phone", "phone_number_verified")]
        return named.allSatisfy { scope, attribute in !scopes.contains(scope) || client.reads(attribute) }
    }

    /// Continues a login. A refresh token is returned only where refresh tokens are rotated.
    private func tokens(forRefreshTokenOf client: UserPoolClient, _ form: FormFields) async throws -> Response {
        guard let token = form.value("refresh_token") else { throw HostedTokenError.invalidRequest("refresh_token is missing.") }
        let signIn = visit.signIn(to: client)
        let user: UserPoolUser
        let login: UserPoolLogin
        do {
            (user, login) = try signIn.continued(token)
        } catch let error as UserPoolError {
            throw HostedTokenError.invalidGrant(error.message)
        }
        // A function that fails does not use the token up.
        let tokens = try await signIn.refreshed(user, login)
        var rotated: String?
        if let grace = client.rotationGrace {
            rotated = try await visit.logins.rotate(token, of: login, in: visit.pool, grace: grace)
            guard rotated != nil else { throw HostedTokenError.invalidGrant("Refresh token reuse detected") }
        }
        return Self.response(tokens, refreshToken: rotated)
    }

    /// Issues a token for the client itself. Without `scope`, it has all scopes that the client can ask for.
    private func tokens(of client: UserPoolClient, _ form: FormFields) async throws -> Response {
        guard client.oauthSettings.allows(.clientCredentials) else {
            throw HostedTokenError.unauthorizedClient("The app client cannot use client_credentials.")
        }
        guard let scopes = client.scopes(asked: form.value("scope"), in: visit.pools), !scopes.isEmpty else {
            throw HostedTokenError.invalidScope("The app client cannot ask for these scopes.")
        }
        let triggers = UserPoolTriggers(
            http: visit.call, functions: visit.functions, pool: visit.pool, client: client, metadata: try Self.metadata(form))
        let changes = try await triggers.tokenChanges(forTokenOf: client, scopes: scopes)
        let (token, lifetime) = try await visit.logins.clientToken(of: client, of: visit.pool, scopes: scopes, changes: changes)
        return Self.response(["access_token": .string(token), "expires_in": .integer(Int64(lifetime)), "token_type": "Bearer"])
    }

    /// Returns what the client sends to functions, a JSON object with texts.
    private static func metadata(_ form: FormFields) throws(HostedTokenError) -> JSONObject {
        guard let text = form.value("aws_client_metadata") else { return [:] }
        let members = (try? JSONValue(parsing: text))?.objectValue
        guard let members, members.members.allSatisfy({ $0.value.stringValue != nil }) else {
            throw .invalidRequest("aws_client_metadata is not a JSON object with texts.")
        }
        return members
    }

    private static func response(_ tokens: UserPoolTokens, refreshToken: String?) -> Response {
        var members: JSONObject = [:]
        if let idToken = tokens.idToken { members["id_token"] = .string(idToken) }
        members["access_token"] = .string(tokens.accessToken)
        if let refreshToken { members["refresh_token"] = .string(refreshToken) }
        members["expires_in"] = .integer(Int64(tokens.lifetime))
        members["token_type"] = "Bearer"
        return response(members)
    }

    private static func response(_ members: JSONObject) -> Response { .json(.object(members), headers: .unstored) }
}
