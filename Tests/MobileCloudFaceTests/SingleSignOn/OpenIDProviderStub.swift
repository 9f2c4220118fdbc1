import Cryptography
import Federation
import HTTPTypes
import NIOCore
import Synchronization
import Tokens
import WireFormats

@testable import MobileCloudFace

/// An OpenID Connect provider elsewhere, as the relay reaches it: documents, and a token endpoint that gives whatever a test lets it give.
final class OpenIDProviderStub: Sendable {
    /// Made once, since keys are slow to make.
    static let key = Result { try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)) }
    static let otherKey = Result { try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)) }

    static let issuer = "https://login.elsewhere.example"

    /// What a seed says of a realm that logs in here.
    static func signOn(_ more: String = "", issuer: String = issuer) -> String {
        "{openIDConnect: {issuer: '\(issuer)', clientID: 'relay', clientSecret: 's:e c', \(more)}}"
    }

    struct Behaviour {
        var metadata: JSONObject
        /// Claims that differ from those of a good token; null takes one away.
        var claims: JSONObject = [:]
        var userInfo: JSONObject?
        /// What the token endpoint answers in place of tokens.
        var refusal: JSONObject?
        var signsWithOtherKey = false
        /// Of the authorization request that the browser brought.
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

    /// What was asked of it.
    var requests: [OutboundRequest] { state.withLock { $0.requests } }

    /// Takes the browser's request for a login, and has the code ready.
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
