import AlibabaFaces
import Cloud
import Exchange
import Federation
import HTTPTypes
import Logging
import NIOCore
import WireFormats

/// A cloud of its own for one test, with an app server and a client for it.
struct AppServerSandbox {
    let cloud: Cloud
    let face: AppServerFace
    let authenticator: Authenticator

    static let account = "1234567890123456"

    /// - Parameters:
    ///   - appServer: members that go before those that are here.
    ///   - policies: of the server's RAM user.
    ///   - trust: whom the role trusts.
    static func seed(
        _ appServer: String = "openTo: 'guest'", policies: String = "'AliyunSTSAssumeRoleAccess'", trust: String = "root"
    ) -> String {
        """
        {alibaba: {
           accounts: [{id: "\(account)", name: "harbour", rootKeys: [{id: "LTAIROOT", secret: "root"}],
             users: [{name: "app-server", accessKeys: [{id: "LTAISERVER", secret: "server"}], policies: [\(policies)]}],
             roles: [{name: "app-user", policies: ["AliyunOSSFullAccess"], trustPolicy: {Version: "1", Statement: [
               {Effect: "Allow", Action: "sts:AssumeRole", Principal: {RAM: ["acs:ram::\(account):\(trust)"]}}]}}]}],
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
        let seed = try SeedFile(name: "test", text: Array(seed.utf8)).decode()
        let cloud = try await Cloud.open(folder: nil, seeds: [seed])
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let authenticator = Authenticator(cloud: cloud)
        let sandbox = AppServerSandbox(
            cloud: cloud, face: AppServerFace(authenticator: authenticator, logger: logger), authenticator: authenticator)
        let outcome: Result<Void, any Error>
        do {
            try await test(sandbox)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await cloud.close()
        try outcome.get()
    }

    func send(
        _ method: HTTPRequest.Method = .get, _ target: String, _ fields: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> AppServerAnswer {
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost:4566", path: target, headerFields: fields)
        let exchange = Exchange(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body))), peer: nil, isSecure: false, cloud: cloud,
            names: HostNames())
        let response = await face.respond(to: exchange)
        return try await AppServerAnswer(response, exchange.entry(status: Int(response.status.code)))
    }

    /// The token of somebody who has logged in at a provider.
    func token(_ user: String = "bob", provider: String = "company", client: String = "web-app") async throws -> String {
        var order = TokenOrder(provider: provider, user: user)
        order.client = client
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: "http://localhost:4566").token
    }

    /// The session of an answer's credentials.
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
        let collector = Collector()
        try await response.body.write(collector)
        body = collector.bytes
        self.journal = journal
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONObject { (try? JSONValue(parsing: body))?.objectValue ?? [:] }

    subscript(name: String) -> String? { json[name]?.stringValue }

    private final class Collector: ResponseBodyWriter {
        var bytes: [UInt8] = []

        func write(_ buffer: ByteBuffer) async throws { bytes.append(contentsOf: buffer.readableBytesView) }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
