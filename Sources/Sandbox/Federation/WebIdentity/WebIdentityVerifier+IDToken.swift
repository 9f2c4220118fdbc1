import Cloud
import Directory
import Policy
import Tokens
import WireFormats

extension WebIdentityVerifier {
    /// The algorithms that the real service accepts: neither RSASSA-PSS nor EdDSA, and none with a shared secret.
    static let algorithms = SignatureAlgorithm.rsaAndECDSA

    /// Verifies an ID token of an OpenID Connect issuer that the account trusts, or of Google.
    func verifyIDToken(_ text: String, account: String) async throws -> WebIdentity {
        var run = DecidingRun<WebIdentityError>()
        let presented = try present(text, to: .account(account), &run)
        return try identity(presented, key: try await key(of: presented), &run)
    }

    /// A token that is not verified yet. A class, because it is kept in the frame of an asynchronous function.
    final class PresentedToken: Sendable {
        let token: JSONWebToken
        let claims: TokenClaims
        let issuer: Issuer

        init(_ token: JSONWebToken, _ claims: TokenClaims, _ issuer: Issuer) {
            self.token = token
            self.claims = claims
            self.issuer = issuer
        }
    }

    /// The issuer of a token, as the relying party knows it.
    struct Issuer: Sendable {
        /// The name of the provider; `nil` for an external issuer.
        var provider: String?
        /// The `iss` of its tokens.
        var url: String?
        var isGoogle = false
        /// The trust of the relying party; `nil` for Google and for applications, which need none.
        var trust: OpenIDConnectTrust?
        /// The spelling of the issuer in condition keys.
        var prefix = ""
    }

    /// Parses a token and its claims, and finds its issuer. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    func present<Run: CheckRun>(
        _ text: String, to party: RelyingParty, _ run: inout Run
    ) throws(WebIdentityError) -> PresentedToken where Run.Failure == WebIdentityError {
        let token = try run.find("format") { () throws(WebIdentityError) -> JSONWebToken in
            // The last of several members with the same name counts, as at the real service.
            do throws(JSONWebTokenError) {
                return try JSONWebToken(parsing: text, accepting: Self.algorithms, repeatedNames: .lastCounts)
            } catch { throw .notAToken(error) }
        }
        let claims = try run.find("required claims") { () throws(WebIdentityError) in try TokenClaims(token.claims) }
        let issuer = try run.find("issuer") { () throws(WebIdentityError) in try self.issuer(of: claims, for: party) }
        return PresentedToken(token, claims, issuer)
    }

    /// Returns the key with which a token must have been signed: one of this sandbox, or one that an external issuer publishes.
    /// - Throws: an error of the database.
    func key(of presented: PresentedToken) async throws -> Result<VerificationKey, WebIdentityError> {
        guard let provider = presented.issuer.provider else {
            do {
                return .success(try await issuers.key(for: presented.token, of: presented.claims.issuer))
            } catch let error as WebIdentityError { return .failure(error) }
        }
        guard let keyID = presented.token.keyID, let key = try await cloud.verificationKey(keyID, of: provider) else {
            return .failure(.noVerificationKey)
        }
        return .success(key)
    }

    /// Checks the signature of a token, then its times.
    @inline(__always)
    func checkSignatureAndTimes<Run: CheckRun>(
        of presented: PresentedToken, key: Result<VerificationKey, WebIdentityError>, _ run: inout Run
    ) throws(WebIdentityError) where Run.Failure == WebIdentityError {
        try run.check("signature") { () throws(WebIdentityError) in
            let key = try key.get()
            do {
                try presented.token.verify(with: key)
            } catch {
                let issuer = presented.issuer.url ?? presented.issuer.provider ?? presented.claims.issuer
                throw .notValidated(keyID: presented.token.keyID, issuer: issuer)
            }
        }
        try run.check("times") { () throws(WebIdentityError) in try presented.claims.checkTimes(cloud.clock) }
    }

    /// Returns the identity of a token, after the checks that need its key. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    func identity<Run: CheckRun>(
        _ presented: PresentedToken, key: Result<VerificationKey, WebIdentityError>, _ run: inout Run
    ) throws(WebIdentityError) -> WebIdentity where Run.Failure == WebIdentityError {
        try checkSignatureAndTimes(of: presented, key: key, &run)
        let (token, claims, trust) = (presented.token, presented.claims, presented.issuer.trust)
        let prefix = presented.issuer.prefix
        let audience = try run.find("audience") { () throws(WebIdentityError) -> String in
            guard claims.authorizedParty != nil || claims.audiences.count == 1 else { throw .severalAudiences }
            let audience = claims.authorizedParty ?? claims.audiences[0]
            if let trust, !trust.clientIDs.contains(audience), !(dialect == .ceph && trust.clientIDs.isEmpty) {
                throw .audienceNotAccepted(presented: [audience], accepted: trust.clientIDs)
            }
            return audience
        }
        let requests = try run.find("session settings") { () throws(WebIdentityError) in
            try SessionRequests(claims: token.claims, takesSeveralValues: dialect == .ceph)
        }

        var keys: [SessionCredentials.Claim] = [
            .init(key: String(joining: prefix, ":aud"), values: [audience]),
            .init(key: String(joining: prefix, ":sub"), values: [claims.subject]),
        ]
        if let amr = token.claims["amr"]?.arrayValue { keys.append(.init(key: prefix + ":amr", values: amr.compactMap(\.stringValue))) }
        // Only these keys exist, and those of ``ProviderClaims``; conditions on other claims never match. RADOS Gateway has `azp` besides.
        // (Service Authorization Reference, "AWS Security Token Service".)
        var trustKeys = keys
        trustKeys.append(.init(key: prefix + ":oaud", values: claims.audiences))
        if let email = token.claims["email"]?.stringValue { trustKeys.append(.init(key: prefix + ":email", values: [email])) }
        if presented.issuer.isGoogle {
            if let number = ProviderClaims.value(of: token.claims["google"]?["organization_number"]) {
                trustKeys.append(.init(key: prefix + ":google/organization_number", values: [number]))
            }
        } else if dialect == .ceph, let party = claims.authorizedParty {
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
            sessionKeys: keys, requests: requests)
    }
}
