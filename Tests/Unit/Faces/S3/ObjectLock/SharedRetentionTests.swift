import Cloud
import Fixtures
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

/// OSS User Guide, "Retention policies".
@Suite("OSS's WORM policy on a shared bucket")
struct SharedRetentionTests {
    @Test("applies at S3 as well, until it ends")
    func retention() async throws {
        try await S3Sandbox.run { s3 async throws in
            let bucket = try #require(s3.cloud.objects.bucket(named: "files"))
            let worm = BucketWorm(id: "W", days: 1, created: s3.cloud.clock.now)
            _ = try await s3.cloud.objects.configure(bucket.id) { configuration in
                configuration.documents[.sharedWith] = "1234567890123456"
                configuration.documents[.ossWorm] = worm.text
            }
            let object = "/files/public/hello.txt"
            for refused in [
                try await s3.put("public/hello.txt", "other"), try await s3.send(.delete, object),
                try await s3.send(.put, object, ["x-amz-copy-source": "/files/public/hello.txt", "x-amz-metadata-directive": "REPLACE"]),
                try await s3.send(.post, "\(object)?uploads"),
            ] {
                #expect(refused.status == 403)
                #expect(refused.code == "AccessDenied")
            }
            let document = "<Delete><Object><Key>public/hello.txt</Key></Object></Delete>"
            #expect(try await s3.send(.post, "/files?delete", document: document).text.contains("<Code>AccessDenied</Code>"))
            #expect(try await s3.send(.get, object).text == "0123456789")
            #expect(try await s3.put("new", "x").status == 200)
            // The policy was not locked within a day.
            try await s3.cloud.age(by: .seconds(25 * 3600))
            #expect(try await s3.send(.delete, object).status == 204)
        }
    }

    @Test("lets only one of several concurrent writes succeed")
    func race() async throws {
        try await S3Sandbox.run { s3 async throws in
            let bucket = try #require(s3.cloud.objects.bucket(named: "files"))
            let worm = BucketWorm(id: "W", days: 1, created: s3.cloud.clock.now)
            _ = try await s3.cloud.objects.configure(bucket.id) { configuration in
                configuration.documents[.sharedWith] = "1234567890123456"
                configuration.documents[.ossWorm] = worm.text
            }
            let written = try await withThrowingTaskGroup(of: (text: String, status: Int).self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let text = String(number)
                        return (text, try await s3.put("contended", text).status)
                    }
                }
                return try await group.reduce(into: [String]()) { if $1.status == 200 { $0.append($1.text) } }
            }
            #expect(written.count == 1)
            #expect(try await s3.send(.get, "/files/contended").text == written.first)
        }
    }

    /// OSS API Reference, "PutBucketOverwriteConfig".
    @Test("prevents overwrites through S3 by OSS's overwrite rules")
    func overwriteRules() async throws {
        try await S3Sandbox.run { s3 async throws in
            let bucket = try #require(s3.cloud.objects.bucket(named: "files"))
            _ = try await s3.cloud.objects.configure(bucket.id) { configuration in
                configuration.documents[.sharedWith] = "1234567890123456"
                configuration.documents[.ossOverwrite] =
                    "<OverwriteConfiguration><Rule><Action>forbid</Action><Suffix>.txt</Suffix></Rule></OverwriteConfiguration>"
            }
            let copied = try await s3.send(.put, "/files/public/hello.txt", ["x-amz-copy-source": "/files/other"])
            #expect(copied.status == 404)
            #expect(try await s3.put("other", "x").status == 200)
            for refused in [
                try await s3.put("public/hello.txt", "other"),
                try await s3.send(.put, "/files/public/hello.txt", ["x-amz-copy-source": "/files/other"]),
            ] {
                #expect(refused.status == 403)
                #expect(refused.code == "AccessDenied")
            }
            #expect(try await s3.send(.get, "/files/public/hello.txt").text == "0123456789")
            #expect(try await s3.put("new.txt", "x").status == 200)
            // The rules do not forbid deletions.
            #expect(try await s3.send(.delete, "/files/public/hello.txt").status == 204)
        }
    }
}
