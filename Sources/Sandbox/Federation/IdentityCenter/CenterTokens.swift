package import Cloud
import Cryptography
package import Directory
import Tokens
package import WireFormats

/// The tokens of IAM Identity Center: what people who log in at its identity provider get for a client.
///
/// They are grants of the provider, so that they end with the person, and those of one login have a family.
package struct CenterTokens: Sendable {
    /// IAM Identity Center as the directory has it.
    package let center: IdentityCenter
    /// The identity provider of the people.
    package let provider: IdentityProvider
    private let cloud: Cloud
    private let issuer: GrantIssuer

    /// The lifetime of access tokens in seconds.
    private static let lifetime = 3600
    /// The lifetime of a login in seconds, and of the access tokens of clients without refresh tokens.
    /// (IAM Identity Center User Guide, "Configure the session duration of the AWS access portal": 8 hours by default.)
    private static let lifetimeOfLogin = 8 * 3600
    /// The lifetime of authorization codes in seconds.
    private static let lifetimeOfCode = 300
    /// The detail that only grants of Identity Center have.
    private static let mark = "identity_center"

    /// The form of the codes for devices.
    package static let deviceForm = DeviceGrant.Form(
        lifetime: 600, interval: 5, userCodeLength: 8, alphabet: DeviceGrant.Form.consonants, isHyphenated: true)

    /// The paths of the pages, relative to the base URL of the identity provider.
    package enum Pages {
        /// The page where a user enters the code of a device.
        package static let device = "/identity-center/device"
        /// The page where a client sends users for an authorization code.
        package static let authorization = "/identity-center/authorize"

        /// Returns the path of a page on this server.
        package static func path(_ page: String, of provider: IdentityProvider) -> String { IssuerPaths.own + provider.name + page }
    }

    /// Why a code or a refresh token gets no tokens. The client only learns that it is not valid.
    package struct Refusal: Error, Equatable, Sendable {
        /// A sentence for the journal.
        package let cause: String
    }

    /// Tokens that were issued.
    package struct Issued: Sendable {
        /// The name of the person.
        package var person: String
        /// The access token.
        package var accessToken: String
        /// The refresh token; `nil` for a client that gets none.
        package var refreshToken: String?
        /// When the access token was issued.
        package var issued: Timestamp
        /// When the access token expires.
        package var expires: Timestamp
    }

    /// - Returns: `nil` if there is no Identity Center, or if its identity provider was removed.
    package init?(in cloud: Cloud) {
        let (directory, issuer) = cloud.issuing
        guard let center = directory.credentialSources.identityCenter, let provider = directory.providers[center.identityProvider] else {
            return nil
        }
        (self.cloud, self.center, self.provider, self.issuer) = (cloud, center, provider, issuer)
    }

    /// The device authorization grant of Identity Center's clients.
    package var devices: DeviceGrant {
        DeviceGrant(in: cloud, at: provider.name, by: issuer) { [self] in client($0)?.shown }
    }

    /// Returns the client with an identifier; `nil` if there is none, or if its registration has expired.
    package func client(_ id: String) -> CenterClient? {
        CenterClient(id: id, in: cloud).flatMap { $0.hasExpired(by: cloud.clock) ? nil : $0 }
    }

    // MARK: Codes

    /// Issues an authorization code.
    /// - Throws: ``GrantRefusal``, or an error of the database.
    package func code(for person: String, to client: CenterClient, redirectURI: String, challenge: String) async throws -> String {
        let (code, now) = (try OpaqueToken.unguessable(), cloud.clock.now)
        let grant = Grant(
            kind: .code, provider: provider.name, client: client.id, person: person, issued: now,
            expires: now + .seconds(Self.lifetimeOfCode),
            details: [Self.mark: true, "redirect_uri": .string(redirectURI), "code_challenge": .string(challenge)])
        try await issuer.keep(grant, under: code)
        return code
    }

    /// Issues tokens for an authorization code. A second use ends the tokens of the first.
    /// - Throws: ``Refusal``, ``GrantRefusal``, or an error of the database.
    package func redeem(code: String, by client: CenterClient, redirectURI: String, verifier: String) async throws -> Issued {
        guard let grant = try cloud.grants.look(up: code, kind: .code, at: provider.name), grant.details[Self.mark] == true,
            grant.client.equals(client.id)
        else { throw Refusal(cause: "The code is unknown, or belongs to another client.") }
        if grant.isSpent { throw try await secondUse(of: grant) }
        guard !cloud.clock.hasExpired(grant.expires, issuedAt: grant.issued) else { throw Refusal(cause: "The code has expired.") }
        guard grant.details["redirect_uri"]?.stringValue?.equals(redirectURI) == true else {
            throw Refusal(cause: "The redirect URI is not that of the authorization request.")
        }
        guard PKCE.matches(verifier: verifier, challenge: grant.details["code_challenge"]?.stringValue ?? "") else {
            throw Refusal(cause: "The code verifier does not match the code challenge.")
        }
        guard let issued = try await issue(for: grant.person, to: client, spending: code) else {
            // A concurrent request has used the code. Only now does the grant have the family of its tokens.
            throw try await secondUse(of: try cloud.grants.look(up: code, kind: .code, at: provider.name) ?? grant)
        }
        return issued
    }

    private func secondUse(of code: Grant) async throws -> Refusal {
        if let family = code.family { try await cloud.grants.revoke(family: family) }
        return Refusal(cause: "The code was used before.")
    }

    // MARK: Tokens

    /// Issues the tokens of a login.
    /// - Throws: ``GrantRefusal``, or an error of the database.
    package func issue(for person: String, to client: CenterClient) async throws -> Issued {
        guard let issued = try await issue(for: person, to: client, spending: nil) else { throw GrantRefusal.access }
        return issued
    }

    /// - Parameter spent: the code or refresh token that the request redeems, if there is one.
    /// - Returns: `nil` if this was used in the meantime.
    private func issue(
        for person: String, to client: CenterClient, spending spent: String?, endingAt end: Timestamp? = nil, family: String? = nil
    ) async throws -> Issued? {
        guard self.person(person) != nil else { throw Refusal(cause: "The user was removed or is disabled.") }
        let now = cloud.clock.now
        let end = end ?? now + .seconds(Self.lifetimeOfLogin)
        let isRefreshed = !client.registration.scopes.isEmpty && client.mayUse(grantType: "refresh_token")
        let expires = isRefreshed ? min(now + .seconds(Self.lifetime), end) : end
        let family = try family ?? randomBytes(16).base64url
        func grant(_ kind: Grant.Kind, until expires: Timestamp) -> Grant {
            Grant(
                kind: kind, provider: provider.name, client: client.id, person: person, issued: now, expires: expires,
                details: [Self.mark: true], family: family)
        }
        var issued = Issued(person: person, accessToken: try OpaqueToken.unguessable(), issued: now, expires: expires)
        var grants = [IssuedGrant(grant(.accessToken, until: expires), token: issued.accessToken)]
        if isRefreshed {
            let token = try OpaqueToken.unguessable()
            issued.refreshToken = token
            grants.append(IssuedGrant(grant(.refreshToken, until: end), token: token))
        }
        return try await issuer.keep(grants, spending: spent) ? issued : nil
    }

    /// Issues tokens for a refresh token, which is used up. The login does not last longer by this.
    /// - Throws: ``Refusal``, ``GrantRefusal``, or an error of the database.
    package func refresh(_ token: String, by client: CenterClient) async throws -> Issued {
        guard let grant = try cloud.grants.look(up: token, kind: .refreshToken, at: provider.name), grant.details[Self.mark] == true,
            grant.client.equals(client.id)
        else { throw Refusal(cause: "The refresh token is unknown, or belongs to another client.") }
        guard !grant.isSpent else { throw try await reuse(of: grant) }
        guard !cloud.clock.hasExpired(grant.expires, issuedAt: grant.issued) else { throw Refusal(cause: "The login has expired.") }
        let end = cloud.clock.effectiveExpiry(grant.expires, issuedAt: grant.issued)
        guard
            let issued = try await issue(for: grant.person, to: client, spending: token, endingAt: end, family: grant.family)
        else { throw Refusal(cause: "The refresh token was used before.") }
        return issued
    }

    /// Ends a login whose refresh token is used again later (RFC 9700 section 4.14.2).
    private func reuse(of token: Grant) async throws -> Refusal {
        guard let family = token.family, let spent = token.spent, cloud.clock.hasExpired(spent + GrantStore.leeway, issuedAt: spent) else {
            return Refusal(cause: "The refresh token was used before.")
        }
        try await cloud.grants.revoke(family: family)
        return Refusal(cause: "The refresh token was used before, so that the login has ended.")
    }

    /// Returns the person of an access token, and the family of the tokens; `nil` if the token is not valid.
    /// - Throws: an error of the database.
    package func holder(ofAccessToken token: String) throws -> (person: Person, family: String)? {
        guard let grant = try cloud.grants.find(token, kind: .accessToken, at: provider.name), grant.details[Self.mark] == true,
            let person = person(grant.person), let family = grant.family
        else { return nil }
        return (person, family)
    }

    /// Ends the tokens of a login.
    /// - Throws: an error of the database.
    package func logOut(family: String) async throws { try await cloud.grants.revoke(family: family) }

    /// Returns a person who may log in.
    package func person(_ name: String) -> Person? { provider.person(named: name).flatMap { $0.isEnabled ? $0 : nil } }
}
