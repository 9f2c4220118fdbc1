import AWSIdentityFaces
import Calls
import Fixtures
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@Suite("A service that is not served")
struct UnavailableServiceTests {
    @Test(
        "G6: a form is answered in XML, also at the path of a queue",
        arguments: [("/", "sqs"), ("/000000000000/orders", "sqs"), ("/", "sns"), ("/000000000000/orders?Action=SendMessage", "sqs")])
    func query(_ target: String, _ service: String) async throws {
        try await withSandbox { cloud async throws in
            let call = Call(
                .post, target, [.contentType: "application/x-www-form-urlencoded"],
                body: ByteBuffer(string: "Action=SendMessage&Version=2012-11-05"), cloud: cloud)
            let response = UnavailableService(name: service).respond(to: call)
            let document = try XMLElement(parsing: try await response.collectedBody())
            #expect(response.status == .badRequest)
            #expect(document.name == "ErrorResponse")
            #expect(document.child("Error")?.child("Code")?.text == "InvalidAction")
        }
    }

    @Test("G6: JSON at the path of a queue is answered in JSON")
    func json() async throws {
        try await withSandbox { cloud async throws in
            let call = Call(.post, "/000000000000/orders", [.contentType: "application/x-amz-json-1.0"], cloud: cloud)
            let response = UnavailableService(name: "sqs").respond(to: call)
            #expect(response.status == .badRequest)
            #expect(response.headers[.contentType] == "application/x-amz-json-1.0")
        }
    }
}
