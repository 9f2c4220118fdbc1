package import Cloud
package import Directory
import Policy
import Tokens
import WireFormats

/// Verifies the logins of an identity pool with the verifiers of STS. (Amazon Cognito Developer Guide, "External identity providers".)
package struct PoolLoginVerifier: Sendable {
    let pool: IdentityPool
    let cloud: Cloud
    let names: HostNames
    let issuers: ForeignIssuers
    let samlMetadata: SAMLMetadataCache
    /// Verifies tokens of user pools; `nil` if there are none.
    let userPools: (any UserPoolLogins)?

    package init(
        pool: IdentityPool, cloud: Cloud, names: HostNames, issuers: ForeignIssuers, samlMetadata: SAMLMetadataCache,
        userPools: (any UserPoolLogins)?
    ) {
        self.pool = pool
        self.cloud = cloud
        self.names = names
        self.issuers = issuers
        self.samlMetadata = samlMetadata
        self.userPools = userPools
    }

    private static let facebook = "graph.facebook.com"
    private static let amazon = "www.amazon.com"
    /// The social providers with ID tokens.
    private static let socialIssuers = ["accounts.google.com", "appleid.apple.com"]
    /// The providers with tokens of OAuth 1, which are not here.
    private static let absent = ["api.twitter.com", "www.digits.com"]

    /// Verifies a login.
    /// - Parameters:
    ///   - key: the key of the login.
    ///   - token: its value.
    /// - Throws: ``PoolLoginError``, or an error of the database.
    package func verify(_ key: String, _ token: String) async throws -> PoolLogin {
        if key == IdentityPool.ownProvider { throw PoolLoginError.ownToken }
        if Self.absent.contains(key) {
            guard pool.application(of: key) != nil else { throw PoolLoginError.unsupportedProvider }
            throw PoolLoginError.absentProvider(key)
        }
        if key == Self.facebook || key == Self.amazon { return try await verifySocial(key, token) }
        if pool.samlProviders.contains(key) { return try await verifySAML(key, token) }
        return try await verifyIDToken(key, token)
    }

    /// Verifies an opaque access token with the records of its provider.
    private func verifySocial(_ key: String, _ token: String) async throws -> PoolLogin {
        guard let application = pool.application(of: key) else { throw PoolLoginError.unsupportedProvider }
        let verifier = WebIdentityVerifier(cloud: cloud, names: names, issuers: issuers)
        let identity: WebIdentity
        do {
            identity = try await verifier.verify(token: token, providerID: key, account: pool.account)
        } catch is WebIdentityError {
            throw PoolLoginError.rejectedByProvider(key)
        }
        // Condition keys name an application of Amazon by another identifier than tokens do.
        let applications = [identity.audience] + identity.trustKeys.filter { $0.key.hasSuffix(":app_id") }.flatMap(\.values)
        guard applications.contains(application) else {
            throw PoolLoginError.unsupportedClient(.audienceNotAccepted(presented: applications, accepted: [application]))
        }
        var claims: JSONObject = ["iss": .string(key), "aud": .string(application), "sub": .string(identity.subject)]
        if key == Self.amazon { claims["user_id"] = .string(identity.subject) }
        return PoolLogin(
            login: PoolIdentity.Login(provider: key, subject: identity.subject), names: [key], audience: application, claims: claims,
            methods: [key, "\(key):\(application):\(identity.subject)"])
    }

    private func verifySAML(_ arn: String, _ response: String) async throws -> PoolLogin {
        guard let trust = cloud.directory.samlTrust(arn: arn, at: .aws),
            let metadata = samlMetadata.metadata(try await trust.currentMetadata(in: cloud), of: trust.arn)
        else { throw PoolLoginError.unsupportedProvider }
        let login: SAMLLogin
        do {
            login = try await SAMLIdentityVerifier(clock: cloud.clock, metadata: metadata, trust: trust).login(response, in: cloud)
        } catch let error as SAMLIdentityError {
            throw PoolLoginError.rejectedResponse(error)
        }
        var claims = login.attributes
        for (name, value) in [("sub", login.subject), ("nameidentifier", login.subject), ("aud", login.audience), ("iss", login.issuer)]
        where claims[name] == nil {
            claims[name] = .string(value)
        }
        return PoolLogin(
            login: PoolIdentity.Login(provider: arn, subject: login.subject), names: [arn], audience: login.audience, claims: claims,
            methods: [arn, "\(arn):\(login.subject)"], roles: login.roles)
    }

    /// Verifies an ID token. Its form and its issuer are checked before it matters whether the pool accepts the provider.
    private func verifyIDToken(_ key: String, _ text: String) async throws -> PoolLogin {
        if Self.socialIssuers.contains(key), pool.application(of: key) == nil, trusts(of: key).isEmpty {
            throw PoolLoginError.unsupportedProvider
        }
        let token: JSONWebToken
        do throws(JSONWebTokenError) {
            token = try JSONWebToken(parsing: text, accepting: WebIdentityVerifier.algorithms, repeatedNames: .lastCounts)
        } catch {
            if case .unsupportedAlgorithm = error { throw PoolLoginError.notVerified(.notAToken(error)) }
            throw PoolLoginError.notAToken
        }
        guard let issuer = token.claims["iss"]?.stringValue else { throw PoolLoginError.missingClaim("iss") }
        guard issuer != PoolToken.issuer else { throw PoolLoginError.ownToken }
        if let clients = userPoolClients(of: key), let first = clients.first {
            guard isIssuer(issuer, ofUserPool: first.provider, key: key) else { throw PoolLoginError.foreignIssuer }
            return try await verifyUserPool(token, text, clients)
        }
        guard isIssuer(issuer, key: key) else { throw PoolLoginError.foreignIssuer }
        guard token.claims["aud"] != nil else { throw PoolLoginError.missingClaim("aud") }
        return try await verifyOpenIDConnect(key, text)
    }

    private func verifyOpenIDConnect(_ key: String, _ text: String) async throws -> PoolLogin {
        var trusts = trusts(of: key)
        if let application = pool.application(of: key) {
            trusts.append(OpenIDConnectTrust(account: pool.account, url: "https://\(key)", clientIDs: [application]))
        }
        guard !trusts.isEmpty else { throw PoolLoginError.unsupportedProvider }
        // Several clients of one issuer are clients of one provider in IAM, or the application of a social provider.
        var trust = trusts[0]
        trust.clientIDs = trusts.flatMap(\.clientIDs)
        let verifier = WebIdentityVerifier(cloud: cloud, names: names, issuers: issuers)
        let verified: (claims: JSONObject, subject: String, audience: String)
        do {
            verified = try await verifier.claims(ofLogin: text, at: trust)
        } catch let error as WebIdentityError {
            throw PoolLoginError(error)
        }
        // A login is the same one under each name of a local issuer.
        let provider = trust.hostAndPath
        return PoolLogin(
            login: PoolIdentity.Login(provider: provider, subject: verified.subject), names: [provider] + trusts.map(\.arn),
            audience: verified.audience, claims: verified.claims, methods: [provider, "\(provider):OIDC:\(verified.subject)"])
    }

    /// Returns the providers in IAM that the pool accepts, and that have an issuer.
    private func trusts(of key: String) -> [OpenIDConnectTrust] {
        let directory = cloud.directory
        return pool.openIDConnectProviders.compactMap { directory.trusts[$0] }.filter { trust in
            trust.hostAndPath == key || isIssuer(trust.url, key: key)
        }
    }

    /// Returns whether the key of a login names an issuer: by its host and path, or by those of another spelling of a local issuer.
    private func isIssuer(_ issuer: String, key: String) -> Bool {
        if issuer == key { return true }
        let schemes = ["https://", "http://"]
        if schemes.contains(where: { issuer == $0 + key }) { return true }
        guard let provider = cloud.directory.provider(issuer: issuer, names: names) else { return false }
        return schemes.contains { cloud.directory.provider(issuer: $0 + key, names: names)?.name == provider.name }
    }

    // MARK: User pools

    /// The beginning of the second name that the issuer of a user pool can have.
    private static let laterIssuer = "issuer.cognito-idp."

    /// Returns the clients of the user pool that the key of a login names; `nil` if the pool has no client of it. Applications take the key
    /// from the issuer of their token, which can have another host.
    private func userPoolClients(of key: String) -> [IdentityPool.UserPoolClient]? {
        let name = key.hasPrefix(Self.laterIssuer) ? String(key.dropFirst("issuer.".count)) : key
        let exact = pool.userPools.filter { $0.provider == name }
        if !exact.isEmpty { return exact }
        guard let origin = Origin(url: "http://\(key)"), names.contains(origin) else { return nil }
        let clients = pool.userPools.filter { $0.provider.hasSuffix(origin.path) }
        return clients.isEmpty || origin.path.utf8.count < 2 ? nil : clients
    }

    private func isIssuer(_ issuer: String, ofUserPool provider: String, key: String) -> Bool {
        if ["https://", "http://", "https://issuer."].contains(where: { issuer == $0 + provider || issuer == $0 + key }) { return true }
        guard let origin = Origin(url: issuer), names.contains(origin) else { return false }
        return provider.hasSuffix(origin.path) && origin.path.utf8.count > 1
    }

    private func verifyUserPool(
        _ token: JSONWebToken, _ text: String, _ clients: [IdentityPool.UserPoolClient]
    ) async throws -> PoolLogin {
        guard let audience = token.claims["aud"]?.stringValue else { throw PoolLoginError.missingClaim("aud") }
        guard let client = clients.first(where: { $0.clientID == audience }) else {
            throw PoolLoginError.unsupportedClient(.audienceNotAccepted(presented: [audience], accepted: clients.map(\.clientID)))
        }
        guard let userPools, let slash = client.provider.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            throw PoolLoginError.notVerified(nil)
        }
        let id = String(Substring(client.provider.utf8[client.provider.utf8.index(after: slash)...]))
        let claims: JSONObject
        do {
            claims = try await userPools.claims(ofIDToken: text, pool: id, isCurrent: client.checksTokens == true, in: cloud)
        } catch let error as WebIdentityError {
            throw PoolLoginError(error)
        }
        guard let subject = claims["sub"]?.stringValue else { throw PoolLoginError.missingClaim("sub") }
        let key = client.provider
        return PoolLogin(
            login: PoolIdentity.Login(provider: key, subject: subject), names: ["\(key):\(audience)", key], audience: audience,
            claims: claims, methods: [key, "\(key):CognitoSignIn:\(subject)"])
    }
}

