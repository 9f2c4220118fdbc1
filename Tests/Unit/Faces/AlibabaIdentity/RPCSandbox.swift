import AlibabaIdentityFaces
import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import RequestSigning
import Testing
import Tokens
import WireFormats

/// A sandbox for one test, with a client for the RPC services.
struct RPCSandbox {
    let cloud: Cloud
    let face: AlibabaRPCFace

    static let account = "1234567890123456"
    static let oidcProvider = "acs:ram::1234567890123456:oidc-provider/company"
    static let samlProvider = "acs:ram::1234567890123456:saml-provider/company"

    private static func role(_ name: String, _ principal: String, _ condition: String = "{}", _ more: String = "") -> String {
        """
        {name: '\(name)', trustPolicy: {Version: '1', Statement: [
          {Effect: 'Allow', Principal: {\(principal)}, Action: 'sts:AssumeRole', Condition: \(condition)}]}\(more)}
        """
    }

    static let seed = """
        {alibaba: {accounts: [
          {id: "1234567890123456", name: "harbour", rootKeys: [{id: "LTAIROOT", secret: "root"}],
           users: [
             {name: "app-server", accessKeys: [{id: "LTAIAPP", secret: "app"}], policies: ["AliyunSTSAssumeRoleAccess"]},
             {name: "bob", accessKeys: [{id: "LTAIBOB", secret: "bob"}]}],
           openIDConnectProviders: [{name: "company", url: "https://login.company.example", clientIDs: ["web", "cli"]}],
           samlProviders: [{name: "company", identityProvider: "company"}],
           roles: [
             \(role("app-user", "RAM: ['acs:ram::1234567890123456:root']", "{}", ", policies: ['AliyunOSSFullAccess', 'AliyunSTSAssumeRoleAccess'], maximumSessionDuration: 7200")),
             \(role("bobs", "RAM: ['acs:ram::1234567890123456:user/bob']")),
             \(role("outside", "RAM: ['acs:ram::6543210987654321:root']")),
             \(role("external", "RAM: ['acs:ram::1234567890123456:root']", "{StringEquals: {'sts:ExternalId': 'abc-1'}}")),
             \(role("oidc", "Federated: ['\(oidcProvider)']", "{StringEquals: {'oidc:iss': 'https://login.company.example', 'oidc:aud': 'web', 'oidc:sub': 'employee-1'}}")),
             \(role("oidc-cli", "Federated: ['\(oidcProvider)']", "{StringEquals: {'oidc:aud': 'cli'}}")),
             \(role("saml", "Federated: ['\(samlProvider)']", "{StringEquals: {'saml:recipient': 'https://signin.aliyun.com/saml-role/sso'}}")),
             \(role("saml-elsewhere", "Federated: ['\(samlProvider)']", "{StringEquals: {'saml:recipient': 'https://elsewhere.example'}}"))]},
          {id: "6543210987654321", name: "island", users: [
            {name: "zoe", accessKeys: [{id: "LTAIZOE", secret: "zoe"}], policies: ["AliyunSTSAssumeRoleAccess"]}]}]},
         identityProviders: [
           {name: "company", issuer: "https://login.company.example", clients: [{id: "web"}, {id: "cli"}, {id: "other"}],
            people: [{name: "alice", subject: "employee-1", password: "p"}, {name: "bob", subject: "employee-2", password: "p"}],
            saml: {entityID: "https://login.company.example/saml", serviceProviders: [
              {entityID: "urn:alibaba:cloudcomputing", assertionConsumerServices: ["https://signin.aliyun.com/saml-role/sso"]},
              {entityID: "urn:elsewhere", assertionConsumerServices: ["https://signin.aliyun.com/saml-role/sso"]},
              {entityID: "https://signin.aliyun.com/saml-role/sso", assertionConsumerServices: ["https://elsewhere.example/sso"]}]}},
           {name: "stranger", issuer: "https://stranger.example", clients: [{id: "web"}],
            people: [{name: "alice", subject: "employee-1", password: "p"}]}]}
        """

    static func run(_ test: (RPCSandbox) async throws -> Void) async throws {
        try await withCloud(seed) { cloud async throws in
            let face = AlibabaRPCFace(
                authenticator: Authenticator(cloud: cloud), issuers: ForeignIssuers(cloud: cloud) { _ in throw Unreachable() })
            try await test(RPCSandbox(cloud: cloud, face: face))
        }
    }

    private struct Unreachable: Error {}

    static func arn(_ role: String) -> String { "acs:ram::\(account):role/\(role)" }

    /// Long-term or temporary keys.
    struct Keys {
        var id: String
        var secret: String
        var token: String?

        static let root = Keys(id: "LTAIROOT", secret: "root")
        static let app = Keys(id: "LTAIAPP", secret: "app")
        static let bob = Keys(id: "LTAIBOB", secret: "bob")
        static let zoe = Keys(id: "LTAIZOE", secret: "zoe")
    }

