package import Cloud
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
    private let published = KeySetCache<Place, PublishedKeys>(capacity: 1000)

    private struct Place: Hashable {
        var url: TextKey
        /// The epoch of the sandbox; a reset and a snapshot discard every key, because the sandbox's own issuers have others then.
        var epoch: String
    }

    private struct PublishedKeys: Sendable {
        var keys: JSONWebKeySet
        /// The whole set, which also has the keys for encryption.
        var document: JSONObject
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
    /// without a matching key is fetched again. What another sandbox with the same signing keys signed does not count.
    /// - Throws: an error of the storage.
    package func signed(_ token: JSONWebToken, client: Client, in cloud: Cloud) async throws -> Bool {
        guard let signers = await signers(of: token, client: client, in: cloud) else { return false }
        return try await !cloud.isOfUnnamedSandbox(token: token, signedBy: signers)
    }

    /// Returns the client's registered keys that signed the token; `nil` if there is none.
    private func signers(of token: JSONWebToken, client: Client, in cloud: Cloud) async -> [VerificationKey]? {
        if let document = client.metadata.jwks {
            return JSONWebKeySet(parsing: JSONValue.object(document).serializedBytes())?.signers(of: token)
        }
        return await publishedKey(of: client, in: cloud) { $0.keys.signers(of: token) }
    }

    /// Returns the client's registered key for an algorithm of encryption; `nil` if there is none.
    package func encryptionKey(of client: Client, for algorithm: KeyManagementAlgorithm, in cloud: Cloud) async -> EncryptionKey? {
        if let document = client.metadata.jwks { return EncryptionKey.first(in: document, for: algorithm) }
        return await publishedKey(of: client, in: cloud) { EncryptionKey.first(in: $0.document, for: algorithm) }
    }

    /// Finds a key in the document at the client's `jwks_uri`; `nil` if there is none.
    private func publishedKey<Key>(of client: Client, in cloud: Cloud, find: (PublishedKeys) -> Key?) async -> Key? {
        guard let url = client.metadata.jwksURI else { return nil }
        return try? await published.find(at: Place(url: TextKey(url), epoch: cloud.epoch)) {
            ContinuousClock.now < $0.expires
        } find: {
            find($0)
        } fetch: { [fetch] _ in
            let document = try await fetch(url)
            guard document.status == 200, let keys = JSONWebKeySet(parsing: document.body),
                let members = (try? JSONValue(parsing: document.body))?.objectValue
            else { throw NoKeySet() }
            return PublishedKeys(keys: keys, document: members, expires: ContinuousClock.now + .seconds(document.lifetime))
        }
    }

    /// Returns how many callers wait for the keys at a URL.
    func waiters(for url: String, in cloud: Cloud) -> Int { published.waiters(for: Place(url: TextKey(url), epoch: cloud.epoch)) }

    /// The response of a server is not a key set.
    private struct NoKeySet: Error {}

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
