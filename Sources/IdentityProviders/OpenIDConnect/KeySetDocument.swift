import Cloud
import Cryptography
import Exchange
import Tokens
import WireFormats

/// The public keys that a provider's ID tokens verify with (RFC 7517 section 5).
struct KeySetDocument {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        ["jwks_uri": .string(visit.url(of: .keySet)), "id_token_signing_alg_values_supported": ["RS256"]]
    }

    func response() async throws -> Response {
        let keys = try await visit.cloud.publishedKeys(of: visit.provider.name)
        return .json(try JSONWebKeySet(keys).json)
    }

    /// With the certificates that some clients take the key from (RFC 7517 sections 4.7 to 4.9).
    func responseWithCertificates() async throws -> Response {
        let key = try await visit.cloud.signingKey(for: visit.provider.name)
        var json = try key.jsonWebKey.json
        if let certificate = try key.selfSignedCertificate(named: visit.provider.name) {
            json["x5c"] = .array([.string(certificate.base64)])
            json["x5t"] = .string(SHA1.hash(certificate).base64url)
            json["x5t#S256"] = .string(SHA256.hash(certificate).base64url)
        }
        return .json(["keys": [.object(json)]])
    }
}