    /// Sends parameters, in the query or in a form.
    func send(
        _ method: HTTPRequest.Method, query: String = "", form: String? = nil, fields: HTTPFields = [:]
    ) async throws -> RPCAnswer {
        var fields = fields
        if form != nil, fields[.contentType] == nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        let call = Call(
            method, query.isEmpty ? "/" : "/?\(query)", fields, body: ByteBuffer(string: form ?? ""), authority: "sts.aliyuncs.com",
            cloud: cloud)
        let response = await face.respond(to: call)
        return try await RPCAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// The parameters of a call, with the first signature if there is a signer.
    func parameters(
        _ action: String, _ more: FormFields = [:], as keys: Keys?, method: HTTPRequest.Method = .post, version: String = "2015-04-01"
    ) throws -> FormFields {
        var parameters: FormFields = ["Action": action, "Version": version, "Format": "JSON"]
        if let keys {
            parameters.fields += [
                .init(name: "AccessKeyId", value: keys.id), .init(name: "SignatureMethod", value: "HMAC-SHA1"),
                .init(name: "SignatureVersion", value: "1.0"), .init(name: "SignatureNonce", value: RequestID().uuid),
                .init(name: "Timestamp", value: Timestamp(seconds: cloud.clock.wall.seconds).iso8601),
            ]
            if let token = keys.token { parameters.fields.append(.init(name: "SecurityToken", value: token)) }
        }
        for field in more.fields {
            parameters.fields.removeAll { $0.name == field.name }
            parameters.fields.append(field)
        }
        if let keys { RPCSignature.sign(&parameters, method: method.rawValue, secret: keys.secret) }
        return parameters
    }

    func call(
        _ action: String, _ more: FormFields = [:], as keys: Keys?, method: HTTPRequest.Method = .post, version: String = "2015-04-01"
    ) async throws -> RPCAnswer {
        let parameters = try parameters(action, more, as: keys, method: method, version: version)
        return method == .post ? try await send(.post, form: parameters.encoded) : try await send(method, query: parameters.encoded)
    }

    /// Makes a call with the third signature: action and version are in headers.
    func callV3(
        _ action: String, _ parameters: FormFields = [:], as keys: Keys, fields: HTTPFields = [:],
        changing change: (inout SignableRequest) -> Void = { _ in }
    ) async throws -> RPCAnswer {
        var signable = SignableRequest(
            method: "POST", target: "/?\(parameters.encoded)", authority: "sts.aliyuncs.com", fields: fields)
        signable.fields[try #require(.init("x-acs-action"))] = action
        signable.fields[try #require(.init("x-acs-version"))] = "2015-04-01"
        ACS3Signature.sign(
            &signable, body: [], accessKey: keys.id, secret: keys.secret, sessionToken: keys.token, nonce: RequestID().uuid,
            at: Timestamp(seconds: cloud.clock.wall.seconds))
        change(&signable)
        return try await send(.post, query: signable.query.text, fields: signable.fields)
    }

    func assumeRole(_ role: String, as keys: Keys, _ more: FormFields = [:]) async throws -> RPCAnswer {
        var parameters: FormFields = ["RoleArn": Self.arn(role), "RoleSessionName": "alice-001"]
        for field in more.fields {
            parameters.fields.removeAll { $0.name == field.name }
            parameters.fields.append(field)
        }
        return try await call("AssumeRole", parameters, as: keys)
    }

    /// A token of a user, as an application receives it after the login.
    func token(
        _ person: String = "alice", provider: String = "company", client: String = "web", lifetime: Int? = nil,
        fault: TokenFault? = nil
    ) async throws -> String {
        var order = TokenOrder(provider: provider, user: person)
        order.client = client
        order.lifetime = lifetime
        order.fault = fault
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: "http://localhost:4566").token
    }

    /// An assertion of alice in base64.
    func assertion(
        for serviceProvider: String = "urn:alibaba:cloudcomputing", roles: [String] = ["saml"], sessionName: [String] = ["alice"],
        more: [(name: String, values: [String])] = [], lifetime: Int? = nil, defect: AssertionDefect? = nil
    ) async throws -> String {
        let prefix = "https://www.aliyun.com/SAML-Role/Attributes/"
        let minted = try await TokenMint(cloud: cloud).assertion(
            provider: "company", user: "alice", serviceProvider: serviceProvider,
            attributes: [
                (prefix + "Role", roles.map { "\(Self.arn($0)),\(Self.samlProvider)" }), (prefix + "RoleSessionName", sessionName),
            ] + more,
            lifetime: lifetime, defect: defect, origin: "http://localhost:4566")
        guard case .form(let text) = minted.transport else { throw Unreachable() }
        return text
    }
}

/// The response of the face.
struct RPCAnswer {
    var status: Int
    var fields: HTTPFields
    var text: String
    var journal: JournalEntry

    init(_ response: Response, _ journal: JournalEntry) async throws {
        status = Int(response.status.code)
        fields = response.headers
        self.journal = journal
        text = String(decoding: try await response.collectedBody(), as: UTF8.self)
    }

    var json: JSONValue { get throws { try JSONValue(parsing: text) } }
    var code: String? { (try? json)?["Code"]?.stringValue }
    var message: String? { (try? json)?["Message"]?.stringValue }

    /// The temporary keys in the response.
    var keys: RPCSandbox.Keys {
        get throws {
            let keys = try json["Credentials"]
            return RPCSandbox.Keys(
                id: try #require(keys?["AccessKeyId"]?.stringValue), secret: try #require(keys?["AccessKeySecret"]?.stringValue),
                token: try #require(keys?["SecurityToken"]?.stringValue))
        }
    }
}
