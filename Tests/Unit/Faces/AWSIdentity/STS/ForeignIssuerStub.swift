import Federation
import Synchronization
import Tokens
import WireFormats

/// A stub of other servers. It serves the documents that a test publishes; every other URL is unreachable.
final class ForeignIssuerStub: Sendable {
    private let state = Mutex(State())

    private struct State {
        var documents: [String: FetchedDocument] = [:]
        var asked: [String] = []
    }

    struct Unreachable: Error {}

    /// The URLs that were requested, in order.
    var asked: [String] { state.withLock { $0.asked } }

    func put(_ document: FetchedDocument?, at url: String) { state.withLock { $0.documents[url] = document } }

    func answer(_ url: String) throws -> FetchedDocument {
        let document = state.withLock { state in
            state.asked.append(url)
            return state.documents[url]
        }
        guard let document else { throw Unreachable() }
        return document
    }

    /// Publishes an issuer's metadata and keys.
    func publish(
        _ keys: [JSONObject], of issuer: String, changing change: (inout JSONObject) -> Void = { _ in }, cacheControl: String? = nil
    ) {
        var metadata: JSONObject = [
            "issuer": .string(issuer), "jwks_uri": .string(issuer + "/keys"), "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
        ]
        change(&metadata)
        put(FetchedDocument(json: .object(metadata), cacheControl: cacheControl), at: issuer + "/.well-known/openid-configuration")
        put(FetchedDocument(json: ["keys": .array(keys.map { .object($0) })], cacheControl: cacheControl), at: issuer + "/keys")
    }
}

extension FetchedDocument {
    init(json: JSONValue, cacheControl: String? = nil) {
        self.init(status: 200, body: json.serializedBytes(), cacheControl: cacheControl)
    }
}
