package import Directory
package import Tokens
import WireFormats

/// Outbound calls to the applications that are registered with the local identity providers: fetching their keys and request objects, and
/// posting messages to them.
///
/// The operator of the sandbox registers these URLs, so both `http` and `https` are allowed.
package final class Applications: Sendable {
    /// Posts a form.
    /// - Returns: the status code of the response.
    /// - Throws: any error, if there is no response.
    package typealias Post = @Sendable (_ url: String, _ form: String) async throws -> Int

    private let fetch: ForeignIssuers.Fetch
    private let post: Post
    private let published = KeySetCache<TextKey, PublishedKeys>(capacity: 1000)

    private struct PublishedKeys: Sendable {
        var keys: [JSONWebKey]
        var expires: ContinuousClock.Instant
    }

    /// Creates the client.
    /// - Parameters:
    ///   - fetch: fetches a document.
    ///   - post: posts a form.
    package init(fetch: @escaping ForeignIssuers.Fetch, post: @escaping Post) {
        self.fetch = fetch
        self.post = post
    }

    /// Returns whether one of the client's registered keys (`jwks`, or the document at `jwks_uri`) signed the token. A cached key set
    /// without a matching key is fetched again.
    package func signed(_ token: JSONWebToken, client: Client) async -> Bool {
        if let document = client.metadata.jwks {
            let keys = JSONWebKeySet(parsing: JSONValue.object(document).serializedBytes())?.keys ?? []
            return Self.signed(token, with: keys)
        }
        guard let url = client.metadata.jwksURI else { return false }
        let found = try? await published.find(at: TextKey(url)) {
            ContinuousClock.now < $0.expires
        } find: {
            Self.signed(token, with: $0.keys) ? true : nil
        } fetch: { [fetch] _ in
            let document = try await fetch(url)
            guard document.status == 200, let keys = JSONWebKeySet(parsing: document.body)?.keys else { throw NoKeySet() }
            return PublishedKeys(keys: keys, expires: ContinuousClock.now + .seconds(document.lifetime))
        }
        return found == true
    }

    /// Returns how many callers wait for the keys at a URL.
    func waiters(for url: String) -> Int { published.waiters(for: TextKey(url)) }

    /// The response of a server is not a key set.
    private struct NoKeySet: Error {}

    /// Returns whether the key that the token names signed it. A token without a `kid` is verified with every key that fits (RFC 7515
    /// section 4.1.4 leaves this to the application).
    private static func signed(_ token: JSONWebToken, with keys: [JSONWebKey]) -> Bool {
        keys.contains { key in
            guard token.keyID == nil || key.keyID == token.keyID, key.algorithm == nil || key.algorithm == token.algorithm else {
                return false
            }
            return (try? token.verify(with: key.key)) != nil
        }
    }

    /// Returns the document at an application's URL; `nil` if there is none, or no response.
    package func document(at url: String) async -> [UInt8]? {
        guard let document = try? await fetch(url), document.status == 200 else { return nil }
        return document.body
    }

    /// Posts a form.
    /// - Returns: whether the response has a 2xx status.
    package func post(_ form: String, to url: String) async -> Bool {
        guard let status = try? await post(url, form) else { return false }
        return (200..<300).contains(status)
    }
}
