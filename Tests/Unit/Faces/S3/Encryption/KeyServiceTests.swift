import Federation
import Fixtures
import HTTPTypes
import Logging
import Seeds
import Synchronization
import Testing
import WireFormats

@testable import S3Face

@Suite("Keys of the key management service")
struct KeyServiceTests {
    static let header = "x-amz-server-side-encryption"
    static let key = "arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555"

    /// Runs a test with a key service whose next response the test sets.
    private func run(
        _ test: (S3Sandbox, _ answer: (OutboundResponse?) -> Void, _ asked: () -> [OutboundRequest]) async throws -> Void
    ) async throws {
        try await S3Sandbox.run { s3 in
            let state = Mutex<(response: OutboundResponse?, requests: [OutboundRequest])>((OutboundResponse(status: 200), []))
            let service = KeyService(url: "http://kms") { request in
                try state.withLock { state in
                    state.requests.append(request)
                    guard let response = state.response else { throw OutboundError.timedOut }
                    return response
                }
            }
            let face = S3Face(authenticator: s3.face.authenticator, keys: service, logger: Logger(label: "test"))
            try await test(
                S3Sandbox(cloud: s3.cloud, face: face), { response in state.withLock { $0.response = response } },
                { state.withLock { $0.requests } })
        }
    }

    private static func refusal(_ type: String, _ message: String) -> OutboundResponse {
        let body: JSONValue = ["__type": .string(type), "message": .string(message)]
        return OutboundResponse(status: 400, body: body.serializedBytes())
    }

    /// The errors were recorded from AWS.
    @Test("that are refused cause the service's errors for writers and readers")
    func refusals() async throws {
        try await run { s3, answer, asked async throws in
            let fields = [Self.header: "aws:kms", "\(Self.header)-aws-kms-key-id": Self.key]
            #expect(try await s3.put("a", "x", fields).status == 200)
            let request = try #require(asked().first)
            #expect(request.headers[.target] == "TrentService.GenerateDataKey")
            #expect(request.headers[.authorization]?.contains("Credential=000000000000/20000101/us-east-1/kms/aws4_request") == true)
            #expect(try JSONValue(parsing: request.body)["KeyId"] == .string(Self.key))
            answer(Self.refusal("DisabledException", "\(Self.key) is disabled."))
            let copy = ["x-amz-copy-source": "files/a"]
            for response in [
                try await s3.put("b", "x", fields), try await s3.send(.get, "/files/a"), try await s3.send(.put, "/files/c", copy),
                try await s3.send(.post, "/files/b?uploads", fields),
            ] {
                #expect(response.status == 400)
                #expect(response.code == "KMS.DisabledException")
                #expect(try response.xml.child("Message")?.text == "\(Self.key) is disabled.")
            }
            #expect(try await s3.send(.head, "/files/a").status == 200)
            answer(nil)
            #expect(try await s3.send(.get, "/files/a").code == "ServiceUnavailable")
        }
    }

    @Test("are not used if the store's keys or S3's key encrypt")
    func others() async throws {
        try await run { s3, answer, asked async throws in
            answer(Self.refusal("NotFoundException", ""))
            for fields in [[:], [Self.header: "AES256"], [Self.header: "aws:kms"]] {
                #expect(try await s3.put("a", "x", fields).status == 200)
                #expect(try await s3.send(.get, "/files/a").status == 200)
            }
            #expect(asked().isEmpty)
        }
    }
}