extension PoolLoginError {
    /// Creates the error of an ID token that a verifier of STS rejects.
    package init(_ error: WebIdentityError) {
        self =
            switch error {
            case .unknownIssuer, .audienceNotAccepted, .severalAudiences: .unsupportedClient(error)
            case .notValidated, .noVerificationKey, .unreachableProvider: .notVerified(error)
            case .notAToken: .notAToken
            case .missingClaim(let name): .missingClaim(name)
            case .expired(let now, let expiry): .expired(now: now, expiry: expiry)
            default: .rejectedToken(error)
            }
    }
}

extension WebIdentityVerifier {
    /// Verifies the ID token of a login at an identity pool. The client is checked before the signature.
    /// - Throws: `WebIdentityError`, or an error of the database.
    func claims(
        ofLogin text: String, at trust: OpenIDConnectTrust
    ) async throws -> (claims: JSONObject, subject: String, audience: String) {
        var run = DecidingRun<WebIdentityError>()
        let presented = try present(text, to: .provider(trust), &run)
        let candidates = presented.claims.authorizedParty.map { [$0] } ?? presented.claims.audiences
        guard let audience = candidates.first(where: { trust.clientIDs.contains($0) }) else {
            throw WebIdentityError.audienceNotAccepted(presented: candidates, accepted: trust.clientIDs)
        }
        // (Developer Guide, "Open ID Connect providers (identity pools)": RSA signatures only.)
        guard [.rs256, .rs384, .rs512].contains(presented.token.algorithm) else {
            throw WebIdentityError.notValidated(keyID: presented.token.keyID, issuer: presented.claims.issuer)
        }
        let key = try await key(of: presented)
        try checkSignatureAndTimes(of: presented, key: key, &run)
        return (presented.token.claims, presented.claims.subject, audience)
    }
}
