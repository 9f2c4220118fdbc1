import Cloud
import Fixtures
import HTTPTypes
import Testing

@testable import S3Face

@Suite("UpdateObjectEncryption")
struct UpdateObjectEncryptionTests {
    private static let key = "arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    private static let target = "/files/public/hello.txt?encryption"

    private static func document(_ content: String) -> [UInt8] { Array("<ObjectEncryption>\(content)</ObjectEncryption>".utf8) }

    @Test("changes only the key")
    func updates() async throws {
        try await S3Sandbox.run { s3 async throws in
            let before = try await s3.send(.get, "/files/public/hello.txt")
            let body = Self.document("<SSE-KMS><KMSKeyArn>\(Self.key)</KMSKeyArn><BucketKeyEnabled>true</BucketKeyEnabled></SSE-KMS>")
            let answer = try await s3.send(.put, Self.target, body: body)
            #expect(answer.status == 200)
            #expect(answer.journal.operation == "UpdateObjectEncryption")
            let after = try await s3.send(.get, "/files/public/hello.txt")
            #expect(after.text == "0123456789")
            #expect(after["ETag"] == before["ETag"])
            #expect(after["Last-Modified"] == before["Last-Modified"])
            #expect(after["x-amz-server-side-encryption"] == "aws:kms")
            #expect(after["x-amz-server-side-encryption-aws-kms-key-id"] == Self.key)
            #expect(after["x-amz-server-side-encryption-bucket-key-enabled"] == "true")
            #expect(try await s3.send(.put, Self.target, body: body, as: .reader).status == 403)
            #expect(try await s3.send(.put, "/files/nothing?encryption", body: body).code == "NoSuchKey")
        }
    }

    @Test(
        "refuses an invalid key",
        arguments: [
            ("", 400, "InvalidRequest", "require a valid new encryption type"),
            ("<SSE-S3/>", 400, "InvalidRequest", "require a valid new encryption type"),
            ("<DSSE-KMS/>", 400, "InvalidRequest", "doesn't support updating the encryption type to DSSE-KMS or SSE-C"),
            ("<SSE-KMS/>", 400, "InvalidRequest", "require an AWS KMS key Amazon Resource Name"),
            ("<SSE-KMS><KMSKeyArn>alias/x</KMSKeyArn></SSE-KMS>", 400, "InvalidRequest", "require a valid AWS KMS key"),
            (
                "<SSE-KMS><KMSKeyArn>arn:aws:kms:us-east-1:111111111111:key/x</KMSKeyArn></SSE-KMS>", 403, "AccessDenied",
                "must be owned by the same account as the bucket"
            ),
            (
                "<SSE-KMS><KMSKeyArn>\(key)</KMSKeyArn><BucketKeyEnabled>1</BucketKeyEnabled></SSE-KMS>", 400, "InvalidRequest",
                "BucketKeyEnabled value isn't valid"
            ),
            ("<SSE-KMS><Key>\(key)</Key></SSE-KMS>", 400, "MalformedXML", ""),
        ])
    func refuses(_ content: String, _ status: Int, _ code: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, Self.target, body: Self.document(content))
            #expect(answer.status == status)
            #expect(answer.code == code)
            if !message.isEmpty { #expect(answer.detail("Message")?.contains(message) == true) }
            #expect(try await s3.send(.get, "/files/public/hello.txt")["x-amz-server-side-encryption"] == "AES256")
        }
    }

    @Test("refuses objects with another encryption, and locked ones")
    func sources() async throws {
        try await S3Sandbox.run { s3 async throws in
            let body = Self.document("<SSE-KMS><KMSKeyArn>\(Self.key)</KMSKeyArn></SSE-KMS>")
            try await s3.put("twice", "x", ["x-amz-server-side-encryption": "aws:kms:dsse"])
            let twice = try await s3.send(.put, "/files/twice?encryption", body: body)
            #expect(twice.code == "InvalidRequest")
            #expect(twice.detail("Message")?.contains("DSSE-KMS or SSE-C. Only") == true)
            _ = try await s3.send(.put, "/locked", ["x-amz-bucket-object-lock-enabled": "true"])
            _ = try await s3.send(
                .put, "/locked/x", ["x-amz-object-lock-legal-hold": "ON", "Content-MD5": "1B2M2Y8AsgTpgAmY7PhCfg=="], body: [])
            let locked = try await s3.send(.put, "/locked/x?encryption", body: body)
            #expect(locked.status == 403)
            #expect(locked.detail("Message")?.contains("protected by S3 Object Lock") == true)
        }
    }
}
