import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import RequestSigning
import Testing

@testable import S3Face

@Suite("Requests that a web page signs with well-known keys")
struct ForeignPageTests {
    private static let page = ["Origin": "https://a.example"]

    private func post(_ s3: S3Sandbox, _ fields: [String: String]) async throws -> FaceAnswer {
        try await s3.send(
            .post, "/files", fields.merging(["Content-Type": "multipart/form-data; boundary=\"b\""]) { $1 },
            body: PostObjectTests.Form.signed(at: s3.cloud.clock.now).body, as: .nobody)
    }

    private func expectRefusal(_ answer: FaceAnswer) {
        #expect(answer.status == 403, "\(answer.text)")
        #expect(answer.code == "AccessDenied", "\(answer.text)")
        #expect(answer.detail("Message")?.contains("--allow-foreign-pages") == true)
    }

    @Test(
        "are refused if they write",
        arguments: [
            ["Origin": "https://a.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
            ["Origin": "http://localhost:8765", "Sec-Fetch-Site": "same-site"],
        ])
    func writes(fields: [String: String]) async throws {
        try await S3Sandbox.run { s3 async throws in
            expectRefusal(try await post(s3, fields))
            expectRefusal(try await s3.send(.put, "/files/x", fields, body: [1]))
            expectRefusal(try await s3.send(.put, "/new-bucket", fields))
            expectRefusal(try await s3.send(.delete, "/files/public/hello.txt", fields))
            expectRefusal(try await s3.send(.post, "/files/x?uploads", fields))
            #expect(try await s3.send(.get, "/files/public/hello.txt").status == 200)
            #expect(try await s3.send(.head, "/files/public/x").status == 404)
        }
    }

    @Test(
        "are accepted if they read, have the same origin, or come from no page",
        arguments: [["Origin": "http://localhost:4566"], ["Sec-Fetch-Site": "none"], ["User-Agent": "Mozilla/5.0"], [:]])
    func harmless(fields: [String: String]) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await post(s3, fields).status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt", Self.page).status == 200)
        }
    }

    @Test("are accepted if the bucket's CORS rules allow the page")
    func consent() async throws {
        try await S3Sandbox.run { s3 async throws in
            let rule = CORSTests.rule("<AllowedMethod>POST</AllowedMethod><AllowedOrigin>https://a.example</AllowedOrigin>")
            try await s3.putCORS(rule)
            #expect(try await post(s3, Self.page).status == 204)
            expectRefusal(try await post(s3, ["Origin": "https://b.example"]))
            expectRefusal(try await s3.send(.put, "/files/x", Self.page, body: [1]))
        }
    }

    @Test("are accepted with other keys, anonymously if the bucket allows it, and with --allow-foreign-pages")
    func others() async throws {
        try await S3Sandbox.run { s3 async throws in
            // An anonymous request follows the bucket's settings.
            let anonymous = try await s3.send(.put, "/files/x", Self.page, body: [1], as: .nobody)
            #expect(anonymous.code == "AccessDenied")
            #expect(anonymous.detail("Message")?.contains("--allow") == false)
            let face = S3Face(authenticator: Authenticator(cloud: s3.cloud, admitsForeignPages: true), logger: .ofTests)
            #expect(try await post(S3Sandbox(cloud: s3.cloud, face: face), Self.page).status == 204)
        }
    }

    @Test("are refused at an unknown host name, which any site could bind to this process")
    func rebinding() async throws {
        try await S3Sandbox.run { s3 async throws in
            for fields in [["User-Agent": "Mozilla/5.0"], ["Origin": "http://evil.example:4566"]] {
                var signable = SignableRequest(method: "GET", target: "/files/public/hello.txt", authority: "evil.example:4566")
                for (name, value) in fields { signable.fields[try #require(HTTPField.Name(name))] = value }
                SignatureV4.Signer(accessKey: "test", secret: "test", region: "us-east-1", service: "s3")
                    .sign(&signable, payload: PayloadHash(of: []), at: s3.cloud.clock.now)
                let call = Call(
                    .get, "/files/public/hello.txt", signable.fields, authority: "evil.example:4566", cloud: s3.cloud)
                let response = await s3.face.respond(to: call, bucketFromHost: nil)
                let answer = try await FaceAnswer(response, call.entry(status: response.status.code))
                #expect(answer.status == 403, "\(answer.text)")
                #expect(answer.detail("Message")?.contains("--alias evil.example") == true, "\(answer.text)")
            }
        }
    }
}
