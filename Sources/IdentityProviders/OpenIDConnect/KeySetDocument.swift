import Cloud
import Exchange
import Tokens
import WireFormats

/// The public keys that a provider's ID tokens verify with (RFC 7517 section 5).
struct KeySetDocument {
    let visit: Visit

    func response() async throws -> Response {
        let keys = try await visit.cloud.publishedKeys(of: visit.provider.name)
        return .json(try JSONWebKeySet(keys).json)
    }
}
