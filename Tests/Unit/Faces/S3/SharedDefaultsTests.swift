import Cloud
import Cryptography
import Fixtures
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

/// OSS API Reference, "PutBucketEncryption", "PutBucketObjectWormConfiguration", "PutBucket".
@Suite("The defaults of a bucket that an account of Alibaba Cloud shares")
struct SharedDefaultsTests {
    private static func run(
        storageClass: String? = nil, encryption: String? = nil, retainsDays days: Int? = nil, s3Encryption: String? = nil,
        _ test: (S3Sandbox, Bucket) async throws -> Void
    ) async throws {
        try await S3Sandbox.run { s3 async throws in
            var configuration = s3.cloud.newBucketConfiguration
            configuration.documents[.sharedWith] = "000000000000"
            configuration.documents[.ossStorageClass] = storageClass
            configuration.documents[.encryption] = s3Encryption
            configuration.documents[.ossEncryption] = encryption.map {
                "<ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault>\($0)</ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>"
            }
            if let days {
                configuration.versioning = .enabled
                configuration.hasObjectLock = true
                configuration.documents[.ossObjectWorm] = """
                    <ObjectWormConfiguration><ObjectWormEnabled>Enabled</ObjectWormEnabled><Rule><DefaultRetention><Mode>COMPLIANCE</Mode>\
                    <Days>\(days)</Days></DefaultRetention></Rule></ObjectWormConfiguration>
                    """
            }
            let bucket = try await s3.cloud.objects.createBucket(
                named: "harbour", account: "1234567890123456", region: "cn-hangzhou", created: s3.cloud.clock.now,
                configuration: configuration)
            try await test(s3, bucket)
        }
    }

    private static let encryptionHeader = "x-amz-server-side-encryption"

    @Test("give a new object its storage class, but for a writer who chooses one")
    func storageClass() async throws {
        try await Self.run(storageClass: "IA") { s3, _ async throws in
            #expect(try await s3.send(.put, "/harbour/a", ["Content-MD5": MD5.hash([1]).base64], body: [1]).status == 200)
            #expect(try await s3.send(.head, "/harbour/a")["x-amz-storage-class"] == "STANDARD_IA")
            #expect(try await s3.send(.put, "/harbour/b", ["x-amz-storage-class": "STANDARD"], body: [1]).status == 200)
            #expect(try await s3.send(.head, "/harbour/b")["x-amz-storage-class"] == nil)
            #expect(try await s3.send(.put, "/harbour/c", ["x-amz-copy-source": "/harbour/b"]).status == 200)
            #expect(try await s3.send(.head, "/harbour/c")["x-amz-storage-class"] == "STANDARD_IA")
        }
    }

    @Test("refuse a new object where S3 has no name for the storage class")
    func unknownStorageClass() async throws {
        try await Self.run(storageClass: "DeepColdArchive") { s3, _ async throws in
            let refused = try await s3.send(.put, "/harbour/a", body: [1])
            #expect(refused.status == 400)
            #expect(refused.code == "InvalidStorageClass")
            #expect(try await s3.send(.put, "/harbour/a", ["x-amz-storage-class": "STANDARD"], body: [1]).status == 200)
        }
    }

    @Test("encrypt a new object with the key of the rule")
    func keyService() async throws {
        let rule = "<SSEAlgorithm>KMS</SSEAlgorithm><KMSMasterKeyID>key-1</KMSMasterKeyID><KMSDataEncryption>SM4</KMSDataEncryption>"
        try await Self.run(encryption: rule) { s3, bucket async throws in
            let put = try await s3.send(.put, "/harbour/a", body: [1])
            #expect(put[Self.encryptionHeader] == "aws:kms")
            #expect(put["\(Self.encryptionHeader)-aws-kms-key-id"] == "key-1")
            let record = try #require(try s3.cloud.objects.head("a", in: bucket.id).object)
            #expect(record.properties.encryption == ObjectEncryption(scheme: .keyServiceSM4, keyID: "key-1"))
            #expect(record.owner == "000000000000" || record.owner == "1234567890123456")
        }
    }

    @Test("leave the entity tag the MD5 of the content where keys of the store encrypt it")
    func storeKeys() async throws {
        try await Self.run(encryption: "<SSEAlgorithm>SM4</SSEAlgorithm>") { s3, bucket async throws in
            let put = try await s3.send(.put, "/harbour/a", body: Array("hello".utf8))
            #expect(put["ETag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
            #expect(put[Self.encryptionHeader] == "AES256")
            #expect(try s3.cloud.objects.head("a", in: bucket.id).object?.properties.encryption?.scheme == .storeSM4)
        }
    }

    @Test("retain a new object")
    func retention() async throws {
        try await Self.run(retainsDays: 2) { s3, bucket async throws in
            #expect(try await s3.send(.put, "/harbour/a", ["Content-MD5": MD5.hash([1]).base64], body: [1]).status == 200)
            #expect(try await s3.send(.head, "/harbour/a")["x-amz-object-lock-mode"] == "COMPLIANCE")
            let retention = try #require(try s3.cloud.objects.head("a", in: bucket.id).object?.properties.lock.retention)
            #expect(retention.until.milliseconds - retention.declared.milliseconds == 2 * 86_400_000)
        }
    }

    @Test("come before the configuration of S3, which applies where OSS has none")
    func order() async throws {
        var encryption = BucketEncryption()
        (encryption.scheme, encryption.keyID) = (.keyService, "alias/s3")
        let text = encryption.text
        try await Self.run(encryption: "<SSEAlgorithm>AES256</SSEAlgorithm>", s3Encryption: text) { s3, _ async throws in
            #expect(try await s3.send(.put, "/harbour/a", body: [1])[Self.encryptionHeader] == "AES256")
        }
        try await Self.run(s3Encryption: text) { s3, _ async throws in
            #expect(try await s3.send(.put, "/harbour/a", body: [1])["\(Self.encryptionHeader)-aws-kms-key-id"] == "alias/s3")
        }
    }
}
