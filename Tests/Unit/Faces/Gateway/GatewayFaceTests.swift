import Calls
import Cloud
import Fixtures
import GatewayFace
import HTTPTypes
import NIOCore
import RequestSigning
import Synchronization
import Testing
import WireFormats

@Suite("Calls of forwarded services")
struct GatewayFaceTests {
    fileprivate typealias Order = GatewayOfATest.Order

    private static let send = GatewayOfATest.allow("sqs:SendMessage", GatewayOfATest.arn("sqs:@:orders"))

    private static func message(to queue: String) -> Order {
        .json("sqs", "AmazonSQS.SendMessage", "{\"QueueUrl\":\"http://localhost:4566/000000000000/\(queue)\",\"MessageBody\":\"hello\"}")
    }

    @Test("G1, G24: an allowed call reaches the upstream, signed for the account")
    func allowed() async throws {
        try await GatewayOfATest.run(
            Self.send, answer: { _ in .json(["MessageId": "1"], headers: [.server: "moto"]) }
        ) { test async throws in
            let answer = try await test.send(Self.message(to: "orders"))
            #expect(answer.status == 200)
            #expect(answer.text == "{\"MessageId\":\"1\"}")
            #expect(answer["x-virga-upstream"] == "moto:5000")
            #expect(answer["server"] == "moto")
            let order = try #require(test.upstream.orders.first)
            #expect(order.upstream == "http://moto:5000")
            #expect(order.request.authority == "localhost:4566")
            #expect(order.body == Self.message(to: "orders").body)
            let signature = order.request.fields[.authorization] ?? ""
            #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=000000000000/"))
            #expect(signature.contains("/eu-west-1/sqs/aws4_request"))
        }
    }

    @Test("G32: the journal has operation, decisions, and both statuses")
    func journal() async throws {
        try await GatewayOfATest.run(Self.send, answer: { _ in .json([:], status: .badRequest) }) { test async throws in
            let entry = try await test.send(Self.message(to: "orders")).journal
            #expect(entry.face == "sqs")
            #expect(entry.operation == "SendMessage")
            #expect(entry.caller == "arn:aws:iam::000000000000:user/ann")
            #expect(entry.decisions.map(\.resource) == ["arn:aws:sqs:eu-west-1:000000000000:orders"])
            #expect(entry.upstream?.address == "moto:5000")
            #expect(entry.upstream?.status == 400)
        }
    }

