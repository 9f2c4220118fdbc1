import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import MobileCloudFace

/// The settings of a collection's bucket, which apply to every write from any face.
@Suite("Buckets of collections")
struct StorageBucketTests {
    private static func pictures(_ storage: StorageSandbox) throws -> Bucket {
        try #require(storage.mobile.cloud.objects.bucket(named: "pictures"))
    }

    private static func record(_ key: String, _ storage: StorageSandbox) throws -> ObjectRecord? {
        try storage.mobile.cloud.objects.head(key, in: try pictures(storage).id).object
    }

    @Test("apply their default retention to new objects")
    func retention() async throws {
        try await StorageSandbox.run { storage async throws in
            let objects = storage.mobile.cloud.objects
            #expect(try await storage.put("/pictures/objects/before", "x", as: "writer").status == 201)
            try await objects.configure(try Self.pictures(storage).id) { configuration in
                configuration.versioning = .enabled
                configuration.hasObjectLock = true
                configuration.defaultRetention = DefaultRetention(mode: .compliance, period: .days(2))
            }
            #expect(try await storage.put("/pictures/objects/one", "x", as: "writer").status == 201)
            let lock = try #require(try Self.record("one", storage)?.properties.lock)
            let retention = try #require(lock.retention)
            #expect(retention.mode == .compliance)
            #expect(lock.legalHold == nil)
            #expect(retention.until.milliseconds - retention.declared.milliseconds == 2 * 86_400_000)
            #expect(try Self.record("before", storage)?.properties.lock.isEmpty == true)
        }
    }

