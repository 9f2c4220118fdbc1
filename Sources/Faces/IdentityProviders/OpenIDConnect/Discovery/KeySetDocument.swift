import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import Tokens
import WireFormats

/// The JWK Set with the public keys of a provider's tokens (RFC 7517 section 5).
struct KeySetDocument {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "jwks_uri": .string(visit.url(of: .keySet)),
            // The algorithms that a client can choose from.
            "id_token_signing_alg_values_supported": .array(
                ClientMetadata.idTokenAlgorithms.map { .string($0) }),
        ]
    }

    /// A key can be removed at any time, so the set is cached for only a minute.
    static let headers: HTTPFields = [.cacheControl: "public, max-age=60"]

    private var keys: [IssuerKey] {
        get async throws {
            try await visit.cloud.publishedKeys(of: visit.provider.name, algorithms: visit.provider.signingAlgorithms)
        }
    }

    /// The keys for request objects, which are published once a client has registered to encrypt them.
    private var encryptionKeys: [JSONValue] {
        get async throws {
            guard visit.provider.clients.count(.encryptsRequests) > 0 else { return [] }
            return try await visit.decryptionKeys().map { .object($0.json) }
        }
    }

    func response() async throws -> Response {
        // The keys of Microsoft Entra ID have certificates.
        if visit.provider.product == .entra { return try await responseWithCertificates() }
        let elements = try await keys.map { issued -> JSONValue in .object(try issued.key.jsonWebKey.json) }
        return .json(["keys": .array(elements + (try await encryptionKeys))], headers: Self.headers)
    }

    /// Returns the set with certificates, from which some clients read RSA keys (RFC 7517 sections 4.7 to 4.9).
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
        return .json(["keys": .array(elements + (try await encryptionKeys))], headers: Self.headers)
    }
}
