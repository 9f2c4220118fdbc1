import Caching
package import Cloud
import Directory
import Synchronization
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
    private let state = Mutex(State())

    private struct State {
        /// That of the sandbox; a reset forgets every key.
        var generation: Int64 = 0
        var issuers = BoundedCache<String, Issuer>(capacity: ForeignIssuers.capacity)
    }

    /// One issuer. Who holds it gets the outcome of the question under way, even when it has been forgotten meanwhile.
    private final class Issuer: Sendable {
        /// One question at a time; those who wait meanwhile share its outcome.
        let turnstile = Turnstile()
        let knowledge = Mutex(Knowledge())

        var known: Knowledge { knowledge.withLock { $0 } }
    }

    /// What is known of one issuer.
    private struct Knowledge {
        /// How many questions have had an outcome.
        var outcomes = 0
        /// That of the last question, if it has failed.
        var failure: WebIdentityError?
        var keys: IssuerKeySet?
        var fetched = Timestamp.fill
        var expires = Timestamp.fill
        /// When an unknown key last made somebody ask.
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
        let issuer = issuer(name)
        let before = issuer.known
        if isFresh(before), let key = before.keys?.key(for: token) { return key }
        return try await issuer.turnstile.pass {
            let now = issuer.known
            if now.outcomes == before.outcomes, mayAsk(now) { try await ask(issuer, named: name, isExtra: isFresh(now)) }
            let after = issuer.known
            if let failure = after.failure { throw failure }
            guard let key = after.keys?.key(for: token) else { throw WebIdentityError.noVerificationKey }
            return key
        }
    }

    private func isFresh(_ issuer: Knowledge) -> Bool {
        issuer.keys != nil && !cloud.clock.hasExpired(issuer.expires, issuedAt: issuer.fetched)
    }

    /// Whether a key that is not there is reason enough to ask (again).
    private func mayAsk(_ issuer: Knowledge) -> Bool {
        guard isFresh(issuer), let missed = issuer.missed else { return true }
        return ContinuousClock.now - missed >= Self.patience
    }

    private func issuer(_ name: String) -> Issuer {
        let generation = cloud.generation
        let issuers = state.withLock { state in
            if state.generation != generation { state = State(generation: generation) }
            return state.issuers
        }
        return issuers.value(for: name) { Issuer() }
    }

    /// Asks the issuer and notes the outcome.
    /// - Parameter isExtra: whether keys that still count lack one.
    private func ask(_ issuer: Issuer, named name: String, isExtra: Bool) async throws {
        let outcome: Result<IssuerKeySet, WebIdentityError>
        do {
            outcome = .success(try await discover(name))
        } catch let error as WebIdentityError {
            outcome = .failure(error)
        } catch {
            throw error
        }
        let now = cloud.clock.now
        issuer.knowledge.withLock { issuer in
            issuer.outcomes += 1
            switch outcome {
            case .success(let keys):
                issuer.failure = nil
                issuer.keys = keys
                issuer.fetched = now
                issuer.expires = now + .seconds(keys.lifetime)
                issuer.missed = isExtra ? ContinuousClock.now : nil
            case .failure(let error): issuer.failure = error
            }
        }
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
        do {
            document = try await fetch(url)
        } catch {
            // Who gave up waiting has learnt nothing about the issuer.
            try Task.checkCancellation()
            throw WebIdentityError.unreachableProvider
        }
        guard document.status == 200, let json = try? JSONValue(parsing: document.body), let members = json.objectValue else {
            throw WebIdentityError.unreachableProvider
        }
        return (members, document.lifetime)
    }
}
