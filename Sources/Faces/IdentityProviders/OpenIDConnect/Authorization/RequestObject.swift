import Calls
import Cloud
import Directory
import Federation
import Seeds
import Tokens
import WireFormats

/// A request object: the parameters of an authorization request as the claims of a JWT (OpenID Connect Core 1.0 section 6, RFC 9101).
struct RequestObject {
    /// The reason why a request object is rejected.
    struct Fault: Error {
        var explanation: String
    }

    private let claims: JSONObject

    /// Why rich authorization requests are refused.
    static let unsupportedDetails = "The parameter authorization_details (RFC 9396) is not supported."

    /// Verifies a request object. It must be signed with a key or the secret of the client. Only clients that registered
    /// `request_object_signing_alg` as `none` may send unsigned ones. It may be encrypted, if the client has registered for that.
    /// - Throws: `Fault`, or an error of the storage.
    init(_ text: String, from client: Client, at visit: Visit) async throws {
        let text = try await Self.decrypted(text, from: client, at: visit)
        let registered = client.metadata.requestObjectSigningAlg
        if registered == "none" {
            guard let claims = Self.unsigned(text) else {
                throw Fault(explanation: "The request object is not an unsigned one, as the client has registered.")
            }
            self.claims = claims
        } else {
            let token: JSONWebToken
            do throws(JSONWebTokenError) {
                token = try JSONWebToken(parsing: text, accepting: Set(SignatureAlgorithm.allCases))
            } catch {
                throw Fault(explanation: error.explanation(of: "The request object"))
            }
            if let registered, token.algorithm.rawValue != registered {
                throw Fault(explanation: "The request object is not signed with \(registered), as the client has registered.")
            }
            if let type = token.header["typ"]?.stringValue, !["JWT", "OAUTH-AUTHZ-REQ+JWT"].contains(type.uppercased()) {
                throw Fault(explanation: "The request object's typ is wrong.")
            }
            guard try await visit.signed(token, by: client) else {
                throw Fault(explanation: "The request object is not signed with a key or the secret of the client.")
            }
            claims = token.claims
        }
        try check(client, visit)
    }

    /// Returns the token in an encrypted request object (OpenID Connect Core 1.0 section 6.1, RFC 9101 section 6.1), and other texts as they
    /// are.
    private static func decrypted(_ text: String, from client: Client, at visit: Visit) async throws -> String {
        guard JSONWebEncryption.isEncrypted(text) else { return text }
        guard let algorithm = client.metadata.requestObjectEncryptionAlg else {
            throw Fault(explanation: "The request object is encrypted, and the client has registered no request_object_encryption_alg.")
        }
        do {
            let object = try JSONWebEncryption(parsing: text)
            let encryption = client.metadata.requestObjectEncryptionEnc ?? ContentEncryption.usual.rawValue
            guard object.algorithm.rawValue == algorithm, object.encryption.rawValue == encryption else {
                throw Fault(
                    explanation: "The request object is not encrypted with \(algorithm) and \(encryption), as the client has registered.")
            }
            let keys = try await visit.decryptionKeys()
            guard let token = String(validating: try object.decrypt(with: keys), as: UTF8.self) else {
                throw Fault(explanation: "The encrypted request object has no token in it.")
            }
            return token
        } catch let error as JSONWebEncryptionError {
            throw Fault(explanation: error.explanation(of: "The request object"))
        }
    }

    /// Returns the claims of an unsigned JWT (RFC 7519 section 6).
    private static func unsigned(_ text: String) -> JSONObject? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].isEmpty, text.utf8.count <= JSONWebToken.longest,
            let header = [UInt8](base64url: String(parts[0])), let claims = [UInt8](base64url: String(parts[1])),
            (try? JSONValue(parsing: header))?["alg"] == "none"
        else { return nil }
        return (try? JSONValue(parsing: claims))?.objectValue
    }

    private func check(_ client: Client, _ visit: Visit) throws {
        if let issuer = claims["iss"], issuer.stringValue != client.id {
            throw Fault(explanation: "The request object's iss is not the client.")
        }
        // Otherwise a client's authentication assertion could be used as a request object (RFC 9101 section 10.8).
        if claims["sub"]?.stringValue == client.id { throw Fault(explanation: "The request object's sub is the client.") }
        if claims["aud"] != nil {
            let directory = visit.cloud.directory
            guard claims.audiences.contains(where: { directory.provider(issuer: $0, names: visit.call.names)?.name == visit.provider.name })
            else {
                throw Fault(explanation: "The request object is for another issuer.")
            }
        }
        // Clients sign with the wall clock's time.
        let now = Double(visit.call.arrived.seconds)
        if let expiry = claims["exp"] {
            guard let time = expiry.numberValue, time > now else { throw Fault(explanation: "The request object has expired.") }
        }
        if let start = claims["nbf"] {
            guard let time = start.numberValue, time <= now + SignedAssertion.tolerance else {
                throw Fault(explanation: "The request object is not valid yet.")
            }
        }
        if claims["authorization_details"] != nil { throw Fault(explanation: Self.unsupportedDetails) }
        for name in ["request", "request_uri"] where claims[name] != nil {
            throw Fault(explanation: "A request object must not have the member \(name).")
        }
    }

    /// Returns the request's parameters, overridden by those of the object (section 6.3.3).
    /// - Throws: `Fault` where the two differ although they must not (section 6.1), or a member cannot be a parameter.
    func merged(into outer: FormFields) throws -> FormFields {
        var merged = outer
        merged.fields.removeAll { $0.name == "request" || $0.name == "request_uri" }
        for (name, value) in claims.members where !Self.tokenClaims.contains(name) {
            let text: String
            switch value {
            case .array(let elements) where name == ResourceIndicators.parameter:
                // There may be several resources (RFC 8707 section 2).
                let resources = elements.compactMap(\.stringValue)
                guard resources.count == elements.count else {
                    throw Fault(explanation: "The request object's resource must be a string or a list of strings.")
                }
                merged.fields.removeAll { $0.name == name }
                merged.fields += resources.map { .init(name: name, value: $0) }
                continue
            case .array(let elements) where Self.lists.contains(name):
                // Some clients, such as pyoidc, send space-separated lists as arrays.
                let words = elements.compactMap(\.stringValue)
                guard words.count == elements.count else { throw Fault(explanation: "The request object's \(name) has the wrong type.") }
                text = words.joined(separator: " ")
            case .string(let string): text = string
            case .integer, .object: text = value.serialized()
            default:
                // Unknown members are ignored, whatever their type (RFC 6749 section 3.1).
                guard Self.parameters.contains(name) else { continue }
                throw Fault(explanation: "The request object's \(name) has the wrong type.")
            }
            let isFixed = name == "client_id" || name == "response_type"
            if isFixed, let other = outer.value(name), Set(other.split(separator: " ")) != Set(text.split(separator: " ")) {
                throw Fault(explanation: "The request object's \(name) is not that of the request.")
            }
            merged.fields.removeAll { $0.name == name }
            merged.fields.append(.init(name: name, value: text))
        }
        return merged
    }

    /// The parameters with space-separated values.
    private static let lists: Set<String> = ["scope", "response_type", "prompt", "acr_values", "ui_locales", "claims_locales"]

    /// The parameters that the endpoint reads, which must not be ignored silently.
    private static let parameters = lists.union([
        "client_id", "redirect_uri", "state", "nonce", "response_mode", "display", "max_age", "id_token_hint", "login_hint", "claims",
        "registration", "code_challenge", "code_challenge_method", "dpop_jkt", ResourceIndicators.parameter,
    ])

    private static let tokenClaims: Set<String> = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]
}
