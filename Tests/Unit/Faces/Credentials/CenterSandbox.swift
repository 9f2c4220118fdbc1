import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import CredentialsFace

/// A sandbox for one test with IAM Identity Center, and a client for its services.
struct CenterSandbox {
    let cloud: Cloud
    let sessions: SessionTokens
    private let face: CredentialsFace

    static let account = "111122223333"
    static let other = "444455556666"
    static let startURL = "https://d-0123456789.awsapps.com/start"
    static let scope = "sso:account:access"
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    /// - Parameters:
    ///   - - center: Further members of Identity Center.
    ///   - - sessionDuration: The lifetime of the credentials of `Dev`.
    static func seed(center: String = "", sessionDuration: Int = 3600) -> String {
        """
        {accounts: [{id: "\(account)", name: "shop", email: "root@shop.example", rootKeys: [{id: "test", secret: "test"}]},
                    {id: "\(other)", name: "depot"}, {id: "777788889999"}],
         identityProviders: [{name: "company", issuer: "https://login.company.example", people: [
           {name: "alice", subject: "1", password: "p-alice"},
           {name: "bob", subject: "2", password: "p-bob", claims: {groups: ["devs"]}},
           {name: "carol", subject: "3", password: "p-carol"}]}],
         identityCenter: {identityProvider: "company", \(center)
           permissionSets: [{name: "Dev", sessionDuration: \(sessionDuration), policies: {own: {Version: "2012-10-17", Statement: [
               {Effect: "Allow", Action: "s3:*", Resource: "*"}]}}},
             {name: "Audit", attachedPolicies: ["arn:aws:iam::aws:policy/ReadOnlyAccess"]}],
           assignments: [{account: "\(account)", permissionSet: "Dev", people: ["alice"], groups: ["devs"]},
             {account: "\(account)", permissionSet: "Audit", people: ["alice"]},
             {account: "\(other)", permissionSet: "Audit", people: ["alice"]}]}}
        """
    }

    static func run(_ seed: String = Self.seed(), _ test: (CenterSandbox) async throws -> Void) async throws {
        try await withCloud(seed) { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            try await test(
                CenterSandbox(cloud: cloud, sessions: authenticator.sessions, face: CredentialsFace(authenticator: authenticator)))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: [String: String] = [:], body: String = "",
        authority: String = "127.0.0.1:4566"
    ) async throws -> FaceAnswer {
        var headers = HTTPFields()
        for (name, value) in fields { if let name = HTTPField.Name(name) { headers[name] = value } }
        let call = Call(method, target, headers, body: ByteBuffer(string: body), authority: authority, cloud: cloud)
        let response = await face.respond(to: call)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// Posts JSON to the OIDC service.
    func post(_ path: String, _ members: JSONObject) async throws -> FaceAnswer {
        try await send(.post, path, ["Content-Type": "application/json"], body: JSONValue.object(members).serialized())
    }

    /// Calls the access portal.
    func portal(_ target: String, _ token: String, _ method: HTTPRequest.Method = .get) async throws -> FaceAnswer {
        try await send(method, target, ["x-amz-sso_bearer_token": token])
    }

    /// A client that has registered.
    struct Registered {
        var id: String
        var secret: String

        /// The members of a request by the client.
        func with(_ members: JSONObject) -> JSONObject {
            var all: JSONObject = ["clientId": .string(id), "clientSecret": .string(secret)]
            for (name, value) in members.members { all[name] = value }
            return all
        }
    }

    func register(_ members: JSONObject = ["scopes": [.string(Self.scope)]]) async throws -> Registered {
        var all: JSONObject = ["clientName": "cli", "clientType": "public"]
        for (name, value) in members.members { all[name] = value }
        let answer = try await post("/client/register", all)
        #expect(answer.status == 200, "\(answer.text)")
        return Registered(id: answer.member("clientId") ?? "", secret: answer.member("clientSecret") ?? "")
    }

    func startDevice(_ client: Registered) async throws -> (deviceCode: String, userCode: String) {
        let answer = try await post("/device_authorization", client.with(["startUrl": .string(Self.startURL)]))
        #expect(answer.status == 200, "\(answer.text)")
        return (answer.member("deviceCode") ?? "", answer.member("userCode") ?? "")
    }

    func poll(_ client: Registered, _ deviceCode: String) async throws -> FaceAnswer {
        try await post("/token", client.with(["grantType": .string(Self.deviceGrant), "deviceCode": .string(deviceCode)]))
    }

    /// Approves a device, as the page of the identity provider does.
    func approve(_ userCode: String, of client: Registered, as person: String = "alice") async throws {
        let tokens = try #require(CenterTokens(in: cloud))
        let (shown, person) = (try #require(tokens.client(client.id)?.shown), try #require(tokens.person(person)))
        try await tokens.devices.approve(
            userCode, Approval(provider: tokens.provider, client: shown, person: person, scopes: [], authenticated: cloud.clock.now))
    }

    func deny(_ userCode: String) async throws {
        let tokens = try #require(CenterTokens(in: cloud))
        try await tokens.devices.deny(userCode)
    }

    /// Logs in as a person.
    func logIn(_ person: String = "alice", _ client: Registered? = nil) async throws -> FaceAnswer {
        let client = if let client { client } else { try await register() }
        let codes = try await startDevice(client)
        try await approve(codes.userCode, of: client, as: person)
        let answer = try await poll(client, codes.deviceCode)
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    /// An access token of a person.
    func token(_ person: String = "alice") async throws -> String { try await logIn(person).member("accessToken") ?? "" }
}

extension FaceAnswer {
    /// The exception, in the header that SDKs read.
    var exception: String? { self["x-amzn-ErrorType"] }
}
