import AWSIdentityFaces
import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import RequestSigning
import Tokens
import WireFormats

/// A sandbox for one test, with clients for its identity pools and its STS.
struct PoolSandbox {
    let cloud: Cloud
    let face: IdentityPoolsFace
    let sts: STSFace
    /// The stub of external identity providers.
    let stub: ForeignIssuerStub

    static let account = "000000000000"
    /// The pool of the seed, with guests and every kind of login.
    static let pool = "us-east-1:00000000-0000-4000-8000-000000000001"
    /// A pool without providers and guests.
    static let empty = "us-east-1:00000000-0000-4000-8000-000000000002"
    /// A pool without the classic flow.
    static let enhanced = "us-east-1:00000000-0000-4000-8000-000000000003"
    static let company = "login.company.example"
    static let provider = "cognito-identity.amazonaws.com"

    static func arn(_ role: String) -> String { "arn:aws:iam::\(account):role/\(role)" }

    private static func role(_ name: String, _ method: String, _ actions: String = "'sts:AssumeRoleWithWebIdentity'") -> String {
        """
        {name: '\(name)', trustPolicy: {Version: '2012-10-17', Statement: [{Effect: 'Allow', Principal: {Federated: '\(provider)'},
          Action: [\(actions)], Condition: {StringEquals: {'\(provider):aud': '\(pool)'},
            'ForAnyValue:StringLike': {'\(provider):amr': '\(method)'}}}]}}
        """
    }

    static let seed = """
        {accounts: [
          {id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}],
           users: [{name: "ann", accessKeys: [{id: "AKIAANN", secret: "secret"}], policies: {p: {Version: '2012-10-17', Statement: [
             {Effect: 'Allow', Action: 'cognito-identity:*', Resource: 'arn:aws:cognito-identity:us-east-1:000000000000:identitypool/\(pool)'}
           ]}}}],
           openIDConnectProviders: [{url: "https://login.company.example", clientIDs: ["web"]}],
           roles: [\(role("member", "authenticated")), \(role("guest", "unauthenticated")), \(role("admin", "authenticated")),
             \(role("tagged", "authenticated", "'sts:AssumeRoleWithWebIdentity', 'sts:TagSession'"))],
           identityPools: [
             {id: "\(pool)", name: "shop", allowGuests: true, developerProvider: "login.shop",
              socialLogins: {"accounts.google.com": "g-web", "graph.facebook.com": "1234", "www.amazon.com": "amzn1.application.x"},
              openIDConnectProviders: ["arn:aws:iam::000000000000:oidc-provider/login.company.example"],
              authenticatedRole: "\(arn("member"))", guestRole: "\(arn("guest"))"},
             {id: "\(empty)", name: "empty"},
             {id: "\(enhanced)", name: "enhanced", allowGuests: true, allowClassicFlow: false, guestRole: "\(arn("guest"))"}]},
          {id: "111111111111", rootKeys: [{id: "other", secret: "test"}]}],
         identityProviders: [
           {name: "company", issuer: "https://login.company.example", clients: [{id: "web"}, {id: "cli"}],
            people: [{name: "alice", subject: "employee-1", password: "p"}, {name: "bob", subject: "employee-2", password: "p"}]},
           {name: "google", clients: [{id: "g-web"}, {id: "g-other"}], people: [{name: "alice", subject: "110169", password: "p"}]},
           {name: "facebook", clients: [{id: "1234"}, {id: "5678"}], people: [{name: "alice", subject: "10000", password: "p"}]},
           {name: "amazon", clients: [{id: "amzn1.client.x", applicationID: "amzn1.application.x"}],
            people: [{name: "alice", subject: "amzn1.account.A", password: "p"}]}]}
        """

    static func run(_ test: (PoolSandbox) async throws -> Void) async throws {
        try await withCloud(seed) { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let stub = ForeignIssuerStub()
            let issuers = ForeignIssuers(cloud: cloud) { url in try stub.answer(url) }
            try await test(
                PoolSandbox(
                    cloud: cloud, face: IdentityPoolsFace(authenticator: authenticator, issuers: issuers),
                    sts: STSFace(authenticator: authenticator, issuers: issuers), stub: stub))
        }
    }

    // MARK: Calls

    /// Calls an operation without a signature.
    @discardableResult
    func call(_ operation: String, _ members: JSONObject = [:], header: HTTPFields = [:]) async throws -> PoolAnswer {
        try await send(operation, members, header)
    }

    /// Calls an operation that is signed with `key`.
    @discardableResult
    func signed(
        _ operation: String, _ members: JSONObject = [:], by key: (String, String) = ("test", "test"), region: String = "us-east-1"
    ) async throws -> PoolAnswer {
        let body = JSONValue.object(members).serialized()
        var signable = SignableRequest(method: "POST", target: "/", authority: "localhost:4566")
        for field in Self.fields(of: operation) { signable.fields[field.name] = field.value }
        SignatureV4.Signer(accessKey: key.0, secret: key.1, sessionToken: nil, region: region, service: "cognito-identity")
            .sign(&signable, payload: PayloadHash(of: Array(body.utf8)), at: cloud.clock.now)
        return try await send(operation, members, signable.fields)
    }

