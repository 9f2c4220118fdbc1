package import Cloud
package import Directory
package import Policy
package import Tokens
import WireFormats

/// The OpenID tokens of identity pools: who an identity is, and how it logged in. One issuer has them all.
/// (Amazon Cognito Federated Identities API Reference, "GetOpenIdToken"; the claims are those of published tokens.)
package enum PoolToken {
    /// The `iss` of the tokens.
    package static let issuer = "https://cognito-identity.amazonaws.com"
    /// The name of the issuer's keys.
    package static let keyName = "cognito/identity-pools"
    /// The algorithm of the tokens. (Published key sets.)
    package static let algorithm = SignatureAlgorithm.rs512
    /// The lifetime of the tokens of GetOpenIdToken in seconds.
    package static let lifetime = 600
    /// The lifetimes of the tokens of developers in seconds.
    package static let developerLifetimes = 1...86_400
    /// The lifetime of the tokens of developers that state none, in seconds.
    package static let usualDeveloperLifetime = 900
    /// The claim with the tags of sessions. (IAM User Guide, "Pass session tags in AWS STS".)
    private static let tagClaim = "https://aws.amazon.com/tags"

    /// Returns the values of the claim `amr` for the logins of a call.
    package static func methods(of logins: [PoolLogin]) -> [String] {
        logins.isEmpty ? ["unauthenticated"] : (["authenticated"] + logins.flatMap(\.methods)).uniqued()
    }

    /// Returns a signed token.
    ///
    /// Its `kid` is a name of the sandbox's key: AWS's, the region with a further digit, would not tell sandboxes apart.
    /// - Parameters:
    ///   - tags: the tags of sessions that the token begins.
    ///   - lifetime: seconds.
    /// - Throws: an error of the signing key's storage or of the signature.
    package static func sign(
        for identity: String, in pool: IdentityPool, methods: [String], tags: [Tag] = [], lifetime: Int, cloud: Cloud
    ) async throws -> String {
        let now = cloud.clock.now.seconds
        var claims: JSONObject = [
            "sub": .string(identity), "aud": .string(pool.id), "amr": .array(methods.map { JSONValue.string($0) }),
            "iss": .string(issuer), "https://cognito-identity.amazonaws.com/identity-pool-arn": .string(pool.arn),
            "exp": .integer(now + Int64(lifetime)), "iat": .integer(now),
        ]
        if !tags.isEmpty {
            let values = JSONObject(tags.map { ($0.key, JSONValue.array([.string($0.value)])) })
            claims[tagClaim] = ["principal_tags": .object(values)]
        }
        let key = try await cloud.signingKey(for: keyName, algorithm: algorithm)
        return try JSONWebToken.sign(header: ["typ": "JWS"], claims: claims, key: key)
    }

    /// Returns the identity of a token that a pool's call presents.
    /// - Throws: ``PoolLoginError``, or an error of the database.
    package static func identity(
        of text: String, for pool: IdentityPool, cloud: Cloud, names: HostNames, issuers: ForeignIssuers
    ) async throws -> WebIdentity {
        guard let token = try? JSONWebToken(parsing: text, repeatedNames: .lastCounts) else { throw PoolLoginError.notAToken }
        guard let issuer = token.claims["iss"]?.stringValue, issuer == Self.issuer else { throw PoolLoginError.notOwnToken }
        let identity: WebIdentity
        do {
            identity = try await WebIdentityVerifier(cloud: cloud, names: names, issuers: issuers)
                .verify(token: text, providerID: nil, account: pool.account)
        } catch let error as WebIdentityError {
            throw PoolLoginError(error)
        }
        guard identity.audience == pool.id else {
            throw PoolLoginError.unsupportedClient(.audienceNotAccepted(presented: [identity.audience], accepted: [pool.id]))
        }
        return identity
    }
}

extension WebIdentity {
    /// Creates the identity of a call for credentials, as STS would find it in the token of the pool.
    /// - Parameters:
    ///   - methods: the values of `amr`.
    ///   - tags: the tags of the session.
    /// - Throws: `WebIdentityError.malformedSessionClaim` for tags that STS does not accept.
    package init(
        ofPoolIdentity identity: String, in pool: IdentityPool, methods: [String], tags: [Tag]
    ) throws(WebIdentityError) {
        let prefix = IdentityPool.ownProvider
        let keys: [SessionCredentials.Claim] = [
            .init(key: "\(prefix):aud", values: [pool.id]), .init(key: "\(prefix):sub", values: [identity]),
            .init(key: "\(prefix):amr", values: methods),
        ]
        var requests = SessionRequests()
        for tag in tags { try requests.add(SessionRequests.Tag(key: tag.key, values: [tag.value])) }
        self.init(
            federatedPrincipal: prefix, subject: identity, audience: pool.id, providerName: prefix, trustKeys: keys, sessionKeys: keys,
            requests: requests)
    }

    /// The values of `amr`.
    package var methods: [String] { sessionKeys.first { $0.key.hasSuffix(":amr") }?.values ?? [] }
}
