import GatewayFace
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("The request to an upstream")
struct UpstreamRequestTests {
    private func upstream(_ target: String, _ fields: [(String, String)]) throws -> SignableRequest {
        var request = SignableRequest(method: "POST", target: target, authority: "sqs.eu-west-1.amazonaws.com")
        for (name, value) in fields { request.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return UpstreamRequest.signed(
            request, account: "111122223333", region: "eu-west-1", service: "sqs", payload: PayloadHash(of: Array("{}".utf8)),
            at: Timestamp(seconds: 1_700_000_000))
    }

    private func value(_ name: String, _ request: SignableRequest) -> String? {
        HTTPField.Name(name).flatMap { request.fields[$0] }
    }

    @Test("G24: account and region are in the signature, and the account in a header for moto")
    func account() throws {
        let request = try upstream("/", [("X-Amz-Target", "AmazonSQS.SendMessage"), ("x-moto-account-id", "999999999999")])
        #expect(value("Authorization", request)?.hasPrefix("AWS4-HMAC-SHA256 Credential=111122223333/20231114/eu-west-1/sqs/") == true)
        #expect(value("x-moto-account-id", request) == "111122223333")
        #expect(value("X-Amz-Target", request) == "AmazonSQS.SendMessage")
        #expect(value("X-Amz-Date", request) == "20231114T221320Z")
        #expect(request.authority == "sqs.eu-west-1.amazonaws.com")
    }

    @Test(
        "G25, G41: no credential and nothing that changes the request reaches the upstream",
        arguments: [
            "X-Amz-Security-Token", "X-Virga-Sandbox", "Cookie", "Proxy-Authorization", "X-HTTP-Method-Override", "X-Original-URL",
            "X-Forwarded-Host", "Connection", "Transfer-Encoding", "X-Amz-Credential",
        ])
    func headers(_ name: String) throws {
        let request = try upstream("/", [(name, "client"), ("Authorization", "AWS4-HMAC-SHA256 client"), ("X-Amz-Date", "client")])
        #expect(!request.fields.contains { $0.value.contains("client") })
    }

    @Test("G25: the parameters of a presigned request are left out")
    func presigned() throws {
        let request = try upstream(
            "/111122223333/q?Action=SendMessage&X-Amz-Signature=s&X-Amz-Security-Token=t&%58-Amz-Credential=c&MessageBody=a%20b", [])
        #expect(request.query.text == "Action=SendMessage&MessageBody=a%20b")
        #expect(request.path == "/111122223333/q")
    }
}
