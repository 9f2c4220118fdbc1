import Cloud
import Exchange
import FaceTesting
import HTTPTypes
import RequestSigning
import Testing

@testable import AWSFaces

@Suite("Bodies that end before their time, at the faces of AWS")
struct CutOffBodyTests {
    @Test(
        "are the client's error at S3, and change nothing",
        arguments: [
            (HTTPRequest.Method.put, "/files/new", ""), (.put, "/files/new", "half"), (.post, "/files?delete", "<Delete>"),
            (.put, "/files?tagging", "<Tagging>"), (.put, "/files?policy", "{"),
        ])
    func s3(method: HTTPRequest.Method, target: String, begin: String) async throws {
        try await S3Sandbox.run { s3 in
            var signable = SignableRequest(method: method.rawValue, target: target, authority: S3Sandbox.authority)
            signable.fields[.contentLength] = "100"
            signable.fields[try #require(HTTPField.Name("Content-MD5"))] = "AAAAAAAAAAAAAAAAAAAAAA=="
            S3Sandbox.Signer.root.signer(region: "us-east-1")?.sign(&signable, payload: .unsigned, at: s3.cloud.clock.now)
            let exchange = Exchange(method, target, signable.fields, body: .cutOff(after: begin), cloud: s3.cloud)
            let response = await s3.face.respond(to: exchange, bucketFromHost: nil)
            let answer = try await S3Answer(response, exchange.entry(status: response.status.code))
            #expect(answer.status == 400 && answer.code == "IncompleteBody", "\(answer.text)")
            #expect(try await s3.send(.get, "/files/new").status == 404)
            #expect(try await s3.send(.get, "/files/public/hello.txt").status == 200)
        }
    }

    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    @Test("are the client's error at STS")
    func sts() async throws {
        try await STSSandbox.run { sts in
            let exchange = Exchange(.post, "/", Self.form, body: .cutOff(after: "Action=GetCaller"), cloud: sts.cloud)
            #expect(await sts.face.respond(to: exchange, form: nil).status == .badRequest)
            #expect(exchange.entry(status: 400).errorCode == "MalformedInput")
        }
    }

    @Test("are the client's error at IAM")
    func iam() async throws {
        try await IAMSandbox.run { iam in
            let exchange = Exchange(.post, "/", Self.form, body: .cutOff(after: "Action=Create"), cloud: iam.cloud)
            #expect(await iam.face.respond(to: exchange, form: nil).status == .badRequest)
            #expect(exchange.entry(status: 400).errorCode == "MalformedInput")
        }
    }
}
