import Cloud
import HTTPTypes
import ObjectServing
import Testing
import WireFormats

@testable import MobileCloudFace

/// What the bucket of a collection asks of every write, whichever door it comes by.
@Suite("Buckets of collections")
struct StorageBucketTests {
    private static func pictures(_ storage: StorageSandbox) throws -> Bucket {
        try #require(storage.mobile.cloud.objects.bucket(named: "pictures"))
    }

    private static func record(_ key: String, _ storage: StorageSandbox) throws -> ObjectRecord? {
        try storage.mobile.cloud.objects.head(key, in: try pictures(storage).id).object
    }

    @Test("retain what is stored as they retain every new object")
    func retention() async throws {
        try await StorageSandbox.run { storage async throws in
            let objects = storage.mobile.cloud.objects
            #expect(try await storage.put("/pictures/objects/before", "x", as: "writer").status == 201)
            try await objects.configure(try Self.pictures(storage).id) { configuration in
                configuration.versioning = .enabled
                configuration.hasObjectLock = true
                configuration.documents[.objectLock] = "COMPLIANCE 2 Days"
            }
            #expect(try await storage.put("/pictures/objects/one", "x", as: "writer").status == 201)
            let lock = try #require(try Self.record("one", storage)?.properties.lock)
            let retention = try #require(lock.retention)
            #expect(retention.mode == .compliance && lock.legalHold == nil)
            #expect(retention.until.milliseconds - retention.declared.milliseconds == 2 * 86_400_000)
            #expect(try Self.record("before", storage)?.properties.lock.isEmpty == true)
        }
    }

    @Test("encrypt what is stored as they encrypt every new object, whose tag then tells nothing of the content")
    func encryption() async throws {
        try await StorageSandbox.run { storage async throws in
            let objects = storage.mobile.cloud.objects
            var encryption = BucketEncryption()
            (encryption.scheme, encryption.keyID, encryption.usesBucketKey) = (.keyService, "alias/pictures", true)
            let text = encryption.text
            #expect(try BucketEncryption(stored: text) == encryption)
            try await objects.configure(try Self.pictures(storage).id) { $0.documents[.encryption] = text }
            let made = try await storage.put("/pictures/objects/one", "hello", as: "writer")
            #expect(made.status == 201 && made["eTag"] != "\"5d41402abc4b2a76b9719d911017c592\"")
            let record = try #require(try Self.record("one", storage))
            #expect(
                record.properties.encryption == ObjectEncryption(scheme: .keyService, keyID: "alias/pictures", usesBucketKey: true))
            let digest = try #require([UInt8](hex: "5d41402abc4b2a76b9719d911017c592"))
            #expect(record.entityTag.md5 == record.properties.encryption.tagDigest(digest))
            #expect(try await storage.get("/pictures/objects/one", as: "reader").text == "hello")
        }
    }

    @Test("keep the checksum that their objects have at S3")
    func checksum() async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/pictures/objects/one", "123456789", as: "writer")
            let checksums = try #require(try Self.record("one", storage)?.checksums)
            // The check value of CRC-64/NVME in the catalogue of parametrised CRC algorithms.
            #expect(checksums == [Checksum(.crc64nvme, bytes: try #require([UInt8](hex: "ae8b14860a799888")))])
        }
    }

    @Test("forbid to replace or remove what OSS retains as a whole, and take what is new")
    func worm() async throws {
        try await StorageSandbox.run { storage async throws in
            let (objects, target) = (storage.mobile.cloud.objects, "/pictures/objects/one")
            _ = try await storage.put(target, "first", as: "writer")
            let worm = BucketWorm(id: "w", days: 1, created: storage.mobile.cloud.clock.now).text
            try await objects.configure(try Self.pictures(storage).id) { $0.documents[.ossWorm] = worm }
            for answer in [
                try await storage.put(target, "second", as: "writer"), try await storage.send(.delete, target, as: "writer"),
            ] {
                #expect(answer.status == 403 && answer.errorCode == MobileErrorKind.forbidden.code)
            }
            #expect(try await storage.get(target, as: "reader").text == "first")
            #expect(try await storage.put("/pictures/objects/two", "x", as: "writer").status == 201)
        }
    }
}
