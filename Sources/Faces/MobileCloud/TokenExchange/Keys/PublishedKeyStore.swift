import Cloud
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The published keys of external issuers, fetched when a token first needs them.
/// (Using Oracle Mobile Cloud Service, configuration reference, `jwks`; OpenID Connect Discovery 1.0; RFC 7517.)
final class PublishedKeyStore: Sendable {
    private let sets = KeySetCache<Place, KeptSet>(capacity: 1000)

    /// The cache key. It includes the configuration, so a changed configuration fetches the keys again.
    private struct Place: Hashable {
        var issuer: TextKey
        var keys: PublishedKeys
        /// The epoch of the sandbox; a reset and a snapshot discard every key, because the sandbox's own issuers have others then.
        var epoch: String
    }

    private struct KeptSet: Sendable {
        var keys: [JSONWebKey]
        var read: Timestamp
    }

    /// Returns the keys of an issuer that verify a token's signature; none if the key that the token names does not.
    /// - Throws: ``KeyNotFound``.
    func signers(
        of token: JSONWebToken, issuer: String, _ keys: PublishedKeys, _ call: MobileCall
    ) async throws -> [VerificationKey] {
        let place = Place(issuer: TextKey(issuer), keys: keys, epoch: call.cloud.epoch)
        let (clock, outbound) = (call.cloud.clock, call.outbound)
        let signers = try await sets.find(at: place) {
            !keys.reload.isOver(since: $0.read, by: clock)
        } find: {
            Self.signers(of: token, among: $0.keys)
        } admit: { set in
            guard keys.reload.allowsReload(since: set.read, by: clock) else {
                throw KeyNotFound(
                    "The issuer's keys were read less than \(keys.reload.least) seconds ago, and the token's is not among them.")
            }
        } fetch: { _ in
            let found = try await Self.fetch(keys, outbound)
            return KeptSet(keys: found, read: clock.now)
        }
        guard let signers else { throw KeyNotFound("The token's key is not among those that the issuer publishes.") }
        return signers
    }

    /// Returns the keys that verify a token's signature; `nil` if the key that the token names is missing.
    /// Without a `kid`, all suitable keys are tried (RFC 7515 section 4.1.4 leaves this to applications).
    private static func signers(of token: JSONWebToken, among keys: [JSONWebKey]) -> [VerificationKey]? {
        let candidates = keys.filter { key in
            (token.keyID == nil || key.keyID == token.keyID) && key.key.fits(token.algorithm) && key.allows(token.algorithm)
        }
        let signers = candidates.map(\.key).filter { (try? token.verify(with: $0)) != nil }
        return signers.isEmpty && (candidates.isEmpty || token.keyID == nil) ? nil : signers
    }

    private static func fetch(_ keys: PublishedKeys, _ outbound: Outbound) async throws -> [JSONWebKey] {
        var url = keys.keySet
        if url == nil, let discovery = keys.discovery {
            url = JSONObject(document: try await fetch(discovery, keys, outbound))?["jwks_uri"]?.stringValue
            guard url != nil else { throw KeyNotFound("The document at \(discovery) does not say where the keys are.") }
        }
        guard let url else { throw KeyNotFound("The issuer's configuration has no URL of its keys.") }
        guard let set = JSONWebKeySet(parsing: try await fetch(url, keys, outbound)) else {
            throw KeyNotFound("The document at \(url) is not a JSON Web Key Set.")
        }
        return set.keys
    }

    private static func fetch(_ url: String, _ keys: PublishedKeys, _ outbound: Outbound) async throws -> [UInt8] {
        let isSecure = url.hasPrefix("https://")
        guard isSecure || url.hasPrefix("http://") else { throw KeyNotFound("\(url) is not an HTTP URL.") }
        guard isSecure || keys.allowsHTTP else { throw KeyNotFound("\(url) is not HTTPS. Set allowHttp to permit it.") }
        guard keys.tlsVersions != nil || !isSecure else {
            throw KeyNotFound("None of the issuer's tlsVersions is supported any more.")
        }
        var request = OutboundRequest(
            url: url, headers: [.accept: "application/json"], connectTimeout: .seconds(keys.connectTimeout),
            timeout: .seconds(keys.connectTimeout + keys.readTimeout), tlsVersions: keys.tlsVersions)
        request.readTimeout = .seconds(keys.readTimeout)
        if let authorization = keys.authorization(for: url) { request.headers[.authorization] = authorization }
        let response: OutboundResponse
        do { response = try await outbound(request) } catch { throw KeyNotFound("\(url) did not answer.") }
        guard response.status == 200 else { throw KeyNotFound("\(url) answered with the status \(response.status).") }
        return response.body
    }
}

extension JSONObject {
    /// - Returns: `nil` for a document that is not a JSON object.
    fileprivate init?(document: [UInt8]) {
        guard let object = (try? JSONValue(parsing: document))?.objectValue else { return nil }
        self = object
    }
}
