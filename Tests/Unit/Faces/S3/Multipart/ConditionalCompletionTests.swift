import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

/// S3 User Guide, "How to prevent object overwrites with conditional writes", on multipart uploads.
@Suite("Conditional completions of multipart uploads")
struct ConditionalCompletionTests {
    /// Initiates an upload of `k` and uploads its only part.
    private func upload(to s3: S3Sandbox, _ fields: [String: String] = [:]) async throws -> (id: String, part: FaceAnswer) {
        let id = try #require(try await s3.send(.post, "/files/k?uploads", fields).xml.child("UploadId")?.text)
        return (id, try await s3.send(.put, "/files/k?partNumber=1&uploadId=\(id)", body: Array("one part".utf8)))
    }

    private func complete(
        _ s3: S3Sandbox, _ upload: (id: String, part: FaceAnswer), _ fields: [String: String]
    ) async throws -> FaceAnswer {
        let part = "<Part><PartNumber>1</PartNumber><ETag>\(upload.part["ETag"] ?? "")</ETag></Part>"
        return try await s3.send(
            .post, "/files/k?uploadId=\(upload.id)", fields,
            body: Array("<CompleteMultipartUpload>\(part)</CompleteMultipartUpload>".utf8))
    }

    @Test("conflict with the deletion of the object after the initiation")
    func deletion() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.put("k", "before").status == 200)
            let first = try await upload(to: s3)
            let present = try await complete(s3, first, ["If-None-Match": "*"])
            #expect(present.status == 412)
            #expect(present.code == "PreconditionFailed")
            #expect(present.detail("Condition") == "If-None-Match")
            #expect(try await s3.send(.delete, "/files/k").status == 204)
            let conflict = try await complete(s3, first, ["If-None-Match": "*"])
            #expect(conflict.status == 409)
            #expect(conflict.code == "ConditionalRequestConflict")
            #expect(conflict.detail("Condition") == "If-None-Match")
            #expect(conflict.detail("Key") == "k")
            let second = try await upload(to: s3)
            #expect(try await complete(s3, second, ["If-None-Match": "*"]).status == 200)
        }
    }

    @Test("fail without the object of the entity tag, and conflict with a later one")
    func tags() async throws {
        try await S3Sandbox.run { s3 async throws in
            let tag = try #require(try await s3.put("k", "before")["ETag"])
            let begun = try await upload(to: s3)
            #expect(try await s3.send(.delete, "/files/k").status == 204)
            let missing = try await complete(s3, begun, ["If-Match": tag])
            #expect(missing.status == 404)
            #expect(missing.code == "NoSuchKey")
            #expect(try await complete(s3, begun, [:]).status == 200)
        }
    }

    @Test("accept an entity tag with either quotation mark, both or none")
    func quotationMarks() async throws {
        try await S3Sandbox.run { s3 async throws in
            var tag = try #require(try await s3.put("k", "0")["ETag"])
            for count in 1...4 {
                let spelled = [tag, String(tag.dropFirst()), String(tag.dropLast()), String(tag.dropFirst().dropLast())][count - 1]
                let answer = try await s3.put("k", "\(count)", ["If-Match": spelled])
                #expect(answer.status == 200, "\(spelled)")
                tag = try #require(answer["ETag"])
            }
            #expect(try await s3.put("k", "5", ["If-Match": "\"\""]).status == 412)
        }
    }

    @Test("treat a checksum without its type as composite")
    func checksumType() async throws {
        try await S3Sandbox.run { s3 async throws in
            for name in ["crc32c", "crc64nvme"] {
                let begun = try await upload(
                    to: s3, ["x-amz-checksum-algorithm": name.uppercased(), "x-amz-checksum-type": "FULL_OBJECT"])
                let header = "x-amz-checksum-\(name)"
                let checksum = [header: try #require(begun.part[header])]
                if name == "crc32c" {
                    let refused = try await complete(s3, begun, checksum)
                    #expect(refused.status == 400)
                    #expect(refused.code == "BadDigest")
                }
                // CRC-64/NVME has no other type.
                let type = name == "crc32c" ? ["x-amz-checksum-type": "FULL_OBJECT"] : [:]
                #expect(try await complete(s3, begun, checksum.merging(type) { $1 }).status == 200)
            }
        }
    }
}
