import Fixtures
import GatewayFace
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("How forwarded calls are read")
struct GatewayReadingTests {
    fileprivate typealias Order = GatewayOfATest.Order

    private static let everything = GatewayOfATest.allow("*", "*")

    /// A request that two readers could read differently.
    struct Ambiguity: Sendable, CustomTestStringConvertible {
        let testDescription: String
        fileprivate let order: GatewayOfATest.Order

        fileprivate init(_ description: String, _ order: GatewayOfATest.Order, _ change: (inout GatewayOfATest.Order) -> Void = { _ in }) {
            testDescription = description
            var order = order
            change(&order)
            self.order = order
        }
    }

    private static let list = Order.json("sqs", "AmazonSQS.ListQueues", "{}")
    private static let listTopics = Order.query("sns", "Action=ListTopics&Version=2010-03-31")

    private static let sending = Order.json("sqs", "AmazonSQS.SendMessage", "{\"QueueUrl\":\"http://x/000000000000/a\"}")
    private static let invocation = Order(service: "lambda", target: "/2015-03-31/functions/f/invocations", body: Array("{}".utf8))

    static let ambiguities: [Ambiguity] = [
        Ambiguity("a target of another service", .json("sqs", "DynamoDB_20120810.ListTables", "{}")),
        Ambiguity("two targets", list) { $0.set("X-Amz-Target", "AmazonSQS.DeleteQueue") },
        Ambiguity("a target and an action", list) { $0.target = "/?Action=DeleteQueue" },
        Ambiguity("a parameter beside a document", list) { $0.target = "/?X=1" },
        Ambiguity(
            "a member twice", .json("sqs", "AmazonSQS.DeleteQueue", "{\"QueueUrl\":\"/000000000000/a\",\"QueueUrl\":\"/000000000000/b\"}")),
        Ambiguity("a document that is no object", .json("sqs", "AmazonSQS.ListQueues", "[]")),
        Ambiguity("two types of content", list) { $0.set("Content-Type", "application/x-www-form-urlencoded") },
        Ambiguity("an encoding that is not known", list) { $0.set("Content-Encoding", "br") },
        Ambiguity("an encoding that the body does not have", list) { $0.set("Content-Encoding", "gzip") },
        Ambiguity("a path of the upstream's own", list) { $0.target = "/moto-api/reset" },
        Ambiguity("another path of it", Order(service: "lambda", method: "POST", target: "/_localstack/state/reset")),
        Ambiguity("an action twice", .query("sns", "Action=ListTopics&Action=DeleteTopic&Version=2010-03-31")),
        Ambiguity("a semicolon in a form", .query("sns", "Action=ListTopics&Version=2010-03-31;Action=DeleteTopic")),
        Ambiguity("a form of another type", listTopics) {
            $0.target = "/?Action=ListTopics&Version=2010-03-31"
            $0.fields[.contentType] = "multipart/form-data; boundary=x"
        },
        Ambiguity("the version of another service", .query("sns", "Action=ListTopics&Version=2012-11-05")),
        Ambiguity("the host of another service", list) { $0.authority = "dynamodb.eu-west-1.amazonaws.com" },
        Ambiguity("the host of another service at an emulator", list) { $0.authority = "dynamodb.localhost:4566" },
        Ambiguity("the host of another service with a label of this one", list) { $0.authority = "sqs-a.dynamodb.eu-west-1.amazonaws.com" },
        Ambiguity("a form as the body of a call in REST", invocation) { $0.fields[.contentType] = "multipart/form-data; boundary=x" },
        Ambiguity("an action in a body that is no document", invocation) { $0.body = Array("a&%41ction=DeleteFunction&b".utf8) },
        Ambiguity("a path that begins with a host", sending) { $0.target = "//000000000000/a" },
        Ambiguity("a path with an empty segment", sending) { $0.target = "/000000000000//a" },
        Ambiguity("two types in one header", list) {
            $0.fields[.contentType] = "application/x-amz-json-1.0, application/x-www-form-urlencoded"
        },
        Ambiguity("another encoding of characters", list) { $0.fields[.contentType] = "application/x-amz-json-1.0; charset=utf-16" },
        Ambiguity("a parameter in two cases", invocation) { $0.target += "?Qualifier=1&qualifier=2" },
        Ambiguity("the host of another region", list) { $0.authority = "sqs.us-east-1.amazonaws.com" },
        Ambiguity("a region that continues the ARN", list) { $0.region = "eu-west-1:000000000000:mine" },
        Ambiguity("a slash in a segment", Order(service: "lambda", method: "GET", target: "/2015-03-31/functions/f%2Fpolicy")),
        Ambiguity("a segment that is encoded twice", Order(service: "lambda", method: "GET", target: "/2015-03-31/functions/f%252Fpolicy")),
        Ambiguity("a question mark in a segment", Order(service: "lambda", method: "GET", target: "/2015-03-31/functions/f%3Fa")),
        Ambiguity("a query that cannot be decoded", Order(service: "lambda", method: "GET", target: "/2015-03-31/functions/?a=%GG")),
        Ambiguity("a character that is not encoded", Order(service: "lambda", method: "GET", target: "/2015-03-31/functions/a\"b")),
    ]

