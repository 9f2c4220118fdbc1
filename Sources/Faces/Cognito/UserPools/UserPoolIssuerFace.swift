import Calls
import Cloud
import Directory
import Federation
package import HTTPTypes
import Tokens
import WireFormats

/// The documents of the pools' issuers. (OpenID Connect Discovery 1.0 section 4; the members are as observed of the real service.)
///
/// They answer on every host. At AWS's names they have AWS's names, at other hosts the names of that host.
package struct UserPoolIssuerFace: Sendable {
    /// Returns whether a request is for a document of a pool. No bucket has the name of a pool.
    package static func answers(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        guard method == .get || method == .head, path.hasSuffix(configuration) || path.hasSuffix(keySet) else { return false }
        let parts = path.split(separator: "/", maxSplits: 1)
        guard let id = parts.first.map(String.init), parts.count == 2, UserPool.isIdentifier(id) else { return false }
        return "/\(parts[1])" == configuration || "/\(parts[1])" == keySet
    }

    private static let configuration = "/.well-known/openid-configuration"
    private static let keySet = "/.well-known/jwks.json"

    /// Responds to one request.
    func respond(to call: Call) async -> Response {
        call.note(face: UserPoolsFace.service)
        let parts = call.path.split(separator: "/", maxSplits: 1)
        guard let id = parts.first.map(String.init) else { return Self.nothing }
        guard let pool = call.cloud.directory.userPools.pool(id) else {
            call.note(errorCode: "NotFound", message: "User pool \(id) does not exist.")
            return Self.crossOrigin(.json(["message": .string("User pool \(id) does not exist.")], status: .notFound))
        }
        switch parts.count == 2 ? String(parts[1]) : "" {
        case ".well-known/openid-configuration":
            call.note(operation: "Discovery")
            return Self.crossOrigin(.json(discovery(pool, call)))
        case ".well-known/jwks.json":
            call.note(operation: "KeySet")
            do {
                // The key of ID tokens comes first.
                let keys =
                    try await call.cloud.publishedKeys(of: pool.keyNameOfIDTokens)
                    + call.cloud.publishedKeys(of: pool.keyNameOfAccessTokens)
                return Self.crossOrigin(.json(try JSONWebKeySet(keys.map(\.key.jsonWebKey)).json))
            } catch {
                call.note(failure: error)
                return .json(["message": "Internal Server Error"], status: .internalServerError)
            }
        default: return Self.nothing
        }
    }

    private func discovery(_ pool: UserPool, _ call: Call) -> JSONValue {
        let issuer = pool.issuerURL(for: call)
        // At AWS's names, the endpoints have the name of the domain.
        let domain = ServiceHost(call.host) == nil ? nil : call.cloud.directory.userPools.domains(of: pool.id).first
        let endpoints = domain.map { "https://\($0.host)" } ?? issuer
        return [
            "authorization_endpoint": .string(endpoints + "/oauth2/authorize"),
            "id_token_signing_alg_values_supported": ["RS256"], "issuer": .string(issuer),
            "jwks_uri": .string(issuer + "/.well-known/jwks.json"), "response_types_supported": ["code", "token"],
            "scopes_supported": ["openid", "email", "phone", "profile"], "subject_types_supported": ["public"],
            "token_endpoint": .string(endpoints + "/oauth2/token"),
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "userinfo_endpoint": .string(endpoints + "/oauth2/userInfo"),
        ]
    }

    private static var nothing: Response { .json(["message": "Not Found"], status: .notFound) }

    private static func crossOrigin(_ response: Response) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }
}

extension UserPool {
    /// Returns the issuer's URL in documents: AWS's if the client uses AWS's name, otherwise at the origin of the request.
    fileprivate func issuerURL(for call: Call) -> String {
        ServiceHost(call.host) == nil ? "\(call.origin)/\(id)" : issuer
    }
}
