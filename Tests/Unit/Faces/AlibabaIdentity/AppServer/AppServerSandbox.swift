import AlibabaIdentityFaces
import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import WireFormats

/// A sandbox for one test, with an app server and a client for it.
struct AppServerSandbox {
    let cloud: Cloud
    let face: AppServerFace
    let authenticator: Authenticator

    static let account = "1234567890123456"

    /// - Parameters:
    ///   - - appServer: Members of `appServer`, before those that are always there.
    ///   - - policies: The policies of the server's RAM user.
    ///   - - trust: The principal that the role trusts.
    static func seed(
        _ appServer: String = "openTo: 'guest'", policies: String = "'AliyunSTSAssumeRoleAccess'", trust: String = "root"
    ) -> String {
        """
        {alibaba: {
           accounts: [{id: "\(account)", name: "harbour", rootKeys: [{id: "LTAIROOT", secret: "root"}],
             users: [{name: "app-server", accessKeys: [{id: "LTAISERVER", secret: "server"}], policies: [\(policies)]}],
             roles: [{name: "app-user", policies: ["AliyunOSSFullAccess"], trustPolicy: {Version: "1", Statement: [
               {Effect: "Allow", Action: "sts:AssumeRole", Principal: {
                 RAM: ["acs:ram::\(account):\(trust)"], Service: ["ecs.aliyuncs.com"]}}]}}]}],
           appServer: {
             accessKey: "LTAISERVER", role: "acs:ram::\(account):role/app-user", durationSeconds: 1800,
             policy: {Version: "1", Statement: [{Effect: "Allow", Action: "oss:*", Resource: "acs:oss:*:*:notes/${user}/*"}]},
             people: [{name: "alice", password: "alice-password"}],
             issuers: [{provider: "company", audience: "web-app"}],
             signingKey: {id: "LTAI5tMockAccessKeyId01", secret: "MockAccessKeySecret0123456789ABC"},
             instanceRole: "app-user", \(appServer)}},
         identityProviders: [
           {name: "company", issuer: "https://login.company.example", clients: [{id: "web-app"}, {id: "other"}],
            people: [{name: "bob", subject: "employee-2", password: "p"}, {name: "b*b/", subject: "employee-3", password: "p"}]},
           {name: "stranger", issuer: "https://stranger.example", clients: [{id: "web-app"}],
            people: [{name: "bob", subject: "employee-2", password: "p"}]}]}
        """
    }

    static func run(_ seed: String = Self.seed(), _ test: (AppServerSandbox) async throws -> Void) async throws {
        try await withCloud(seed) { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let face = AppServerFace(authenticator: authenticator)
            try await test(AppServerSandbox(cloud: cloud, face: face, authenticator: authenticator))
        }
    }

    func send(
        _ method: HTTPRequest.Method = .get, _ target: String, _ fields: HTTPFields = [:], body: [UInt8] = [],
        authority: String = "localhost:4566"
    ) async throws -> AppServerAnswer {
        let call = Call(method, target, fields, body: ByteBuffer(bytes: body), authority: authority, cloud: cloud)
        let response = await face.respond(to: call)
        return try await AppServerAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// A token of a user who logged in at a provider.
    func token(_ user: String = "bob", provider: String = "company", client: String = "web-app") async throws -> String {
        var order = TokenOrder(provider: provider, user: user)
        order.client = client
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: "http://localhost:4566").token
    }

    /// Returns the session of the credentials in a response.
    func session(of answer: AppServerAnswer) throws -> Session {
        try authenticator.sessions.open(answer["SecurityToken"] ?? "", accessKeyID: answer["AccessKeyId"] ?? "")
    }
}

struct AppServerAnswer {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]
    var journal: JournalEntry

    init(_ response: Response, _ journal: JournalEntry) async throws {
        status = Int(response.status.code)
        fields = response.headers
        body = try await response.collectedBody()
        self.journal = journal
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONObject { (try? JSONValue(parsing: body))?.objectValue ?? [:] }

    subscript(name: String) -> String? { json[name]?.stringValue }
}
