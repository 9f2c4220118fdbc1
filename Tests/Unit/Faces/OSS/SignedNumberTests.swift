import HTTPTypes
import Testing

@testable import OSSFace

@Suite("Numbers with a plus sign at OSS")
struct OSSSignedNumberTests {
    @Test(
        "are invalid in queries",
        arguments: [
            "/?max-keys=%2B5", "/files?max-keys=%2B5", "/files?list-type=2&max-keys=%2B5", "/files?versions&max-keys=%2B5",
            "/files?uploads&max-uploads=%2B5",
        ])
    func query(target: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let refused = try await oss.send(.get, target)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(refused.code == "InvalidArgument", "\(refused.text)")
            #expect(try await oss.send(.get, target.replacing("%2B", with: "")).status == 200)
        }
    }

    @Test("are invalid as part numbers and positions")
    func uploads() async throws {
        try await OSSSandbox.run { oss async throws in
            let id = try #require(try await oss.send(.post, "/files/a?uploads").element("UploadId"))
            let part = try await oss.send(.put, "/files/a?partNumber=%2B1&uploadId=\(id)", body: [1])
            #expect(part.status == 400)
            #expect(part.code == "InvalidArgument")
            let stored = try await oss.send(.put, "/files/a?partNumber=1&uploadId=\(id)", body: [1])
            let tag = try #require(stored["ETag"])
            func complete(_ number: String) async throws -> OSSAnswer {
                try await oss.send(
                    .post, "/files/a?uploadId=\(id)",
                    document:
                        "<CompleteMultipartUpload><Part><PartNumber>\(number)</PartNumber><ETag>\(tag)</ETag></Part></CompleteMultipartUpload>"
                )
            }
            #expect(try await complete("+1").code == "MalformedXML")
            #expect(try await complete("1").status == 200)
            #expect(try await oss.send(.post, "/files/log?append&position=%2B0", body: [1]).code == "InvalidArgument")
            #expect(try await oss.send(.post, "/files/log?append&position=0", body: [1]).status == 200)
        }
    }

    @Test("are invalid in documents")
    func documents() async throws {
        try await OSSSandbox.run { oss async throws in
            func days(_ days: String) -> String {
                "<InitiateWormConfiguration><RetentionPeriodInDays>\(days)</RetentionPeriodInDays></InitiateWormConfiguration>"
            }
            #expect(try await oss.send(.post, "/files?worm", document: days("+1")).code == "MalformedXML")
            #expect(try await oss.send(.post, "/files?worm", document: days("1")).status == 200)
        }
    }
}
