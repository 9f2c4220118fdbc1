import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Synchronization
import Tokens
import WireFormats

@testable import MobileCloudFace

/// A stub of an external issuer: the documents at its URLs, and its tokens.
final class ForeignIssuer: Sendable {
    /// Made once, since generating keys is slow.
    static let key = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }
    static let otherKey = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }
    static let curveKey = Result { try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)) }

    static let name = "https://issuer.example"
    static let discovery = name + "/.well-known/openid-configuration"
    static let keySet = name + "/keys"

    private let state = Mutex(State())

    private struct State {
        var documents: [String: OutboundResponse] = [:]
        var asked: [OutboundRequest] = []
    }

    struct Unreachable: Error {}

    /// Publishes the default key.
    init() throws {
        put(["issuer": .string(Self.name), "jwks_uri": .string(Self.keySet)], at: Self.discovery)
        try publish([Self.key])
    }

    /// The requests that it received, in order.
    var asked: [OutboundRequest] { state.withLock { $0.asked } }

    func put(_ document: JSONValue?, at url: String, status: Int = 200) {
        state.withLock { $0.documents[url] = document.map { OutboundResponse(status: status, body: $0.serializedBytes()) } }
    }

    func publish(_ keys: [Result<SigningKey, any Error>], at url: String = keySet) throws {
        put(try JSONWebKeySet(keys.map { try $0.get().jsonWebKey }).json, at: url)
    }

    @Sendable func answer(_ request: OutboundRequest) async throws -> OutboundResponse {
        let answer = state.withLock { state in
            state.asked.append(request)
            return state.documents[request.url]
        }
        guard let answer else { throw Unreachable() }
        return answer
    }

    /// Returns a token for alice, a technician, with a lifetime of ten minutes.
    /// - Parameter changes: Claims to set; null removes a claim.
    static func token(
        _ cloud: Cloud, _ changes: JSONObject = [:], key: Result<SigningKey, any Error> = key, header: JSONObject = ["typ": "JWT"]
    ) throws -> String {
        let now = cloud.clock.now.seconds
        var claims: JSONObject = [
            "iss": .string(name), "sub": "alice", "aud": .string(MobileSandbox.origin + "/mobile/platform/auth/token"),
            "iat": .integer(now), "exp": .integer(now + 600), "roles": ["Technician"],
        ]
        for (name, value) in changes.members { claims[name] = value == .null ? Optional.none : value }
        return try JSONWebToken.sign(header: header, claims: claims, key: key.get())
    }
}

extension MobileSandbox {
    /// Runs a test in a mobile cloud that trusts the issuer.
    /// - Parameters:
    ///   - - issuer: Members of its entry in the configuration, beside its name.
    ///   - - root: Members of the configuration beside the issuers.
    ///   - - policies: Further policies.
    ///   - - more: Further members of the mobile cloud in the seed.
    static func runWithIssuer(
        _ issuer: String = usualIssuer, root: String = "", policies: String = "", more: String = "", others: String = "accounts: []",
        _ test: (MobileSandbox, ForeignIssuer) async throws -> Void
    ) async throws {
        let mobile = """
            roles: ['Technician', 'Manager', 'Guest', 'Staff'],
            realms: [{name: 'Default', users: [
              {username: 'alice', password: 'alice-password', email: 'alice@company.example', roles: ['Manager']}]},
              {name: 'Partners', users: [{username: 'petra', email: 'petra@partner.example'}]}],
            backends: [{name: 'app'}, {name: 'other'}, {name: 'partners', realm: 'Partners(1.0)'}, {name: 'basic', oauth: false},
              {name: 'consumer', basic: false}, {name: 'social', facebook: {appID: '1', appSecret: 's'}}],
            policies: {Security_AuthTokenConfiguration: {issuers: [{issuerName: '\(ForeignIssuer.name)', \(issuer)}] \(root)}
              \(policies)} \(more)
            """
        try await run(mobile, others: others) { mobile async throws in
            let issuer = try ForeignIssuer()
            var mobile = mobile
            mobile.outbound = issuer.answer
            try await test(mobile, issuer)
        }
    }

    static let usualIssuer = "virtualUserEnabled: true, roleAttributes: ['roles'], \(usualKeys)"
    static let usualKeys = "jwks: {discoveryUri: '\(ForeignIssuer.discovery)'}"
    static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    /// Exchanges a JWT for the client of a backend, which authenticates in the body.
    /// - Parameter more: Replaces parameters or adds them; an empty value removes one.
    func exchange(
        _ token: String, backend: String = "app", _ more: FormFields = [:], fields: HTTPFields = [:], authority: String = "localhost:4566"
    ) async throws -> MobileAnswer {
        let backend = try self.backend(backend)
        var form: FormFields = [
            "grant_type": Self.jwtBearer, "assertion": token, "client_id": backend.clientID, "client_secret": backend.clientSecret,
        ]
        for field in more.fields {
            form.fields.removeAll { $0.name == field.name }
            if !field.value.isEmpty { form.fields.append(field) }
        }
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, "/mobile/platform/auth/token", form.encoded, fields: fields, authority: authority)
    }

    /// Freezes the sandbox's clock at a whole second.
    func freeze() async throws { try await cloud.change(clock: .freeze(at: Timestamp(seconds: cloud.clock.now.seconds))) }

    /// Ages the sandbox by some seconds, at least two. In frozen time an aging advances the clock by one second of them.
    func pass(_ seconds: Int) async throws { try await cloud.age(by: .seconds(seconds - 1)) }

    /// Returns the content of a token of the mobile cloud.
    func content(of answer: MobileAnswer) async throws -> MobileTokens.Content {
        try await MobileTokens(cloud: cloud).read(answer["access_token"] ?? "")
    }

    /// Replaces the configuration of token exchange.
    func configure(_ configuration: JSONValue?) async throws {
        try await cloud.edit { directory in
            var environment = directory.mobile.environment
            environment.policies[AuthTokenConfiguration.policy] = configuration?.serialized()
            directory.put(.mobile(.environment(environment)))
        }
    }
}

extension MobileAnswer {
    /// The `error` and `error_description` of an error response.
    var refusal: String { "\(self["error"] ?? "-"): \(self["error_description"] ?? "-")" }
}
