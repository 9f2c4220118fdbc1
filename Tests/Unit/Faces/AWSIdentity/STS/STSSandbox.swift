import AWSIdentityFaces
import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import RequestSigning
import Tokens
import WireFormats

/// A sandbox for one test, with a client for its STS face.
struct STSSandbox {
    let cloud: Cloud
    let face: STSFace
    /// The stub of external identity providers.
    let issuers: ForeignIssuerStub
    var names = HostNames()

    static let account = "000000000000"

    private static func role(_ name: String, _ statements: String, _ more: String = "") -> String {
        "{name: '\(name)', trustPolicy: {Version: '2012-10-17', Statement: [\(statements)]}\(more)}"
    }

    private static func trust(_ provider: String, _ action: String = "'sts:AssumeRoleWithWebIdentity'", _ condition: String = "{}")
        -> String
    {
        "{Effect: 'Allow', Principal: {Federated: '\(provider)'}, Action: \(action), Condition: \(condition)}"
    }

    private static let company = "arn:aws:iam::000000000000:oidc-provider/login.company.example"

    static let seed = """
        {accounts: [
          {id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}],
           users: [{name: "ann", path: "/staff/", accessKeys: [{id: "AKIAANN", secret: "ann"}]}],
           openIDConnectProviders: [
             {url: "https://login.company.example", clientIDs: ["web", "cli"]}, {url: "https://elsewhere.example", clientIDs: []}],
           roles: [
             \(role("company", trust(company))),
             \(role("long", trust(company), ", path: '/app/', maximumSessionDuration: 43200")),
             \(role("tagged", trust(company, "['sts:AssumeRoleWithWebIdentity', 'sts:TagSession', 'sts:SetSourceIdentity']"))),
             \(role("named-app1", trust(company, "'sts:*'", "{StringEquals: {'sts:RoleSessionName': 'app1'}}"))),
             \(role("by-azp", trust(company, "'sts:*'", "{StringEquals: {'login.company.example:azp': 'cli'}}"))),
             \(role("by-oaud", trust(company, "'sts:*'", "{StringEquals: {'login.company.example:oaud': 'web'}}"))),
             \(role("by-amr", trust(company, "'sts:*'", "{'ForAnyValue:StringEquals': {'login.company.example:amr': 'mfa'}}"))),
             \(role("by-email", trust(company, "'sts:*'", "{StringLike: {'login.company.example:email': '*'}}"))),
             \(role("by-roles", trust(company, "'sts:*'", "{Bool: {'sts:RoleAuthorizedByIdp': 'true'}}"))),
             \(role("by-tag", trust(company, "'sts:*'", "{StringEquals: {'aws:RequestTag/team': 'red'}}"))),
             \(role("anybody", "{Effect: 'Allow', Principal: {AWS: '*'}, Action: 'sts:*'}")),
             \(role("google", trust("accounts.google.com", "'sts:*'", "{StringEquals: {'accounts.google.com:aud': 'g-web', 'accounts.google.com:oaud': ['g-web', 'g-server']}}"))),
             \(role("facebook", trust("graph.facebook.com", "'sts:*'", "{StringEquals: {'graph.facebook.com:app_id': '1234'}}"))),
             \(role("amazon", trust("www.amazon.com", "'sts:*'", "{StringEquals: {'www.amazon.com:app_id': 'amzn1.application.x'}}")))]},
          {id: "111111111111"}],
         identityProviders: [
           {name: "company", issuer: "https://login.company.example", clients: [{id: "web"}, {id: "cli"}],
            people: [{name: "alice", subject: "employee-1", password: "p", claims: {email: "alice@company.example"}}]},
           {name: "untrusted", issuer: "https://untrusted.example", clients: [{id: "web"}],
            people: [{name: "alice", subject: "u-1", password: "p"}]},
           {name: "google", clients: [{id: "g-web"}, {id: "g-other"}], people: [{name: "alice", subject: "110169", password: "p"}]},
           {name: "facebook", clients: [{id: "1234"}], people: [{name: "alice", subject: "10000", password: "p"}]},
           {name: "amazon", clients: [{id: "amzn1.client.x", applicationID: "amzn1.application.x"}],
            people: [{name: "alice", subject: "amzn1.account.A", password: "p"}]}]}
        """

    static func run(
        folder: String? = nil, seed: String = Self.seed, issuersOverHTTP: Bool = false, dialect: Dialect = .aws,
        _ test: (STSSandbox) async throws -> Void
    ) async throws {
        try await withCloud(seed, dialect: dialect.ofPolicies, folder: folder, issuersOverHTTP: issuersOverHTTP) { cloud async throws in
            let issuers = ForeignIssuerStub()
            let face = STSFace(
                authenticator: Authenticator(cloud: cloud),
                issuers: ForeignIssuers(cloud: cloud) { url in try issuers.answer(url) }, dialect: dialect)
            try await test(STSSandbox(cloud: cloud, face: face, issuers: issuers))
        }
    }

