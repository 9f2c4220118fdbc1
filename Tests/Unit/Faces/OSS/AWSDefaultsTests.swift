import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

/// S3 API Reference, PutBucketEncryption and PutObjectLockConfiguration.
@Suite("The defaults of a bucket that an account of AWS shares")
struct AWSDefaultsTests {
    private static func run(
        _ configure: (inout BucketConfiguration) -> Void, _ test: (OSSSandbox, Bucket) async throws -> Void
    ) async throws {
        try await OSSSandbox.run { oss async throws in
            var configuration = BucketConfiguration()
            configuration.documents[.sharedWith] = OSSSandbox.owner
            configure(&configuration)
            let bucket = try await oss.cloud.objects.createBucket(
                named: "reports", account: "000000000000", region: "eu-central-1", created: oss.cloud.clock.now,
                configuration: configuration)
            try await test(oss, bucket)
        }
    }

    private static func encryption(_ scheme: ObjectEncryption.Scheme) -> String {
        var encryption = BucketEncryption()
        (encryption.scheme, encryption.keyID) = (scheme, "alias/reports")
        return encryption.text
    }

    @Test("encrypt a new object with the key of the rule")
    func encryption() async throws {
        let ownRule = "<SSEAlgorithm>SM4</SSEAlgorithm>"
        try await Self.run { configuration in
            configuration.documents[.encryption] = Self.encryption(.keyService)
            configuration.documents[.ossEncryption] =
                "<ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault>\(ownRule)</ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>"
        } _: { oss, bucket async throws in
            let put = try await oss.put("a", "x", in: "reports")
            #expect(put["x-oss-server-side-encryption"] == "KMS")
            #expect(put["x-oss-server-side-encryption-key-id"] == "alias/reports")
            let record = try #require(try oss.cloud.objects.head("a", in: bucket.id).object)
            #expect(record.properties.encryption == ObjectEncryption(scheme: .keyService, keyID: "alias/reports"))
            #expect(record.owner == "000000000000")
            let chosen = try await oss.put("b", "x", in: "reports", ["x-oss-server-side-encryption": "AES256"])
            #expect(chosen["x-oss-server-side-encryption"] == "AES256")
        }
    }

    @Test("refuse a new object where OSS has no name for the encryption")
    func unknownEncryption() async throws {
        try await Self.run {
            $0.documents[.encryption] = Self.encryption(.keyServiceTwice)
        } _: { oss, _ async throws in
            let refused = try await oss.put("a", "x", in: "reports")
            #expect(refused.status == 400)
            #expect(refused.code == "OperationNotSupported")
            #expect(refused.text.contains("aws:kms:dsse"))
            #expect(try await oss.put("a", "x", in: "reports", ["x-oss-server-side-encryption": "AES256"]).status == 200)
        }
    }

    @Test("retain a new object")
    func retention() async throws {
        try await Self.run { configuration in
            configuration.versioning = .enabled
            configuration.hasObjectLock = true
            configuration.defaultRetention = DefaultRetention(mode: .compliance, period: .days(2))
        } _: { oss, bucket async throws in
            #expect(try await oss.put("a", "x", in: "reports").status == 200)
            let retention = try #require(try oss.cloud.objects.head("a", in: bucket.id).object?.properties.lock.retention)
            #expect(retention.mode == .compliance)
            #expect(retention.until.milliseconds - retention.declared.milliseconds == 2 * 86_400_000)
        }
    }
}
