import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import Tokens
import WireFormats

/// The public keys that a provider's tokens verify with (RFC 7517 section 5).
struct KeySetDocument {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "jwks_uri": .string(visit.url(of: .keySet)),
            // Any of these, where a client asks for it.
            "id_token_signing_alg_values_supported": .array(
                SignatureAlgorithm.published.map { .string($0.rawValue) }),
        ]
    }

    /// A key may leave whenever it is asked to: who keeps the set keeps it for a minute.
    static let headers: HTTPFields = [.cacheControl: "public, max-age=60"]

    private var keys: [IssuerKey] {
        get async throws {
            try await visit.cloud.publishedKeys(of: visit.provider.name, algorithms: visit.provider.signingAlgorithms)
        }
    }

    func response() async throws -> Response {
        .json(try JSONWebKeySet(await keys.map(\.key.jsonWebKey)).json, headers: Self.headers)
    }

    /// With the certificates that some clients take an RSA key from (RFC 7517 sections 4.7 to 4.9).
    func responseWithCertificates() async throws -> Response {
        let elements = try await keys.map { issued -> JSONValue in
            var json = try issued.key.jsonWebKey.json
            if let certificate = try issued.key.selfSignedCertificate(named: visit.provider.name) {
                json["x5c"] = .array([.string(certificate.base64)])
                json["x5t"] = .string(SHA1.hash(certificate).base64url)
                json["x5t#S256"] = .string(SHA256.hash(certificate).base64url)
            }
            return .object(json)
        }
        return .json(["keys": .array(elements)], headers: Self.headers)
    }
}