    @Test("G21: a denied call is refused in the words of the service, and nothing is sent")
    func denied() async throws {
        try await GatewayOfATest.run(Self.send) { test async throws in
            let answer = try await test.send(Self.message(to: "payments"))
            #expect(answer.status == 403)
            #expect(answer["x-amzn-query-error"] == "AccessDenied;Sender")
            let document = try JSONValue(parsing: answer.body)
            #expect(
                document["message"]?.stringValue
                    == "User: arn:aws:iam::000000000000:user/ann is not authorized to perform: sqs:sendmessage on resource: "
                    + "arn:aws:sqs:eu-west-1:000000000000:payments because no identity-based policy allows the sqs:sendmessage action")
            #expect(answer.journal.errorCode == "AccessDeniedException")
            #expect(answer.journal.upstream == nil)
            #expect(test.upstream.orders.isEmpty)
        }
    }

    @Test("G20: report mode forwards what policies deny")
    func reported() async throws {
        try await GatewayOfATest.run { test async throws in
            let order = Self.message(to: "orders")
            var request = SignableRequest(method: "POST", target: "/", authority: order.authority, fields: order.fields)
            SignatureV4.Signer(accessKey: "ann-key", secret: "secret", region: "eu-west-1", service: "sqs")
                .sign(&request, payload: PayloadHash(of: order.body), at: .now())
            let call = Call(
                .post, "/", request.fields, body: .init(bytes: order.body), authority: order.authority, cloud: test.cloud)
            call.serveDenied()
            let response = await test.face.respond(to: call, service: "sqs")
            #expect(response.status == .ok)
            #expect(call.entry(status: 200).isReported)
            #expect(test.upstream.orders.count == 1)
        }
    }

    @Test("G28: an answer is not read before its receiver reads it")
    func streaming() async throws {
        try await GatewayOfATest.run(
            Self.send,
            answer: { _ in
                UpstreamAnswer(
                    status: .ok,
                    body: ResponseBody(contentLength: 300_000) { writer in
                        for _ in 0..<3 { try await writer.write(.init(repeating: 0x61, count: 100_000)) }
                        try await writer.finish(nil)
                    })
            }
        ) { test async throws in
            let answer = try await test.send(Self.message(to: "orders"))
            #expect(answer.body.count == 300_000)
            #expect(answer["content-length"] == "300000")
        }
    }

    @Test("G27: headers of the upstream's connection, and those for browsers, are left out")
    func answerHeaders() async throws {
        let headers: HTTPFields = [
            .connection: "close, X-Hop", .setCookie: "a=b", .accessControlAllowOrigin: "*", .date: "then", .contentType: "text/html",
        ]
        try await GatewayOfATest.run(
            Self.send,
            answer: { _ in
                var answer = UpstreamAnswer.json([:], headers: headers)
                for name in ["X-Hop", "x-amz-crc32", "x-virga-would-deny"] {
                    if let name = HTTPField.Name(name) { answer.headers[name] = "1" }
                }
                return answer
            }
        ) { test async throws in
            let answer = try await test.send(Self.message(to: "orders"))
            for name in ["connection", "set-cookie", "access-control-allow-origin", "date", "x-hop", "x-virga-would-deny"] {
                #expect(answer[name] == nil, "\(name)")
            }
            #expect(answer["x-amz-crc32"] == "1")
            #expect(answer["content-type"] == "text/html")
        }
    }

    @Test("G26: URLs of queues lead back to the address that the client used")
    func queueURLs() async throws {
        let allow = GatewayOfATest.allow("sqs:CreateQueue", "*")
        try await GatewayOfATest.run(
            allow, answer: { _ in .json(["QueueUrl": "http://sqs.eu-west-1.moto/000000000000/orders"]) }
        ) { test async throws in
            var order = Order.json("sqs", "AmazonSQS.CreateQueue", "{\"QueueName\":\"orders\"}")
            order.set("Accept-Encoding", "gzip")
            let answer = try await test.send(order)
            #expect(answer.text == "{\"QueueUrl\":\"http://localhost:4566/000000000000/orders\"}")
            #expect(answer["content-length"] == String(answer.body.count))
            #expect(test.upstream.orders.first?.request.fields[.acceptEncoding] == nil)
        }
    }

    @Test("G30: an upstream that does not answer gives an error of the service's protocol")
    func unreachable() async throws {
        try await GatewayOfATest.run(
            Self.send, answer: { _ in throw UpstreamFailure("connection refused", isUnconnected: true) }
        ) { test async throws in
            let answer = try await test.send(Self.message(to: "orders"))
            #expect(answer.status == 503)
            let document = try JSONValue(parsing: answer.body)
            #expect(document["__type"]?.stringValue == "com.amazon.coral.service#InternalServerError")
            #expect(
                document["message"]?.stringValue
                    == "Virga could not reach the upstream of sqs at http://moto:5000: connection refused")
            #expect(answer.journal.upstream?.address == "moto:5000")
            #expect(answer.journal.upstream?.status == nil)
            guard case .unreachable("connection refused") = test.rules.health.state(of: "http://moto:5000") else {
                Issue.record("the upstream counts as reachable")
                return
            }
        }
    }

    @Test("G30: a call waits for an upstream that does not listen yet, but repeats nothing that was sent")
    func waiting() async throws {
        try await GatewayOfATest.run(
            Self.send, change: { $0.wait = .seconds(3600) }, answer: { _ in throw UpstreamFailure("it reset the connection") }
        ) { test async throws in
            #expect(try await test.send(Self.message(to: "orders")).status == 503)
            #expect(test.upstream.orders.count == 1)
        }
        let attempts = Attempts()
        try await GatewayOfATest.run(
            Self.send, change: { $0.wait = .seconds(3600) },
            answer: { _ in
                if attempts.next() < 3 { throw UpstreamFailure("connection refused", isUnconnected: true) }
                return .json([:])
            }
        ) { test async throws in
            #expect(try await test.send(Self.message(to: "orders")).status == 200)
            #expect(test.upstream.orders.count == 3)
        }
    }

    @Test("G31: errors on demand apply before anything is forwarded")
    func faults() async throws {
        try await GatewayOfATest.run(Self.send) { test async throws in
            _ = test.cloud.faults.add(FaultRule(service: "sqs", action: "SendMessage", failure: .init(code: "Throttling", status: 400)))
            let answer = try await test.send(Self.message(to: "orders"))
            #expect(answer.status == 400)
            #expect(answer.journal.errorCode == "Throttling")
            #expect(test.upstream.orders.isEmpty)
        }
    }

    @Test("G11: an operation whose permission is not known is refused, or forwarded without a decision")
    func unmapped() async throws {
        let order = Order.json("ssm", "AmazonSSM.StartAccessRequest", "{\"Reason\":\"r\"}", version: "1.1")
        try await GatewayOfATest.run(GatewayOfATest.allow("*", "*")) { test async throws in
            let answer = try await test.send(order)
            #expect(answer.status == 400)
            #expect(answer.text.contains("Virga does not know which permission ssm:StartAccessRequest needs"))
            #expect(test.upstream.orders.isEmpty)
        }
        try await GatewayOfATest.run(change: { $0.forwardsUnmapped = true }) { test async throws in
            let answer = try await test.send(order)
            #expect(answer.status == 200)
            #expect(answer.journal.cause?.contains("was not decided") == true)
            #expect(test.upstream.orders.count == 1)
        }
    }

    @Test("G29: a body beyond the limit, and one that does not fit into the memory of all")
    func limits() async throws {
        try await GatewayOfATest.run(Self.send, change: { $0.bodyLimit = 10 }) { test async throws in
            #expect(try await test.send(Self.message(to: "orders")).status == 413)
            #expect(test.upstream.orders.isEmpty)
        }
        try await GatewayOfATest.run(
            Self.send,
            change: { rules in
                let upstreams = rules.upstreams
                rules = GatewayRules(budget: 10)
                rules.upstreams = upstreams
            }
        ) { test async throws in
            #expect(try await test.send(Self.message(to: "orders")).status == 503)
            #expect(test.rules.budget.held == 0)
        }
    }
}

/// Counts calls.
private final class Attempts: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
