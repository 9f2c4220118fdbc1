import Caching
package import Directory
package import Tokens
import WireFormats

/// The applications that are registered at our identity providers, as far as they are reached over the network: their keys and request
/// objects are fetched, and messages are posted to them.
///
/// What they publish is registered by whoever runs the sandbox, so that `http` is taken as well as `https`.
package final class Applications: Sendable {
    /// Posts a form.
    /// - Returns: the status of the answer.
    /// - Throws: whatever went wrong where there is no answer.
    package typealias Post = @Sendable (_ url: String, _ form: String) async throws -> Int

    private let fetch: ForeignIssuers.Fetch
    private let post: Post
    private let published = SingleFlightCache<String, PublishedKeys>(capacity: 1000)

    private struct PublishedKeys: Sendable {
        var keys: [JSONWebKey]
        var expires: ContinuousClock.Instant
    }

    /// - Parameters:
    ///   - fetch: fetches a document.
    ///   - post: posts a form.
    package init(fetch: @escaping ForeignIssuers.Fetch, post: @escaping Post) {
        self.fetch = fetch
        self.post = post
    }

    /// Whether a key that the client has registered, by value or where it publishes them (`jwks`, `jwks_uri`), signed the token. A key set
    /// that was fetched earlier is fetched again where it has no such key.
    package func signed(_ token: JSONWebToken, client: Client) async -> Bool {
        if let document = client.metadata.jwks {
            let keys = JSONWebKeySet(parsing: JSONValue.object(document).serializedBytes())?.keys ?? []
            return Self.signed(token, with: keys)
        }
        guard let url = client.metadata.jwksURI else { return false }
        let known = published.entry(for: url)
        if let known = known?.value, ContinuousClock.now < known.expires, Self.signed(token, with: known.keys) { return true }
        let fetched = try? await published.fetch(url, after: known) { [fetch] in
            let document = try await fetch(url)
            guard document.status == 200, let keys = JSONWebKeySet(parsing: document.body)?.keys else { throw NoKeySet() }
            return PublishedKeys(keys: keys, expires: ContinuousClock.now + .seconds(document.lifetime))
        }
        return fetched.map { Self.signed(token, with: $0.keys) } ?? false
    }

    /// The answer of a server is no key set.
    private struct NoKeySet: Error {}

    /// By the key that the token names; one without a name by any that fits (RFC 7515 section 4.1.4 leaves it to the applications).
    private static func signed(_ token: JSONWebToken, with keys: [JSONWebKey]) -> Bool {
        keys.contains { key in
            guard token.keyID == nil || key.keyID == token.keyID, key.algorithm == nil || key.algorithm == token.algorithm else {
                return false
            }
            return (try? token.verify(with: key.key)) != nil
        }
    }

    /// The document that an application publishes at a URL; `nil` if there is none, or no answer.
    package func document(at url: String) async -> [UInt8]? {
        guard let document = try? await fetch(url), document.status == 200 else { return nil }
        return document.body
    }

    /// Posts a form.
    /// - Returns: whether the application took it, which a status of 2xx says.
    package func post(_ form: String, to url: String) async -> Bool {
        guard let status = try? await post(url, form) else { return false }
        return (200..<300).contains(status)
    }
}
