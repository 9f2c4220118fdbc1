import Cryptography
import Federation
import HTTPTypes
import NIOCore
import Synchronization
import Tokens
import WireFormats

@testable import MobileCloudFace

/// A stub of an external OpenID Connect provider: documents and a token endpoint, whose responses a test sets.
final class OpenIDProviderStub: Sendable {
    /// Made once, since generating keys is slow.
    static let key = Result { try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)) }
    static let otherKey = Result { try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)) }

    static let issuer = "https://login.elsewhere.example"

    /// The sign-on settings in the seed of a realm that logs in here.
    static func signOn(_ more: String = "", issuer: String = issuer) -> String {
        "{openIDConnect: {issuer: '\(issuer)', clientID: 'relay', clientSecret: 's:e c', \(more)}}"
    }

    struct Behaviour {
        var metadata: JSONObject
        /// Claims that differ from those of a valid token; null removes a claim.
        var claims: JSONObject = [:]
        var userInfo: JSONObject?
        /// The response of the token endpoint in place of tokens.
        var refusal: JSONObject?
        var signsWithOtherKey = false
        /// The nonce of the browser's authorization request.
        var nonce = ""
    }

    private let state: Mutex<(behaviour: Behaviour, requests: [OutboundRequest])>

    init(issuer: String = OpenIDProviderStub.issuer, endpoints: String? = nil, _ change: (inout Behaviour) -> Void = { _ in }) {
        let base = endpoints ?? issuer
        var behaviour = Behaviour(metadata: [
            "issuer": .string(issuer), "authorization_endpoint": .string(base + "/authorize"), "token_endpoint": .string(base + "/token"),
            "jwks_uri": .string(base + "/jwks"), "userinfo_endpoint": .string(base + "/userinfo"),
        ])
        change(&behaviour)
        state = Mutex((behaviour, []))
    }

    /// The requests that it received.
    var requests: [OutboundRequest] { state.withLock { $0.requests } }

    /// Handles the browser's authorization request, and returns the response with a code.
    func authorize(_ redirect: MobileAnswer) -> FormFields {
        state.withLock { $0.behaviour.nonce = redirect.redirected["nonce"] ?? "" }
        return ["code": "the-code", "state": redirect.redirected["state"] ?? ""]
    }

    func answer(_ request: OutboundRequest) throws -> OutboundResponse {
        let behaviour = state.withLock { state in
            state.requests.append(request)
            return state.behaviour
        }
        func document(_ json: JSONObject, _ status: Int = 200) -> OutboundResponse {
            OutboundResponse(status: status, body: JSONValue.object(json).serializedBytes())
        }
        if request.url.hasSuffix("/.well-known/openid-configuration") { return document(behaviour.metadata) }
        switch request.url.split(separator: "/").last {
        case "jwks": return document(["keys": [.object(try Self.key.get().jsonWebKey.json)]])
        case "userinfo": return document(behaviour.userInfo ?? [:], behaviour.userInfo == nil ? 401 : 200)
        case "token":
            if let refusal = behaviour.refusal { return document(refusal, 400) }
            return document(["id_token": .string(try idToken(behaviour)), "access_token": "opaque", "token_type": "Bearer"])
        default: throw ChannelError.eof
        }
    }

    private func idToken(_ behaviour: Behaviour) throws -> String {
        let now = Timestamp.now().seconds
        var claims: JSONObject = [
            "iss": behaviour.metadata["issuer"] ?? .null, "sub": "joe", "aud": "relay", "iat": .integer(now), "exp": .integer(now + 300),
            "nonce": .string(behaviour.nonce),
        ]
        for (name, value) in behaviour.claims.members { claims[name] = value == .null ? nil : value }
        return try JSONWebToken.sign(claims: claims, key: (behaviour.signsWithOtherKey ? Self.otherKey : Self.key).get())
    }
}