    /// A token of alice, as an application receives it after her login.
    func token(
        _ provider: String = "company", client: String? = nil, claims: JSONObject = [:], lifetime: Int? = nil,
        origin: String = "http://localhost:4566"
    ) async throws -> String {
        var order = TokenOrder(provider: provider, user: "alice")
        order.client = client
        order.claims = claims
        order.lifetime = lifetime
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: origin).token
    }

    /// The usual claims of the company's tokens, with `changes`; a change to Swift's `nil` removes a claim.
    func claims(_ changes: [(String, JSONValue?)] = []) -> JSONObject {
        let now = cloud.clock.now.seconds
        var claims: JSONObject = [
            "iss": "https://login.company.example", "sub": "employee-1", "aud": "web", "iat": .integer(now),
            "exp": .integer(now + 3600),
        ]
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    /// A token with exactly these claims, signed with the provider's key.
    func signed(_ claims: JSONObject, header: JSONObject = ["typ": "JWT"], by provider: String = "company") async throws -> String {
        try JSONWebToken.sign(header: header, claims: claims, key: try await cloud.signingKey(for: provider))
    }

    static func arn(_ role: String) -> String { "arn:aws:iam::\(account):role/\(role)" }

    /// Calls `AssumeRoleWithWebIdentity`; `more` replaces parameters or adds them.
    func assume(_ role: String = "company", _ token: String, _ more: FormFields = [:]) async throws -> STSAnswer {
        var form: FormFields = [
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": Self.arn(role),
            "RoleSessionName": "app1", "WebIdentityToken": token,
        ]
        for field in more.fields {
            form.fields.removeAll { $0.name == field.name }
            form.fields.append(field)
        }
        return try await post(form)
    }

    func post(_ form: FormFields) async throws -> STSAnswer {
        try await send(.post, "/", form: form.encoded)
    }

    /// The signer and the time of signing.
    struct Signature {
        var signer: SignatureV4.Signer
        var time: Timestamp?

        init(_ id: String, _ secret: String, token: String? = nil, service: String = "sts", at time: Timestamp? = nil) {
            signer = .init(accessKey: id, secret: secret, sessionToken: token, region: "us-east-1", service: service)
            self.time = time
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, form: String = "", signedBy signature: Signature? = nil,
        changing change: (inout HTTPFields) -> Void = { _ in }
    ) async throws -> STSAnswer {
        var signable = SignableRequest(method: method.rawValue, target: target, authority: "localhost:4566")
        if !form.isEmpty { signable.fields[.contentType] = "application/x-www-form-urlencoded" }
        signature?.signer.sign(&signable, payload: PayloadHash(of: Array(form.utf8)), at: signature?.time ?? cloud.clock.now)
        change(&signable.fields)
        let call = Call(method, target, signable.fields, body: ByteBuffer(string: form), cloud: cloud, names: names)
        let response = await face.respond(to: call, form: nil)
        return try await STSAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// Calls an operation with its parameters.
    func call(_ action: String, _ parameters: FormFields = [:], as signature: Signature?) async throws -> STSAnswer {
        var form: FormFields = ["Action": action, "Version": "2011-06-15"]
        form.fields += parameters.fields
        return try await send(.post, "/", form: form.encoded, signedBy: signature)
    }

    func callerIdentity(_ signature: Signature?) async throws -> STSAnswer {
        try await send(.post, "/", form: "Action=GetCallerIdentity&Version=2011-06-15", signedBy: signature)
    }
}

/// The response of the face.
struct STSAnswer {
    var status: Int
    var fields: HTTPFields
    var xml: XMLElement
    var journal: JournalEntry

    init(_ response: Response, _ journal: JournalEntry) async throws {
        status = Int(response.status.code)
        fields = response.headers
        let answer = try await FaceAnswer(response, journal)
        xml = try answer.xml
        self.journal = journal
    }

    /// The text of the first element with a name.
    subscript(name: String) -> String? { Self.find(name, in: xml)?.text }

    var code: String? { self["Code"] }
    var message: String? { self["Message"] }

    private static func find(_ name: String, in element: XMLElement) -> XMLElement? {
        element.name == name ? element : element.children.lazy.compactMap { find(name, in: $0) }.first
    }

    func element(_ name: String) -> XMLElement? { Self.find(name, in: xml) }

    var credentials: STSSandbox.Signature? {
        guard let id = self["AccessKeyId"], let secret = self["SecretAccessKey"], let token = self["SessionToken"] else { return nil }
        return .init(id, secret, token: token)
    }
}