    private func send(_ operation: String, _ members: JSONObject, _ header: HTTPFields) async throws -> PoolAnswer {
        var fields = header
        for field in Self.fields(of: operation) { fields[field.name] = field.value }
        let call = Call(.post, "/", fields, body: ByteBuffer(string: JSONValue.object(members).serialized()), cloud: cloud)
        let response = await face.respond(to: call)
        return PoolAnswer(try await FaceAnswer(response, call.entry(status: Int(response.status.code))))
    }

    private static func fields(of operation: String) -> HTTPFields {
        [.contentType: "application/x-amz-json-1.1", .amazonTarget: "AWSCognitoIdentityService." + operation]
    }

    func document(_ path: String) async throws -> PoolAnswer {
        let call = Call(.get, path, [:], cloud: cloud)
        let response = await face.respond(to: call)
        return PoolAnswer(try await FaceAnswer(response, call.entry(status: Int(response.status.code))))
    }

    /// Calls an operation of STS.
    func callSTS(_ action: String, _ parameters: FormFields, as credentials: (String, String, String)? = nil) async throws -> STSAnswer {
        var form: FormFields = ["Action": action, "Version": "2011-06-15"]
        form.fields += parameters.fields
        var signable = SignableRequest(method: "POST", target: "/", authority: "localhost:4566")
        signable.fields[.contentType] = "application/x-www-form-urlencoded"
        if let credentials {
            SignatureV4.Signer(
                accessKey: credentials.0, secret: credentials.1, sessionToken: credentials.2, region: "us-east-1", service: "sts"
            ).sign(&signable, payload: PayloadHash(of: Array(form.encoded.utf8)), at: cloud.clock.now)
        }
        let call = Call(.post, "/", signable.fields, body: ByteBuffer(string: form.encoded), cloud: cloud)
        let response = await sts.respond(to: call, form: nil)
        return try await STSAnswer(response, call.entry(status: Int(response.status.code)))
    }

    // MARK: Logins

    /// A token of the company for employee-1, with `changes`; a change to Swift's `nil` removes a claim.
    func companyToken(_ changes: [(String, JSONValue?)] = [], by issuer: String = "company") async throws -> String {
        let now = cloud.clock.now.seconds
        var claims: JSONObject = [
            "iss": "https://login.company.example", "sub": "employee-1", "aud": "web", "iat": .integer(now), "exp": .integer(now + 3600),
        ]
        for (name, value) in changes { claims[name] = value }
        return try JSONWebToken.sign(claims: claims, key: try await cloud.signingKey(for: issuer))
    }

    /// A token of a social provider for alice.
    func socialToken(_ provider: String, client: String? = nil) async throws -> String {
        var order = TokenOrder(provider: provider, user: "alice")
        order.client = client
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: "http://localhost:4566").token
    }

    /// Returns the identity of some logins.
    func identity(_ logins: JSONObject = [:]) async throws -> String {
        var members: JSONObject = ["IdentityPoolId": .string(Self.pool)]
        if !logins.isEmpty { members["Logins"] = .object(logins) }
        return try await call("GetId", members)["IdentityId"]?.stringValue ?? ""
    }

    /// Gets credentials for an identity with a login at the company.
    func credentials(_ identity: String, _ logins: JSONObject = [:], _ more: JSONObject = [:]) async throws -> PoolAnswer {
        var members: JSONObject = ["IdentityId": .string(identity)]
        if !logins.isEmpty { members["Logins"] = .object(logins) }
        for (name, value) in more.members { members[name] = value }
        return try await call("GetCredentialsForIdentity", members)
    }

    /// Changes the pool of the seed.
    func change(_ change: (inout IdentityPool) -> Void) async throws {
        try await cloud.edit { directory in
            _ = try directory.updateIdentityPool(Self.pool, in: Self.account, change)
        }
    }
}

/// An answer of the face, with its document.
struct PoolAnswer {
    let answer: FaceAnswer
    let json: JSONValue?

    init(_ answer: FaceAnswer) {
        self.answer = answer
        json = try? JSONValue(parsing: answer.body)
    }

    var status: Int { answer.status }
    subscript(name: String) -> JSONValue? { json?[name] }

    /// The code and the message of an error.
    var refusal: String {
        let message = json?["message"]?.stringValue ?? json?["Message"]?.stringValue
        return "\(json?["__type"]?.stringValue ?? "") \(message ?? "")"
    }

    /// The credentials, as ``PoolSandbox/callSTS(_:_:as:)`` takes them.
    var credentials: (String, String, String)? {
        guard let issued = json?["Credentials"], let key = issued["AccessKeyId"]?.stringValue,
            let secret = issued["SecretKey"]?.stringValue, let token = issued["SessionToken"]?.stringValue
        else { return nil }
        return (key, secret, token)
    }
}
