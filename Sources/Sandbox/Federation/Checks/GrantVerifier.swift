package import Cloud
package import Directory
import Tokens
import WireFormats

/// A token or a code that the identity provider that issued it accepts.
package struct VerifiedGrant: Sendable {
    /// The record of the token.
    package let grant: Grant
    /// The client that the token was issued to.
    package let client: Client
    /// The user; `nil` for a token of the client itself.
    package let person: Person?
}

/// Verifies an access token, a refresh token or a code with the records of the identity provider that issued it.
///
/// Endpoints also compare a request with the record, for example its client and its code verifier. Facebook's access tokens have rules of
/// their own, see ``FacebookToken``.
package struct GrantVerifier: Sendable {
    /// The reason why a provider does not accept a token.
    package enum Fault: Error, Sendable {
        /// The provider never issued the token, or revoked it.
        case unknown
        /// The token is for one use, and was used.
        case spent
        case expired
        /// The provider no longer publishes the key of a signed access token, so that others can no longer verify it.
        case withoutKey
        /// The client was removed.
        case withoutClient
        /// The user was removed.
        case withoutPerson
        /// The user is disabled.
        case disabledPerson
    }

    let provider: IdentityProvider
    let cloud: Cloud

    package init(provider: IdentityProvider, cloud: Cloud) {
        self.provider = provider
        self.cloud = cloud
    }

    /// Returns the token if the provider accepts it.
    /// - Throws: an error of the database.
    package func verified(_ token: String, kind: Grant.Kind) async throws -> VerifiedGrant? {
        let grant = try cloud.grants.look(up: token, kind: kind, at: provider.name)
        let isKeyPublished = try await isKeyPublished(ofToken: token, grant)
        var run = DecidingRun<Fault>()
        do throws(Fault) { return try check(grant, isKeyPublished: isKeyPublished, &run) } catch { return nil }
    }

    /// Returns every check that the provider makes of a token.
    /// - Throws: an error of the database.
    package func checks(of token: String, kind: Grant.Kind) async throws -> [VerificationCheck<Fault>] {
        let grant = try cloud.grants.look(up: token, kind: kind, at: provider.name)
        let isKeyPublished = try await isKeyPublished(ofToken: token, grant)
        var run = RecordingRun<Fault>()
        do throws(Fault) { _ = try check(grant, isKeyPublished: isKeyPublished, &run) } catch {}
        return run.checks
    }

    /// Returns the first reason why the provider does not accept a code or a refresh token with a record.
    package func fault(of grant: Grant) -> Fault? {
        var run = DecidingRun<Fault>()
        do throws(Fault) {
            _ = try check(grant, isKeyPublished: nil, &run)
            return nil
        } catch { return error }
    }

    /// - Parameter isKeyPublished: whether the provider publishes the key of a signed access token; `nil` for another token.
    private func check<Run: CheckRun>(
        _ grant: Grant?, isKeyPublished: Bool?, _ run: inout Run
    ) throws(Fault) -> VerifiedGrant where Run.Failure == Fault {
        let grant = try run.find("issued") { () throws(Fault) in
            guard let grant else { throw .unknown }
            return grant
        }
        if grant.kind != .accessToken {
            try run.check("unused") { () throws(Fault) in if grant.isSpent { throw .spent } }
        }
        try run.check("times") { () throws(Fault) in
            if cloud.clock.hasExpired(grant.expires, issuedAt: grant.issued) { throw .expired }
        }
        if let isKeyPublished {
            try run.check("key") { () throws(Fault) in if !isKeyPublished { throw .withoutKey } }
        }
        let client = try run.find("client") { () throws(Fault) in
            guard let client = provider.client(grant.client) else { throw .withoutClient }
            return client
        }
        let person = provider.person(named: grant.person)
        if !grant.person.isEmpty {
            try run.check("user") { () throws(Fault) in
                guard let person else { throw .withoutPerson }
                if !person.isEnabled { throw .disabledPerson }
            }
        }
        return VerifiedGrant(grant: grant, client: client, person: person)
    }

    private func isKeyPublished(ofToken token: String, _ grant: Grant?) async throws -> Bool? {
        // Opaque tokens do not have the two periods of a JWT. A JWT that cannot be parsed has no key.
        guard grant?.kind == .accessToken, token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 else { return nil }
        guard let keyID = (try? JSONWebToken(parsing: token))?.keyID else { return false }
        return try await cloud.verificationKey(keyID, of: provider.name) != nil
    }
}