    @Test("G41: what could be read in two ways never reaches the upstream", arguments: ambiguities)
    func ambiguous(_ ambiguity: Ambiguity) async throws {
        try await GatewayOfATest.run(Self.everything) { test async throws in
            let answer = try await test.send(ambiguity.order)
            #expect((400..<500).contains(answer.status))
            #expect(!answer.body.isEmpty)
            #expect(test.upstream.orders.isEmpty)
        }
    }

    @Test(
        "G3: calls of SQS at the root, at the path of a queue and at the host of AWS",
        arguments: [
            ("/", "localhost:4566"), ("/000000000000/orders", "localhost:4566"), ("/", "sqs.eu-west-1.amazonaws.com"),
            ("/", "eu-west-1.queue.amazonaws.com"),
        ])
    func addresses(_ target: String, _ authority: String) async throws {
        try await GatewayOfATest.run(GatewayOfATest.allow("sqs:SendMessage", GatewayOfATest.arn("sqs:@:orders"))) { test async throws in
            var json = Order.json(
                "sqs", "AmazonSQS.SendMessage", "{\"QueueUrl\":\"http://x/000000000000/orders\",\"MessageBody\":\"a\"}")
            var form = Order.query(
                "sqs", "Action=SendMessage&Version=2012-11-05&MessageBody=a&QueueUrl=http%3A%2F%2Fx%2F000000000000%2Forders")
            (json.target, json.authority, form.target, form.authority) = (target, authority, target, authority)
            #expect(try await test.send(json).status == 200)
            #expect(try await test.send(form).status == 200)
            #expect(test.upstream.orders.map(\.request.path) == [target, target])
            #expect(test.upstream.orders.map(\.request.authority) == [authority, authority])
        }
    }

    @Test("a compressed body is decided and forwarded as it is without compression")
    func compressed() async throws {
        let statement = GatewayOfATest.allow(
            "cloudwatch:PutMetricData", "*", ", Condition: {StringEquals: {\"cloudwatch:namespace\": \"App\"}}")
        try await GatewayOfATest.run(statement) { test async throws in
            let document = Array("{\"Namespace\":\"App\",\"MetricData\":[]}".utf8)
            var order = Order.json("monitoring", "GraniteServiceVersion20100801.PutMetricData", "")
            order.set("Content-Encoding", "gzip")
            order.body = document.gzipped
            #expect(try await test.send(order).status == 200)
            let sent = try #require(test.upstream.orders.first)
            #expect(sent.body == document)
            #expect(sent.request.fields[.contentEncoding] == nil)
        }
    }

    @Test("G2: a call in CBOR is decided by its document")
    func cbor() async throws {
        let statement = GatewayOfATest.allow(
            "cloudwatch:PutMetricData", "*", ", Condition: {StringEquals: {\"cloudwatch:namespace\": \"App\"}}")
        func order(_ namespace: String) -> Order {
            var order = Order(service: "monitoring", target: "/service/GraniteServiceVersion20100801/operation/PutMetricData")
            order.fields[.contentType] = "application/cbor"
            order.set("smithy-protocol", "rpc-v2-cbor")
            // A map with the member Namespace.
            order.body = [0xA1, 0x69] + Array("Namespace".utf8) + [0x60 | UInt8(namespace.utf8.count)] + Array(namespace.utf8)
            return order
        }
        try await GatewayOfATest.run(statement) { test async throws in
            #expect(try await test.send(order("App")).status == 200)
            let denied = try await test.send(order("Other"))
            #expect(denied.status == 403)
            #expect(denied["smithy-protocol"] == "rpc-v2-cbor")
            #expect(test.upstream.orders.count == 1)
        }
    }

    @Test("no upstream finds the fields of a form in the texts of a document")
    func formsInDocuments() async throws {
        try await GatewayOfATest.run(Self.everything) { test async throws in
            let text = "{\"QueueUrl\":\"http://x/000000000000/a\",\"x\":\"&Action=DeleteQueue;QueueUrl=http://x/000000000000/b&\"}"
            var order = Order.json("sqs", "AmazonSQS.ReceiveMessage", text)
            order.set("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")
            #expect(try await test.send(order).status == 200)
            order = Self.invocation
            order.body = Array("{\"x\":\"&Action=DeleteFunction&\"}".utf8)
            #expect(try await test.send(order).status == 200)
            order.body = Array("{\"x\":\"a&b=c\"}".utf8)
            #expect(try await test.send(order).status == 200)
            try #require(test.upstream.orders.count == 3)
            let (call, invocation, other) = (test.upstream.orders[0], test.upstream.orders[1], test.upstream.orders[2])
            for sent in [call, invocation] { #expect(!sent.body.contains { $0 == 0x26 || $0 == 0x3B }) }
            #expect(try JSONValue(parsing: call.body) == JSONValue(parsing: Array(text.utf8)))
            #expect(HTTPField.Name("content-md5").flatMap { call.request.fields[$0] } == nil)
            // Without an action in it, a payload arrives as it was sent.
            #expect(other.body == order.body)
        }
    }
}
