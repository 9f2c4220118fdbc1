import Calls
import Cloud
import Fixtures
import GatewayFace
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("The authentication of forwarded calls")
struct GatewayAuthenticationTests {
    fileprivate typealias Order = GatewayOfATest.Order

    private static let everything = GatewayOfATest.allow("*", "*")

    /// A call of each protocol.
    enum Sample: CaseIterable {
        case json, query, rest, dynamoDB

        fileprivate var order: Order {
            switch self {
            case .json: .json("kms", "TrentService.ListKeys", "{}", version: "1.1")
            case .query: .query("sns", "Action=ListTopics&Version=2010-03-31")
            case .rest: Order(service: "lambda", method: "GET", target: "/2015-03-31/functions/")
            case .dynamoDB: .json("dynamodb", "DynamoDB_20120810.ListTables", "{}")
            }
        }

        fileprivate func code(_ answer: FaceAnswer) throws -> String? {
            switch self {
            case .json, .dynamoDB: try JSONValue(parsing: answer.body)["__type"]?.stringValue
            case .query: try answer.xml.child("Error")?.child("Code")?.text
            case .rest: answer["x-amzn-ErrorType"]
            }
        }

        fileprivate func message(_ answer: FaceAnswer) throws -> String? {
            switch self {
            case .json, .dynamoDB, .rest: try JSONValue(parsing: answer.body)["message"]?.stringValue
            case .query: try answer.xml.child("Error")?.child("Message")?.text
            }
        }
    }

    /// Sends a changed sample, and returns status and code. Nothing may reach the upstream.
    private func refusal(
        _ sample: Sample, _ change: (inout Order) -> Void
    ) async throws -> (status: Int, code: String?, message: String?, isRefused: Bool) {
        var (status, code, message, isRefused): (Int, String?, String?, Bool) = (0, nil, nil, false)
        try await GatewayOfATest.run(Self.everything) { test async throws in
            var order = sample.order
            change(&order)
            let answer = try await test.send(order)
            (status, code, message) = (answer.status, try sample.code(answer), try sample.message(answer))
            isRefused = answer.journal.isRefused
            #expect(test.upstream.orders.isEmpty)
            #expect(answer.journal.decisions.isEmpty)
        }
        return (status, code, message, isRefused)
    }

    @Test("G7: samples of each protocol pass", arguments: Sample.allCases)
    func accepted(_ sample: Sample) async throws {
        try await GatewayOfATest.run(Self.everything) { test async throws in
            #expect(try await test.send(sample.order).status == 200)
            #expect(test.upstream.orders.count == 1)
        }
    }

    @Test(
        "G7: a wrong secret",
        arguments: [
            (.json, 400, "InvalidSignatureException"), (.query, 403, "SignatureDoesNotMatch"), (.rest, 403, "InvalidSignatureException"),
            (.dynamoDB, 400, "com.amazon.coral.service#InvalidSignatureException"),
        ] as [(Sample, Int, String)])
    func wrongSecret(_ sample: Sample, _ status: Int, _ code: String) async throws {
        let found = try await refusal(sample) { $0.secret = "wrong" }
        #expect(found.status == status)
        #expect(found.code == code)
        #expect(found.message?.contains("The Canonical String for this request should have been") == true)
        #expect(found.isRefused)
    }

    @Test(
        "G7: an unknown key",
        arguments: [
            (.json, 400, "UnrecognizedClientException"), (.query, 403, "InvalidClientTokenId"),
            (.rest, 403, "UnrecognizedClientException"), (.dynamoDB, 400, "com.amazon.coral.service#UnrecognizedClientException"),
        ] as [(Sample, Int, String)])
    func unknownKey(_ sample: Sample, _ status: Int, _ code: String) async throws {
        let found = try await refusal(sample) { $0.key = "AKIAUNKNOWN" }
        #expect(found.status == status)
        #expect(found.code == code)
        #expect(found.message == "The security token included in the request is invalid.")
        let foreign = try await refusal(sample) { $0.token = "not a token of this cloud" }
        #expect(foreign.code == code)
    }

    @Test(
        "G4, G7: no signature",
        arguments: [
            (.json, 400, "MissingAuthenticationTokenException", "Missing Authentication Token"),
            (.query, 403, "MissingAuthenticationToken", "Request is missing Authentication Token"),
            (.rest, 403, "MissingAuthenticationTokenException", "Missing Authentication Token"),
            (
                .dynamoDB, 400, "com.amazon.coral.service#MissingAuthenticationTokenException",
                "Request is missing Authentication Token"
            ),
        ] as [(Sample, Int, String, String)])
    func unsigned(_ sample: Sample, _ status: Int, _ code: String, _ message: String) async throws {
        let found = try await refusal(sample) { $0.isSigned = false }
        #expect(found.status == status)
        #expect(found.code == code)
        #expect(found.message == message)
    }

    @Test("G7: the code of the Query protocol in a header of SQS")
    func queryError() async throws {
        try await GatewayOfATest.run(Self.everything) { test async throws in
            var order = Order.json("sqs", "AmazonSQS.ListQueues", "{}")
            order.key = "AKIAUNKNOWN"
            #expect(try await test.send(order)["x-amzn-query-error"] == "InvalidClientTokenId;Sender")
        }
    }

    @Test("G8: a presigned call is verified, and forwarded without its parameters")
    func presigned() async throws {
        let signer = SignatureV4.Signer(accessKey: "ann-key", secret: "secret", region: "eu-west-1", service: "sns")
        let request = SignableRequest(
            method: "GET", target: "/?Action=ListTopics&Version=2010-03-31", authority: "localhost:4566")
        let target = signer.presign(request, expires: .seconds(60), at: .now())
        try await GatewayOfATest.run(Self.everything) { test async throws in
            var order = Order(service: "sns", method: "GET", target: target)
            order.isSigned = false
            #expect(try await test.send(order).status == 200)
            #expect(test.upstream.orders.first?.request.query.text == "Action=ListTopics&Version=2010-03-31")
            order.target = target.replacing("ListTopics", with: "ListSubscriptions")
            #expect(try await test.send(order).status == 403)
            #expect(test.upstream.orders.count == 1)
        }
    }
}
