import Calls
import Cloud
import ControlFace
import Federation
import Fixtures
import HTTPTypes
import Logging
import NIOCore
import ObjectServing
import S3Face
import Seeds
import WireFormats

@testable import VirgaServer

/// A front door before a sandbox, without listeners.
struct DoorOfATest {
    let cloud: Cloud
    let door: FrontDoor

    /// The access keys are `test` and `secret` of the root user of an account with the bucket `box`, and `LTAItest` and `secret` of an
    /// account of Alibaba Cloud with the bucket `oss-box`.
    static func run(
        access: ControlAccess = ControlAccess(token: nil, isLoopback: true), observers: RequestObservers = RequestObservers(),
        _ test: (DoorOfATest) async throws -> Void
    ) async throws {
        let text = """
            {accounts: [{id: "000000000000", rootKeys: [{id: "test", secret: "secret"}], buckets: [{name: "box"}],
               users: [{name: "ann", accessKeys: [{id: "ann-key", secret: "secret"}]}, {name: "bob"}],
               roles: [{name: "reader", trustPolicy: {
                 Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "sts:AssumeRole",
                 Principal: {AWS: "arn:aws:iam::000000000000:root"}}]}, policies: {read: {
                 Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "s3:GetObject", Resource: "*"}]}}},
               {name: "web", trustPolicy: {Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "sts:AssumeRoleWithWebIdentity",
                 Principal: {Federated: "arn:aws:iam::000000000000:oidc-provider/login.company.example"}}]}}],
               openIDConnectProviders: [{url: "https://login.company.example", clientIDs: ["web"]}]}],
             identityProviders: [
               {name: "company", issuer: "https://login.company.example", clients: [{id: "web", redirectURIs: ["https://app.example/"]}],
                people: [{name: "alice", subject: "1", password: "p"}], saml: {serviceProviders: [
                  {entityID: "https://app.example", assertionConsumerServices: ["https://app.example/acs"]}]}},
               {name: "facebook", clients: [{id: "1234", secret: "s"}], people: [{name: "alice", subject: "10000", password: "p"}]}],
             alibaba: {accounts: [{id: "1000000000000000", name: "virga", rootKeys: [{id: "LTAItest", secret: "secret"}],
               buckets: [{name: "oss-box", region: "cn-hangzhou"}]}]}}
            """
        try await withCloud(text) { cloud async throws in
            let door = FrontDoor(
                cloud: cloud, names: HostNames(), services: .unreachable(cloud, Logger(label: "test")),
                control: ControlServices(access: access), observers: observers)
            try await test(DoorOfATest(cloud: cloud, door: door))
        }
    }

    /// Sends a request.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ body: String = "", fields: HTTPFields = [:], authority: String = "localhost:4566"
    ) async throws -> (status: Int, fields: HTTPFields, bytes: [UInt8]) {
        let request = Request(
            method: method, target: target, authority: authority, headers: fields, body: RequestBody(buffer: ByteBuffer(string: body)))
        let response = await door.respond(to: request, peer: nil, isSecure: false)
        return (response.status.code, response.headers, try await response.collectedBody())
    }

    /// Makes a call of the control API.
    func control(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let answer = try await send(method, "/_virga" + path, body?.serialized() ?? "")
        return try JSONValue(parsing: answer.bytes)
    }
}

extension SandboxServices {
    /// Services that reach no other server.
    static func unreachable(_ cloud: Cloud, _ logger: Logger) -> SandboxServices {
        SandboxServices(
            events: EventOutbox(targets: [:], logger: logger), accessLog: AccessLog(logger: logger),
            issuers: ForeignIssuers(cloud: cloud) { _ in throw ChannelError.eof },
            applications: Applications(fetch: { _ in throw ChannelError.eof }, post: { _, _ in throw ChannelError.eof }),
            outbound: { _ in throw ChannelError.eof }, logger: logger, settleTime: {})
    }
}
