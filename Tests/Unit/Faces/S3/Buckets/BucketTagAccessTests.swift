import Cloud
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

/// S3 User Guide, "Enabling ABAC in general purpose buckets"; S3 API Reference, PutBucketAbac.
@Suite("Tags of buckets as condition keys")
struct BucketTagAccessTests {
    private func put(_ s3: S3Sandbox, _ status: String) async throws -> FaceAnswer {
        try await s3.send(.put, "/files?abac", body: Array("<AbacStatus><Status>\(status)</Status></AbacStatus>".utf8))
    }

    private func tag(_ s3: S3Sandbox, team: String) async throws -> FaceAnswer {
        let document = "<Tagging><TagSet><Tag><Key>Team</Key><Value>\(team)</Value></Tag></TagSet></Tagging>"
        return try await s3.send(.put, "/files?tagging", document: document)
    }

    private func status(_ s3: S3Sandbox) async throws -> String? {
        let answer = try await s3.send(.get, "/files?abac")
        #expect(answer.status == 200)
        #expect(answer.journal.operation == "GetBucketAbac")
        #expect(try answer.xml.name == "AbacStatus")
        return try answer.xml.child("Status")?.text
    }

    @Test("are disabled until the owner enables them")
    func states() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await status(s3) == "Disabled")
            #expect(try await put(s3, "Enabled").status == 200)
            #expect(try await status(s3) == "Enabled")
            #expect(try await put(s3, "Suspended").code == "MalformedXML")
            #expect(try await put(s3, "Disabled").status == 200)
            #expect(try await status(s3) == "Disabled")
            #expect(try await s3.send(.get, "/files?abac", as: .reader).code == "AccessDenied")
            let deletion = try await s3.send(.delete, "/files?abac")
            #expect(deletion.status == 405)
            #expect(deletion.detail("ResourceType") == "BUCKET_ABAC")
        }
    }

    @Test("decide only while they are enabled", arguments: ["aws:ResourceTag/team", "s3:BucketTag/Team"])
    func condition(_ key: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let policy = """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/reader"},\
                "Action":["s3:ListBucket","s3:PutObject"],"Resource":["arn:aws:s3:::files","arn:aws:s3:::files/*"],\
                "Condition":{"StringEquals":{"\(key)":"blue"}}}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            #expect(try await tag(s3, team: "blue").status == 204)
            #expect(try await s3.send(.get, "/files", as: .reader).status == 403)
            #expect(try await put(s3, "Enabled").status == 200)
            #expect(try await s3.send(.get, "/files", as: .reader).status == 200)
            #expect(try await s3.send(.put, "/files/new", body: [1], as: .reader).status == 200)
            #expect(try await put(s3, "Disabled").status == 200)
            #expect(try await tag(s3, team: "red").status == 204)
            #expect(try await put(s3, "Enabled").status == 200)
            #expect(try await s3.send(.get, "/files", as: .reader).status == 403)
        }
    }

    @Test("cannot be changed by the operations on tags of buckets while they decide")
    func changes() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await tag(s3, team: "blue").status == 204)
            #expect(try await put(s3, "Enabled").status == 200)
            for answer in [try await tag(s3, team: "red"), try await s3.send(.delete, "/files?tagging")] {
                #expect(answer.status == 400)
                #expect(answer.code == "BadRequest")
                #expect(answer.detail("Message")?.contains("initiate a TagResource request") == true)
            }
            #expect(try await s3.send(.get, "/files?tagging").text.contains("blue"))
        }
    }
}
