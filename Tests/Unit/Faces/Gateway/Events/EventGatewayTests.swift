import Cloud
import Fixtures
import GatewayFace
import HTTPTypes
import Logging
import RequestSigning
import Testing
import WireFormats

@testable import ObjectServing

@Suite("Events of S3 for queues and topics of forwarded services")
struct EventGatewayTests {
    private static let queue = "arn:aws:sqs:us-east-1:\(GatewayOfATest.account):q"
    private static let topic = "arn:aws:sns:us-east-1:\(GatewayOfATest.account):t"
    private static let source = EventSource(bucket: "box", account: GatewayOfATest.account, region: "us-east-1")

    /// A policy that lets S3 deliver the events of a bucket.
    private static func policy(_ action: String, bucket: String = "box") -> String {
        """
        {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"s3.amazonaws.com"},"Action":"\(action)",\
        "Resource":"*","Condition":{"ArnLike":{"aws:SourceArn":"arn:aws:s3:::\(bucket)"},\
        "StringEquals":{"aws:SourceAccount":"\(GatewayOfATest.account)"}}}]}
        """
    }

    /// Runs a test with the delivery to an upstream whose resources have policies.
    private func run<T>(
        _ policies: TextDictionary<String> = [:],
        answer: @escaping @Sendable (UpstreamOrder) throws -> UpstreamAnswer = { _ in .json([:]) },
        _ test: (EventGateway, UpstreamStub) async throws -> T
    ) async throws -> T {
        var rules = GatewayRules()
        try rules.upstreams.add("sqs,sns=http://moto:5000")
        let stub = UpstreamStub(PolicyStub(policies), answer)
        let chosen = rules
        return try await withSandbox("{accounts: [{id: \"\(GatewayOfATest.account)\"}]}") { cloud async throws -> T in
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            return try await test(EventGateway(cloud: cloud, rules: chosen, logger: logger) { try stub.send($0) }, stub)
        }
    }

    private func parcel(to arn: String) -> EventParcel { EventParcel(["a": "b"], to: arn, from: Self.source) }

    @Test("G39: only queues and topics of forwarded services are destinations")
    func destinations() async throws {
        try await run { gateway, _ async throws in
            #expect(gateway.targets.has(Self.queue))
            #expect(gateway.targets.has(Self.topic))
            #expect(!gateway.targets.has("arn:aws:lambda:us-east-1:\(GatewayOfATest.account):function:f"))
            #expect(!gateway.targets.has("arn:aws:sqs:us-east-1:\(GatewayOfATest.account):a/b"))
        }
    }

    @Test("G39: the policy of a queue or topic decides whether S3 may deliver")
    func obstacles() async throws {
        func obstacle(_ arn: String, _ policies: TextDictionary<String>) async throws -> ForwardedTargets.Obstacle? {
            try await run(policies) { gateway, _ async throws -> ForwardedTargets.Obstacle? in
                await gateway.targets.obstacle(arn, Self.source)
            }
        }
        #expect(try await obstacle(Self.queue, ["q": Self.policy("sqs:SendMessage")]) == nil)
        #expect(try await obstacle(Self.topic, [Self.topic: Self.policy("SNS:Publish")]) == nil)
        #expect(try await obstacle(Self.queue, ["q": Self.policy("sqs:SendMessage", bucket: "other")]) == .forbidden)
        #expect(try await obstacle(Self.queue, ["q": Self.policy("sqs:ReceiveMessage")]) == .forbidden)
        #expect(try await obstacle(Self.queue, ["q": ""]) == .forbidden)
        #expect(try await obstacle(Self.queue, [:]) == .missing)
        #expect(try await obstacle(Self.topic, [:]) == .missing)
        #expect(try await obstacle(Self.queue, ["q": "{"]) == .forbidden)
    }

    @Test("G39: a message is sent in the account and the region of its destination")
    func delivery() async throws {
        let policies: TextDictionary<String> = ["q": Self.policy("sqs:SendMessage"), Self.topic: Self.policy("sns:Publish")]
        try await run(policies) { gateway, stub async throws in
            #expect(await gateway.deliver(parcel(to: Self.queue)))
            #expect(await gateway.deliver(parcel(to: Self.topic)))
            try #require(stub.orders.count == 2)
            let (queued, published) = (stub.orders[0], stub.orders[1])
            #expect(
                try JSONValue(parsing: queued.body) == [
                    "QueueUrl": "http://moto:5000/000000000000/q", "MessageBody": "{\"a\":\"b\"}",
                ])
            #expect(queued.request.fields[.authorization]?.contains("Credential=000000000000/") == true)
            #expect(queued.request.fields[.authorization]?.contains("/us-east-1/sqs/aws4_request") == true)
            let form = try #require(FormFields(parsing: published.body))
            #expect(form["Action"] == "Publish")
            #expect(form["TopicArn"] == Self.topic)
            #expect(form["Message"] == "{\"a\":\"b\"}")
        }
    }

    @Test("G39: what a policy does not allow is dropped, and a failure is tried again")
    func failures() async throws {
        try await run(["q": Self.policy("sqs:ReceiveMessage")]) { gateway, stub async throws in
            #expect(await gateway.deliver(parcel(to: Self.queue)))
            #expect(stub.orders.isEmpty)
        }
        try await run(
            ["q": Self.policy("sqs:SendMessage")], answer: { _ in throw UpstreamFailure("connection refused", isUnconnected: true) }
        ) { gateway, _ async throws in
            let isDelivered = await gateway.deliver(parcel(to: Self.queue))
            #expect(!isDelivered)
        }
    }
}
