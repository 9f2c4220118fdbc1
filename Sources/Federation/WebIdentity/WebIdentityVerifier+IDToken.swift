import Cloud
import Directory
import Policy
import Tokens
import WireFormats

extension WebIdentityVerifier {
    /// The algorithms that the real service accepts: neither RSASSA-PSS nor EdDSA, and none with a shared secret.
    static let algorithms: Set<SignatureAlgorithm> = [.rs256, .rs384, .rs512, .es256, .es384, .es512]

    /// Verifies an ID token of an OpenID Connect issuer that the account trusts, or of Google.
    func verifyIDToken(_ text: String, account: String) async throws -> WebIdentity {
        let presented = try present(text, account: account)
        guard let issuer = presented.issuer else {
            return try await verify(presented.token, presented.claims, ofForeignIssuerTrustedIn: account)
        }
        try await verifySignature(of: presented.token, issuedBy: issuer.name, issuer.url)
        return try identity(presented.token, presented.claims, prefix: issuer.prefix, trust: issuer.trust, isGoogle: issuer.isGoogle)
    }

    /// A token that is not verified yet. A class, because it is kept in the frame of an asynchronous function.
    private final class PresentedToken: Sendable {
        /// An issuer of this sandbox.
        struct Issuer: Sendable {
            /// The name of the provider.
            var name: String
            /// The `iss` of its tokens.
            var url: String?
            var isGoogle: Bool
            /// The trust of the account; `nil` for Google, which needs none.
            var trust: OpenIDConnectTrust?
            /// The spelling of the issuer in condition keys.
            var prefix: String
        }

        let token: JSONWebToken
        let claims: TokenClaims
        /// `nil` for an external issuer.
        let issuer: Issuer?

        init(_ token: JSONWebToken, _ claims: TokenClaims, issuer: Issuer?) {
            self.token = token
            self.claims = claims
            self.issuer = issuer
        }
    }

    /// Parses a token, and finds its issuer among those of this sandbox. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func present(_ text: String, account: String) throws(WebIdentityError) -> PresentedToken {
        let (token, claims) = try Self.parse(text)
        let directory = cloud.directory
        guard let provider = directory.provider(issuer: claims.issuer, names: names) else {
            return PresentedToken(token, claims, issuer: nil)
        }
        // Google needs no provider object in IAM; every other issuer does.
        var trust = provider.issuer.flatMap { directory.trust(url: $0, in: account) }
        var spelling = provider.issuerKeyPrefix
        // A local issuer can be trusted under any of its names. An account that trusts several uses the canonical one.
        if trust == nil, provider.kind == .openIDConnect, let spelled = directory.trust(url: claims.issuer, in: account) {
            trust = spelled
            spelling = spelled.hostAndPath
        }
        guard let prefix = spelling, provider.kind == .google || trust != nil else {
            throw WebIdentityError.unknownIssuer(claims.issuer)
        }
        return PresentedToken(
            token, claims,
            issuer: .init(
                name: provider.name, url: provider.issuer, isGoogle: provider.kind == .google, trust: trust, prefix: prefix))
    }

    /// Verifies a token of an external issuer with the keys that the issuer publishes.
    private func verify(
        _ token: JSONWebToken, _ claims: TokenClaims, ofForeignIssuerTrustedIn account: String
    ) async throws -> WebIdentity {
        guard !OutboundIssuer.isIssuer(claims.issuer), let trust = cloud.directory.trust(url: claims.issuer, in: account) else {
            throw WebIdentityError.unknownIssuer(claims.issuer)
        }
        try await verifySignature(of: token, issuedElsewhereBy: claims.issuer)
        return try identity(token, claims, prefix: trust.hostAndPath, trust: trust, isGoogle: false)
    }

    /// Returns the identity of a token whose signature has been verified.
    private func identity(
        _ token: JSONWebToken, _ claims: TokenClaims, prefix: String, trust: OpenIDConnectTrust?, isGoogle: Bool
    ) throws -> WebIdentity {
        try claims.checkTimes(cloud.clock)
        guard claims.authorizedParty != nil || claims.audiences.count == 1 else { throw WebIdentityError.severalAudiences }
        let audience = claims.authorizedParty ?? claims.audiences[0]
        if let trust, !trust.clientIDs.contains(audience), !(dialect == .ceph && trust.clientIDs.isEmpty) {
            throw WebIdentityError.audienceNotAccepted(presented: [audience], accepted: trust.clientIDs)
        }

        var keys: [SessionCredentials.Claim] = [
            .init(key: String(joining: prefix, ":aud"), values: [audience]),
            .init(key: String(joining: prefix, ":sub"), values: [claims.subject]),
        ]
        if let amr = token.claims["amr"]?.arrayValue { keys.append(.init(key: prefix + ":amr", values: amr.compactMap(\.stringValue))) }
        // Only these keys exist, and those of ``ProviderClaims``; conditions on other claims never match.
        // (IAM User Guide, "Available keys for AWS OIDC federation"; `email` was reported by users of Google's.)
        var trustKeys = keys
        if isGoogle {
            trustKeys.append(.init(key: prefix + ":oaud", values: claims.audiences))
            if let email = token.claims["email"]?.stringValue { trustKeys.append(.init(key: prefix + ":email", values: [email])) }
            if let number = ProviderClaims.value(of: token.claims["google"]?["organization_number"]) {
                trustKeys.append(.init(key: prefix + ":google/organization_number", values: [number]))
            }
        } else if let party = claims.authorizedParty {
            trustKeys.append(.init(key: prefix + ":azp", values: [party]))
        }
        for name in ProviderClaims.names(of: prefix) {
            guard let value = ProviderClaims.value(of: token.claims[name]) else { continue }
            trustKeys.append(.init(key: String(joining: prefix, ":", name), values: [value]))
        }
        if let trust, let context = trust.contextProvider { keys += OriginIdentity.keys(of: token.claims, context, providerARN: trust.arn) }
        let provider = trust?.arn ?? prefix
        return WebIdentity(
            federatedPrincipal: provider, subject: claims.subject, audience: audience, providerName: provider, trustKeys: trustKeys,
            sessionKeys: keys,
            requests: try SessionRequests(claims: token.claims, takesSeveralValues: dialect == .ceph))
    }

    /// Parses a token and its claims without verifying anything.
    static func parse(_ text: String) throws(WebIdentityError) -> (token: JSONWebToken, claims: TokenClaims) {
        let token: JSONWebToken
        // The last of several members with the same name counts, as at the real service.
        do {
            token = try JSONWebToken(parsing: text, accepting: algorithms, repeatedNames: .lastCounts)
        } catch { throw .notAToken }
        return (token, try TokenClaims(token.claims))
    }

    /// Verifies a signature with the keys of an identity provider of this sandbox.
    /// - Parameters:
    ///   - name: the name of the provider.
    ///   - issuer: the `iss` of its tokens, for the error.
    func verifySignature(of token: JSONWebToken, issuedBy name: String, _ issuer: String?) async throws {
        guard let keyID = token.keyID, let key = try await cloud.verificationKey(keyID, of: name)
        else { throw WebIdentityError.noVerificationKey }
        do { try token.verify(with: key) } catch {
            throw WebIdentityError.notValidated(keyID: keyID, issuer: issuer ?? name)
        }
    }

    /// Verifies a signature with the keys that an external issuer publishes.
    func verifySignature(of token: JSONWebToken, issuedElsewhereBy issuer: String) async throws {
        let key = try await issuers.key(for: token, of: issuer)
        do { try token.verify(with: key) } catch { throw WebIdentityError.notValidated(keyID: token.keyID, issuer: issuer) }
    }
}
