import Calls
import Cloud
import Federation
import Fixtures
import GatewayFace
import HTTPTypes
import NIOCore
import RequestSigning
import Synchronization
import WireFormats

/// An upstream that records what it receives.
final class UpstreamStub: Sendable {
    private let state = Mutex<[UpstreamOrder]>([])
    private let answer: @Sendable (UpstreamOrder) throws -> UpstreamAnswer
    /// The policies of its resources.
    let policies: PolicyStub

    init(_ policies: PolicyStub, _ answer: @escaping @Sendable (UpstreamOrder) throws -> UpstreamAnswer) {
        self.policies = policies
        self.answer = answer
    }

    /// What it received, in order, without the look-ups of policies.
    var orders: [UpstreamOrder] { state.withLock { $0 } }

    func send(_ order: UpstreamOrder) throws -> UpstreamAnswer {
        if let answer = policies.answer(to: order) { return answer }
        state.withLock { $0.append(order) }
        return try answer(order)
    }
}

extension UpstreamAnswer {
    /// An answer with a JSON document.
    static func json(_ document: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> UpstreamAnswer {
        UpstreamAnswer(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.serializedBytes())))
    }
}

/// A gateway before an upstream that is not there, for a user with one policy.
struct GatewayOfATest {
    static let account = "000000000000"

    let cloud: Cloud
    let face: GatewayFace
    let rules: GatewayRules
    let upstream: UpstreamStub

    /// Runs a test.
    /// - Parameters:
    ///   - statements: the statements of the policy of the user `ann`, whose key is `ann-key` with the secret `secret`. The key of the root
    ///     user is `test` with the same secret.
    ///   - change: changes the rules, which forward all services to `http://moto:5000`.
    ///   - policies: the policies of the upstream's resources; see ``PolicyStub``.
    ///   - answer: what the upstream answers.
    static func run(
        _ statements: String = allow("s3:ListBucket", "*"), change: (inout GatewayRules) -> Void = { _ in },
        policies: TextDictionary<String> = [:],
        answer: @escaping @Sendable (UpstreamOrder) throws -> UpstreamAnswer = { _ in .json([:]) },
        _ test: (GatewayOfATest) async throws -> Void
    ) async throws {
        // A policy has at least one statement.
        let own = statements.isEmpty ? "" : "p: {Version: '2012-10-17', Statement: [\(statements)]}"
        let seed = """
            {accounts: [{id: "\(account)", rootKeys: [{id: "test", secret: "secret"}],
               users: [{name: "ann", accessKeys: [{id: "ann-key", secret: "secret"}],
                 policies: {\(own)}}]}]}
            """
        var rules = GatewayRules()
        try rules.upstreams.add("*=http://moto:5000")
        change(&rules)
        let stub = UpstreamStub(PolicyStub(policies), answer)
        let chosen = rules
        try await withCloud(seed) { cloud async throws in
            let face = GatewayFace(authenticator: Authenticator(cloud: cloud), rules: chosen) { try stub.send($0) }
            try await test(GatewayOfATest(cloud: cloud, face: face, rules: chosen, upstream: stub))
        }
    }

    /// A request to the gateway, which is signed when it is sent.
    struct Order {
        var service: String
        var method = "POST"
        var target = "/"
        var fields: HTTPFields = [:]
        var body: [UInt8] = []
        var key = "ann-key"
        var secret = "secret"
        var token: String?
        var region = "eu-west-1"
        var authority = "localhost:4566"
        var isSigned = true

        /// A call in JSON.
        static func json(_ service: String, _ target: String, _ body: String, version: String = "1.0") -> Order {
            var order = Order(service: service, body: Array(body.utf8))
            order.fields[.contentType] = "application/x-amz-json-\(version)"
            order.set("X-Amz-Target", target)
            return order
        }

        /// A call in the Query protocol.
        static func query(_ service: String, _ form: String, target: String = "/") -> Order {
            var order = Order(service: service, target: target, body: Array(form.utf8))
            order.fields[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
            return order
        }

        /// Sets a header.
        mutating func set(_ name: String, _ value: String) {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
    }

    /// Sends a request.
    func send(_ order: Order) async throws -> FaceAnswer {
        var request = SignableRequest(method: order.method, target: order.target, authority: order.authority, fields: order.fields)
        if order.isSigned {
            SignatureV4.Signer(
                accessKey: order.key, secret: order.secret, sessionToken: order.token, region: order.region, service: order.service
            ).sign(&request, payload: PayloadHash(of: order.body), at: .now())
        }
        let call = Call(
            HTTPRequest.Method(order.method) ?? .post, order.target, request.fields, body: ByteBuffer(bytes: order.body),
            authority: order.authority, cloud: cloud)
        let response = await face.respond(to: call, service: order.service)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// Returns a statement.
    static func allow(_ action: String, _ resource: String, _ more: String = "") -> String {
        "{Effect: \"Allow\", Action: \"\(action)\", Resource: \"\(resource)\"\(more)}"
    }

    /// Returns an ARN of the account, in which `@` stands for region and account.
    static func arn(_ rest: String) -> String { "arn:aws:\(rest.replacing("@", with: "eu-west-1:\(account)"))" }
}
