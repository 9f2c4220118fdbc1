package import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectStore
import Tokens
import WireFormats

/// The documents of the accounts' issuers, with which external services verify the tokens of `GetWebIdentityToken`.
/// (OpenID Connect Discovery 1.0 section 4; the members are as observed of the real service.)
package struct OutboundIssuerFace: Sendable {
    package init() {}

    /// The algorithms that GetWebIdentityToken can sign with. (STS API Reference, "GetWebIdentityToken".)
    static let algorithms: [SignatureAlgorithm] = [.rs256, .es384]

    /// Responds to one request.
    /// - Parameters:
    ///   - id: the identifier of the issuer.
    ///   - path: the path below the issuer's URL.
    package func respond(to call: Call, issuer id: String, path: String) async -> Response {
        call.note(face: "sts")
        let issuers = call.cloud.directory.accounts.values.lazy.compactMap(\.outboundIssuer)
        guard let issuer = issuers.first(where: { $0.id == id }), call.method == .get || call.method == .head else {
            return Self.nothing
        }
        let url = issuer.url(for: call)
        switch path {
        case "/.well-known/openid-configuration":
            call.note(operation: "Discovery")
            return .json([
                "claims_supported": ["sub", "iss", "aud", "exp", "iat", "jti", "https://sts.amazonaws.com/"],
                "id_token_signing_alg_values_supported": .array(Self.algorithms.map { .string($0.rawValue) }), "issuer": .string(url),
                "jwks_uri": .string(url + "/.well-known/jwks.json"), "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
            ])
        case "/.well-known/jwks.json":
            call.note(operation: "KeySet")
            do {
                let keys = try await call.cloud.publishedKeys(of: issuer.keyName, algorithms: Self.algorithms)
                return .json(try JSONWebKeySet(keys.map(\.key.jsonWebKey)).json)
            } catch {
                call.note(errorCode: "InternalError", message: "Internal Server Error")
                return .json(["message": "Internal Server Error"], status: .internalServerError)
            }
        default: return Self.nothing
        }
    }

    private static var nothing: Response { .json(["message": "Not Found"], status: .notFound) }
}

extension OutboundIssuer {
    /// Returns the issuer's URL in tokens and documents: at the origin of the request, or as at the real service if the client uses the
    /// real service's host names.
    func url(for call: Call) -> String {
        let host = call.host
        guard call.names.publicURL == nil, host.hasSuffix(".amazonaws.com") || host.hasSuffix(".\(Self.domain)") else {
            return call.origin + Self.path + id
        }
        return "https://\(id).\(Self.domain)"
    }
}
