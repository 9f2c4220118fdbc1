package import Cloud
import Directory
import Tokens
import WireFormats

/// The public keys of external identity providers, fetched when a token first needs them and cached for as long as the issuer allows.
///
/// (OpenID Connect Discovery 1.0 section 4; IAM User Guide, "Create an OpenID Connect (OIDC) identity provider in IAM".)
package final class ForeignIssuers: Sendable {
    /// Fetches a document. It returns every response, whatever its status.
    /// - Throws: any error, if there is no response.
    package typealias Fetch = @Sendable (_ url: String) async throws -> FetchedDocument

    /// The minimum time between two fetches caused by unknown keys. It is real time, independent of the sandbox's clock.
    private static let refetchInterval = Duration.seconds(10)
    /// The maximum number of cached issuers.
    private static let capacity = 2000

    private let cloud: Cloud
    private let fetch: Fetch
    private let issuers = KeySetCache<Issuer, Knowledge>(capacity: ForeignIssuers.capacity)

    private struct Issuer: Hashable {
        var name: String
        /// The epoch of the sandbox; a reset and a snapshot discard every key, because the sandbox's own issuers have others then.
        var epoch: String
    }

    /// The cached keys of one issuer.
    private struct Knowledge: Sendable {
        var keys: IssuerKeySet
        var fetched: Timestamp
        var expires: Timestamp
        /// The time of the fetch, if an unknown key caused it.
        var missed: ContinuousClock.Instant?
    }

    package init(cloud: Cloud, fetch: @escaping Fetch) {
        self.cloud = cloud
        self.fetch = fetch
    }

    /// Returns the key with which a token must have been signed.
    /// - Throws: `WebIdentityError.unreachableProvider` if the issuer does not return its documents, and
    ///   `WebIdentityError.noVerificationKey` if they are unusable or lack the key.
    func key(for token: JSONWebToken, of name: String) async throws -> VerificationKey {
        let key = try await issuers.find(at: Issuer(name: name, epoch: cloud.epoch)) { known in
            !cloud.clock.hasExpired(known.expires, issuedAt: known.fetched)
        } find: {
            $0.keys.key(for: token)
        } admit: { known in
            guard let missed = known.missed, ContinuousClock.now - missed < Self.refetchInterval else { return }
            throw WebIdentityError.noVerificationKey
        } fetch: { reason in
            try await self.ask(name, isExtra: reason == .noKey)
        }
        guard let key else { throw WebIdentityError.noVerificationKey }
        return key
    }

    /// Returns how many callers wait for the keys of an issuer.
    func waiters(for name: String) -> Int { issuers.waiters(for: Issuer(name: name, epoch: cloud.epoch)) }

    private func ask(_ name: String, isExtra: Bool) async throws -> Knowledge {
        let keys = try await discover(name)
        let now = cloud.clock.now
        return Knowledge(
            keys: keys, fetched: now, expires: now + .seconds(keys.lifetime), missed: isExtra ? ContinuousClock.now : nil)
    }

    /// Fetches the issuer's metadata and its key set.
    private func discover(_ issuer: String) async throws -> IssuerKeySet {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let (metadata, lifetime) = try await document(base + "/.well-known/openid-configuration")
        // The real service finds no key without these members, according to its users.
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
