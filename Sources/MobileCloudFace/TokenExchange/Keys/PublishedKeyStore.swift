import Caching
import Cloud
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The published keys of external issuers, fetched when a token first needs them.
/// (Using Oracle Mobile Cloud Service, configuration reference, `jwks`; OpenID Connect Discovery 1.0; RFC 7517.)
final class PublishedKeyStore: Sendable {
    private let sets = SingleFlightCache<Place, KeptSet>(capacity: 1000)

    /// The cache key. It includes the configuration, so a changed configuration fetches the keys again.
    private struct Place: Hashable {
        var issuer: String
        var keys: PublishedKeys
        /// The epoch of the sandbox; a reset and a snapshot discard every key, because the sandbox's own issuers have others then.
        var epoch: String
    }

    private struct KeptSet: Sendable {
        var keys: [JSONWebKey]
        var read: Timestamp
    }

    /// The result of looking for a token's key in a key set.
    private enum Finding {
        case signed
        case wrongSignature
        /// The key set does not contain the key.
        case missing
    }

    /// Returns whether the issuer signed a token.
    /// - Returns: false if the key that the token names does not verify the signature.
    /// - Throws: ``KeyNotFound``.
    func signed(_ token: JSONWebToken, by issuer: String, _ keys: PublishedKeys, _ call: MobileCall) async throws -> Bool {
        let place = Place(issuer: issuer, keys: keys, epoch: call.cloud.epoch)
        let clock = call.cloud.clock
        let known = sets.entry(for: place)
        if let set = known?.value, !keys.reload.isOver(since: set.read, by: clock) {
            switch Self.look(for: token, in: set.keys) {
            case .signed: return true
            case .wrongSignature: return false
            case .missing:
                guard keys.reload.allowsReload(since: set.read, by: clock) else {
                    throw KeyNotFound(
                        "The issuer's keys were read less than \(keys.reload.least) seconds ago, and the token's is not among them.")
                }
            }
        }
        let outbound = call.outbound
        let fetched = try await sets.fetch(place, after: known) {
            let found = try await Self.fetch(keys, outbound)
            return KeptSet(keys: found, read: clock.now)
        }
        switch Self.look(for: token, in: fetched.keys) {
        case .signed: return true
        case .wrongSignature: return false
        case .missing: throw KeyNotFound("The token's key is not among those that the issuer publishes.")
        }
    }

    /// Verifies the token with the key that it names.
    /// Without a `kid`, all suitable keys are tried (RFC 7515 section 4.1.4 leaves this to applications).
    private static func look(for token: JSONWebToken, in keys: [JSONWebKey]) -> Finding {
        let candidates = keys.filter { key in
            (token.keyID == nil || key.keyID == token.keyID) && key.key.fits(token.algorithm)
                && (key.algorithm == nil || key.algorithm == token.algorithm)
        }
        if candidates.contains(where: { (try? token.verify(with: $0.key)) != nil }) { return .signed }
        return candidates.isEmpty || token.keyID == nil ? .missing : .wrongSignature
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
        if let authorization = keys.authorization { request.headers[.authorization] = authorization }
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