    @Test("encrypt new objects, whose entity tag is then no digest of the content")
    func encryption() async throws {
        try await StorageSandbox.run { storage async throws in
            let objects = storage.mobile.cloud.objects
            var encryption = BucketEncryption()
            (encryption.scheme, encryption.keyID, encryption.usesBucketKey) = (.keyService, "alias/pictures", true)
            let text = encryption.text
            #expect(try BucketEncryption(stored: text) == encryption)
            try await objects.configure(try Self.pictures(storage).id) { $0.documents[.encryption] = text }
            let made = try await storage.put("/pictures/objects/one", "hello", as: "writer")
            #expect(made.status == 201)
            #expect(made["eTag"] != "\"5d41402abc4b2a76b9719d911017c592\"")
            let record = try #require(try Self.record("one", storage))
            #expect(
                record.properties.encryption == ObjectEncryption(scheme: .keyService, keyID: "alias/pictures", usesBucketKey: true))
            let digest = try #require([UInt8](hex: "5d41402abc4b2a76b9719d911017c592"))
            #expect(record.entityTag.md5 == record.properties.encryption.tagDigest(digest))
            #expect(try await storage.get("/pictures/objects/one", as: "reader").text == "hello")
        }
    }

    @Test("of OSS give new objects their storage class, encryption, retention and checksum")
    func bucketOfOSS() async throws {
        try await StorageSandbox.run { storage async throws in
            let objects = storage.mobile.cloud.objects
            let bucket = try #require(objects.bucket(named: "harbour"))
            func stored(_ key: String) async throws -> ObjectRecord {
                #expect(try await storage.put("/harbour/objects/\(key)", "123456789", as: "writer").status == 201)
                return try #require(try objects.head(key, in: bucket.id).object)
            }
            let plain = try await stored("plain")
            #expect(plain.attributes.storageClass == "STANDARD_IA")
            #expect(plain.properties.accessControl == nil)
            #expect(plain.properties.encryption == nil)
            #expect(plain.properties.lock.isEmpty)
            // The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms.
            #expect(plain.checksums == [Checksum(.crc64xz, bytes: try #require([UInt8](hex: "995dc9bbdf1939fa")))])

            try await objects.configure(bucket.id) { configuration in
                configuration.hasObjectLock = true
                configuration.documents[.ossStorageClass] = "Archive"
                configuration.documents[.ossEncryption] = """
                    <ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>KMS</SSEAlgorithm>\
                    <KMSMasterKeyID>key-1</KMSMasterKeyID><KMSDataEncryption>SM4</KMSDataEncryption>\
                    </ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>
                    """
                configuration.documents[.ossObjectWorm] = """
                    <ObjectWormConfiguration><ObjectWormEnabled>Enabled</ObjectWormEnabled><Rule><DefaultRetention>\
                    <Mode>COMPLIANCE</Mode><Days>2</Days></DefaultRetention></Rule></ObjectWormConfiguration>
                    """
                // The default retention of S3.
                configuration.defaultRetention = DefaultRetention(mode: .governance, period: .days(9))
            }
            let made = try await stored("made")
            #expect(made.attributes.storageClass == "GLACIER")
            #expect(made.properties.encryption == ObjectEncryption(scheme: .keyServiceSM4, keyID: "key-1"))
            let retention = try #require(made.properties.lock.retention)
            #expect(retention.mode == .compliance)
            #expect(retention.until.milliseconds - retention.declared.milliseconds == 2 * 86_400_000)
            // OSS returns the MD5 of the content even if it is encrypted.
            #expect(made.entityTag.md5 == [UInt8](hex: "25f9e794323b453885f5181f1b624d0b"))
        }
    }

    @Test("compute the checksum that their objects have at S3")
    func checksum() async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/pictures/objects/one", "123456789", as: "writer")
            let checksums = try #require(try Self.record("one", storage)?.checksums)
            // The check value of CRC-64/NVME in the catalogue of parametrised CRC algorithms.
            #expect(checksums == [Checksum(.crc64nvme, bytes: try #require([UInt8](hex: "ae8b14860a799888")))])
        }
    }

    @Test("have a line in their access logs for each call, also for refused calls")
    func access() async throws {
        try await StorageSandbox.run { storage async throws in
            let target = "/notes/objects/one"
            let written = try await storage.put(target, "x", as: "writer").access
            #expect(written == ObjectAccess(.write, bucket: "notes", key: "id-writer/one"))
            #expect(try await storage.get(target, as: "writer").access == ObjectAccess(.read, bucket: "notes", key: "id-writer/one"))
            #expect(try await storage.send(.head, target, as: "writer").access?.kind == .head)
            #expect(try await storage.get("/notes/objects", as: "writer").access == ObjectAccess(.list, bucket: "notes"))
            #expect(try await storage.get("/notes", as: "writer").access == ObjectAccess(.describe, bucket: "notes"))
            let refused = try await storage.get(target, as: "guest")
            #expect(refused.status == 403)
            #expect(refused.access?.kind == .read)
            #expect(refused.access?.bucket == "notes")
            #expect(try await storage.send(.delete, target, as: "writer").access?.kind == .delete)
            #expect(try await storage.get("/missing/objects/one", as: "writer").access == nil)
        }
    }

    @Test("under a WORM policy of OSS refuse to replace and delete objects, and accept new ones")
    func worm() async throws {
        try await StorageSandbox.run { storage async throws in
            let (objects, target) = (storage.mobile.cloud.objects, "/pictures/objects/one")
            _ = try await storage.put(target, "first", as: "writer")
            let worm = BucketWorm(id: "w", days: 1, created: storage.mobile.cloud.clock.now).text
            try await objects.configure(try Self.pictures(storage).id) { configuration in
                configuration.documents[.sharedWith] = "1234567890123456"
                configuration.documents[.ossWorm] = worm
            }
            for answer in [
                try await storage.put(target, "second", as: "writer"), try await storage.send(.delete, target, as: "writer"),
            ] {
                #expect(answer.status == 403)
                #expect(answer.errorCode == MobileErrorKind.forbidden.code)
            }
            #expect(try await storage.get(target, as: "reader").text == "first")
            #expect(try await storage.put("/pictures/objects/two", "x", as: "writer").status == 201)
        }
    }

    @Test("protected by overwrite rules of OSS refuse to overwrite")
    func overwriteRules() async throws {
        try await StorageSandbox.run { storage async throws in
            let (objects, target) = (storage.mobile.cloud.objects, "/pictures/objects/one")
            #expect(try await storage.put(target, "first", as: "writer").status == 201)
            try await objects.configure(try Self.pictures(storage).id) { configuration in
                configuration.documents[.sharedWith] = "1234567890123456"
                configuration.documents[.ossOverwrite] =
                    "<OverwriteConfiguration><Rule><Action>forbid</Action><Prefix>one</Prefix></Rule></OverwriteConfiguration>"
            }
            let answer = try await storage.put(target, "second", as: "writer")
            #expect(answer.status == 403)
            #expect(answer.errorCode == MobileErrorKind.forbidden.code)
            #expect(try await storage.get(target, as: "reader").text == "first")
            #expect(try await storage.put("/pictures/objects/two", "x", as: "writer").status == 201)
            #expect(try await storage.put("/pictures/objects/two", "y", as: "writer").status == 200)
        }
    }

    @Test("refuse to return archived objects until they are restored")
    func archive() async throws {
        try await StorageSandbox.run { storage async throws in
            let (objects, target) = (storage.mobile.cloud.objects, "/pictures/objects/one")
            let clock = storage.mobile.cloud.clock
            _ = try await storage.put(target, "kept", as: "writer")
            let bucket = try Self.pictures(storage).id
            try await objects.update("one", in: bucket) { $0.attributes.storageClass = StorageClass.glacier.rawValue }
            let refused = try await storage.get(target, as: "reader")
            #expect(refused.status == 403)
            #expect(refused.errorCode == MobileErrorKind.forbidden.code)
            #expect(try await storage.send(.head, target, as: "reader").status == 200)
            #expect(try await storage.get("/pictures/objects", as: "reader").json["count"] == 1)
            let restoration = Restoration(until: clock.now + .seconds(3600), declared: clock.now)
            try await objects.update("one", in: bucket) { $0.restoration = restoration }
            #expect(try await storage.get(target, as: "reader").text == "kept")
            try await storage.mobile.cloud.age(by: .seconds(3601))
            #expect(try await storage.get(target, as: "reader").status == 403)
        }
    }
}
