import Calls
import Cloud
import Fixtures
import HTTPTypes
import RequestSigning
import Testing

@testable import S3Face

@Suite("Truncated request bodies at S3")
struct CutOffBodyTests {
    @Test(
        "cause a client error, and change nothing",
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
            let call = Call(method, target, signable.fields, body: .cutOff(after: begin), cloud: s3.cloud)
            let response = await s3.face.respond(to: call, bucketFromHost: nil)
            let answer = try await FaceAnswer(response, call.entry(status: response.status.code))
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.code == "IncompleteBody", "\(answer.text)")
            #expect(try await s3.send(.get, "/files/new").status == 404)
            #expect(try await s3.send(.get, "/files/public/hello.txt").status == 200)
        }
    }
}
