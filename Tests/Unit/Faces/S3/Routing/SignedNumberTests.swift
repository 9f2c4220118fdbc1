import Fixtures
import HTTPTypes
import Testing

@Suite("Numbers with a plus sign")
struct SignedNumberTests {
    @Test(
        "are invalid in queries",
        arguments: [
            "/?max-buckets=%2B5", "/files?max-keys=%2B5", "/files?list-type=2&max-keys=%2B5", "/files?versions&max-keys=%2B5",
            "/files?uploads&max-uploads=%2B5", "/files/public/hello.txt?partNumber=%2B1",
        ])
    func query(target: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let refused = try await s3.send(.get, target)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(refused.code == "InvalidArgument", "\(refused.text)")
            let unsigned = try await s3.send(.get, target.replacing("%2B", with: ""))
            #expect(unsigned.status == 200 || unsigned.status == 206, "\(unsigned.text)")
        }
    }

    @Test("are invalid in documents")
    func document() async throws {
        try await S3Sandbox.run { s3 async throws in
            func rule(_ days: String) -> String {
                "<LifecycleConfiguration><Rule><ID>r</ID><Filter/><Status>Enabled</Status><Expiration><Days>\(days)</Days></Expiration>"
                    + "</Rule></LifecycleConfiguration>"
            }
            #expect(try await s3.send(.put, "/files?lifecycle", document: rule("+5")).code == "MalformedXML")
            #expect(try await s3.send(.put, "/files?lifecycle", document: rule("5")).status == 200)
        }
    }
}
