import Caching
package import Cloud
import Directory
import Tokens
import WireFormats

/// The public keys of identity providers elsewhere: fetched when a token first needs them, and kept for as long as the issuer says.
///
/// (OpenID Connect Discovery 1.0 section 4; IAM User Guide, "Create an OpenID Connect (OIDC) identity provider in IAM".)
package final class ForeignIssuers: Sendable {
    /// Fetches a document.
    /// - Throws: whatever went wrong where there is no answer; every answer is a document.
    package typealias Fetch = @Sendable (_ url: String) async throws -> FetchedDocument

    /// What must pass between two questions that only unknown keys make necessary: of true time, whatever the sandbox's clock does.
    private static let patience = Duration.seconds(10)
    /// Issuers that are remembered at the same time.
    private static let capacity = 2000

    private let cloud: Cloud
    private let fetch: Fetch
    private let issuers = SingleFlightCache<Issuer, Knowledge>(capacity: ForeignIssuers.capacity)

    private struct Issuer: Hashable {
        var name: String
        /// That of the sandbox; a reset forgets every key.
        var generation: Int64
    }

    /// What is known of one issuer.
    private struct Knowledge: Sendable {
        var keys: IssuerKeySet
        var fetched: Timestamp
        var expires: Timestamp
        /// When the keys were fetched, where an unknown key alone was the reason.
        var missed: ContinuousClock.Instant?
    }

    package init(cloud: Cloud, fetch: @escaping Fetch) {
        self.cloud = cloud
        self.fetch = fetch
    }

    /// The key that must have signed a token.
    /// - Throws: `WebIdentityError.unreachableProvider` where the issuer does not answer with its documents, and
    ///   `WebIdentityError.noVerificationKey` where they are no use or do not have the key.
    func key(for token: JSONWebToken, of name: String) async throws -> VerificationKey {
        let issuer = Issuer(name: name, generation: cloud.generation)
        let known = issuers.entry(for: issuer)
        // Keys that still count may lack one.
        var isExtra = false
        if let known = known?.value, !cloud.clock.hasExpired(known.expires, issuedAt: known.fetched) {
            if let key = known.keys.key(for: token) { return key }
            if let missed = known.missed, ContinuousClock.now - missed < Self.patience { throw WebIdentityError.noVerificationKey }
            isExtra = true
        }
        let fetched = try await issuers.fetch(issuer, after: known) { [isExtra] in try await self.ask(name, isExtra: isExtra) }
        guard let key = fetched.keys.key(for: token) else { throw WebIdentityError.noVerificationKey }
        return key
    }

    private func ask(_ name: String, isExtra: Bool) async throws -> Knowledge {
        let keys = try await discover(name)
        let now = cloud.clock.now
        return Knowledge(
            keys: keys, fetched: now, expires: now + .seconds(keys.lifetime), missed: isExtra ? ContinuousClock.now : nil)
    }

    /// Reads the issuer's metadata and the keys that it leads to.
    private func discover(_ issuer: String) async throws -> IssuerKeySet {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let (metadata, lifetime) = try await document(base + "/.well-known/openid-configuration")
        // Without these the real service finds no key (as its users report).
        let isComplete = ["response_types_supported", "subject_types_supported", "id_token_signing_alg_values_supported"].allSatisfy {
            metadata[$0]?.arrayValue?.isEmpty == false
        }
        guard metadata["issuer"]?.stringValue == issuer, isComplete, let keySet = metadata["jwks_uri"]?.stringValue, isTaken(keySet) else {
            throw WebIdentityError.noVerificationKey
        }
        let (document, lifetimeOfKeys) = try await document(keySet)
        guard let keys = IssuerKeySet(document, lifetime: min(lifetime, lifetimeOfKeys)) else {
            throw WebIdentityError.noVerificationKey
        }
        return keys
    }

    private func isTaken(_ url: String) -> Bool {
        url.hasPrefix("https://") || cloud.takesIssuersOverHTTP && url.hasPrefix("http://")
    }

    private func document(_ url: String) async throws -> (members: JSONObject, lifetime: Int) {
        guard isTaken(url) else { throw WebIdentityError.unreachableProvider }
        let document: FetchedDocument
        do { document = try await fetch(url) } catch { throw WebIdentityError.unreachableProvider }
        guard document.status == 200, let json = try? JSONValue(parsing: document.body), let members = json.objectValue else {
            throw WebIdentityError.unreachableProvider
        }
        return (members, document.lifetime)
    }
}
