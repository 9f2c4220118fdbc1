import Cloud
import Cryptography
import Federation
import Fixtures
import HTTPTypes
import Logging
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

/// Tests of a bucket that is accessible through S3 and OSS. Changes through one of them are visible through the other.
@Suite("A bucket that is shared with S3")
struct SharedBucketTests {
    private static let queue = "arn:aws:sqs:us-east-1:000000000000:changes"

    /// The members of an event that the tests compare.
    fileprivate struct Told: Hashable {
        var name: String
        var key: String
        var principal: String
        var owner: String
    }

    @Test("notifies a queue of every change through OSS")
    func events() async throws {
        try await Self.run { oss, told in
            #expect(try await oss.send(.put, "/files/a", body: Array("one".utf8)).status == 200)
            #expect(try await oss.send(.put, "/files/b", ["x-oss-copy-source": "/files/a"]).status == 200)
            #expect(try await oss.send(.post, "/files/log?append&position=0", body: Array("x".utf8)).status == 200)
            #expect(try await oss.send(.put, "/files/link?symlink", ["x-oss-symlink-target": "a"]).status == 200)
            #expect(try await oss.send(.put, "/files/a?acl", ["x-oss-object-acl": "private"]).status == 200)
            let tagging = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"
            #expect(try await oss.send(.put, "/files/a?tagging", document: tagging).status == 200)
            #expect(try await oss.send(.delete, "/files/a?tagging").status == 204)
            let started = try await oss.send(.post, "/files/parts?uploads")
            let upload = try #require(try started.xml.child("UploadId")?.text)
            let part = try await oss.send(.put, "/files/parts?partNumber=1&uploadId=\(upload)", body: Array("part".utf8))
            let list =
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(part["ETag"] ?? "")</ETag></Part></CompleteMultipartUpload>"
            #expect(try await oss.send(.post, "/files/parts?uploadId=\(upload)", document: list).status == 200)
            #expect(try await oss.send(.delete, "/files/a").status == 204)
            let gone = "<Delete><Object><Key>b</Key></Object></Delete>"
            let digest = MD5.hash(Array(gone.utf8)).base64
            #expect(try await oss.send(.post, "/files?delete", ["Content-MD5": digest], document: gone).status == 200)

            var events = told.makeAsyncIterator()
            for (name, key) in [
                ("ObjectCreated:Put", "a"), ("ObjectCreated:Copy", "b"), ("ObjectCreated:Put", "log"), ("ObjectCreated:Put", "link"),
                ("ObjectAcl:Put", "a"), ("ObjectTagging:Put", "a"), ("ObjectTagging:Delete", "a"),
                ("ObjectCreated:CompleteMultipartUpload", "parts"), ("ObjectRemoved:Delete", "a"), ("ObjectRemoved:Delete", "b"),
            ] {
                let event = try #require(await events.next())
                let owner = BucketEvent.customerID(of: "000000000000")
                #expect(event == Told(name: name, key: key, principal: "AWS:\(OSSSandbox.owner)", owner: owner))
            }
        }
    }

    @Test("has the checksums of both services")
    func checksums() async throws {
        try await Self.run { oss, _ in
            let bucket = try #require(oss.cloud.objects.bucket(named: "files"))
            let text = Array("123456789".utf8)
            // The check values from the catalogue of parametrised CRC algorithms.
            let expected = try [
                Checksum(.crc64nvme, bytes: #require([UInt8](hex: "ae8b14860a799888"))),
                Checksum(.crc64xz, bytes: #require([UInt8](hex: "995dc9bbdf1939fa"))),
            ]
            _ = try await oss.send(.put, "/files/a", body: text)
            _ = try await oss.send(.put, "/files/b", ["x-oss-copy-source": "/files/a"])
            _ = try await oss.send(.post, "/files/c?append&position=0", body: Array(text.prefix(4)))
            _ = try await oss.send(.post, "/files/c?append&position=4", body: Array(text.dropFirst(4)))
            for key in ["a", "b", "c"] {
                #expect(try oss.cloud.objects.head(key, in: bucket.id).object?.checksums == expected)
            }
        }
    }

    /// Runs a test with the bucket `files`, which is shared with an AWS account and notifies its queue of all events.
    private static func run(_ test: @escaping @Sendable (OSSSandbox, AsyncStream<Told>) async throws -> Void) async throws {
        try await OSSSandbox.run { sandbox async throws in
            let outbox = EventOutbox(targets: [queue: "http://queue"], logger: Logger(label: "test"))
            let oss = OSSSandbox(
                cloud: sandbox.cloud,
                face: OSSFace(
                    authenticator: Authenticator(cloud: sandbox.cloud), outbound: { _ in throw OSSSandbox.NoServer() }, events: outbox,
                    logger: Logger(label: "test")))
            let bucket = try #require(oss.cloud.objects.bucket(named: "files"))
            try await oss.cloud.objects.configure(bucket.id) { configuration in
                configuration.documents[.sharedWith] = "000000000000"
                configuration.documents[.notification] = """
                    <NotificationConfiguration><QueueConfiguration><Id>all</Id><Queue>\(queue)</Queue><Event>s3:ObjectCreated:*</Event>\
                    <Event>s3:ObjectRemoved:*</Event><Event>s3:ObjectTagging:*</Event><Event>s3:ObjectAcl:Put</Event>\
                    </QueueConfiguration></NotificationConfiguration>
                    """
            }
            let (told, tell) = AsyncStream<Told>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await outbox.deliver { parcel in
                        guard let told = Told(parcel) else { return false }
                        tell.yield(told)
                        return true
                    }
                }
                defer { group.cancelAll() }
                try await test(oss, told)
            }
        }
    }
}

extension SharedBucketTests.Told {
    fileprivate init?(_ parcel: EventParcel) {
        guard let record = try? JSONValue(parsing: parcel.body)["Records"]?.arrayValue?.first, let name = record["eventName"]?.stringValue,
            let key = record["s3"]?["object"]?["key"]?.stringValue, let principal = record["userIdentity"]?["principalId"]?.stringValue,
            let owner = record["s3"]?["bucket"]?["ownerIdentity"]?["principalId"]?.stringValue
        else { return nil }
        self.init(name: name, key: key, principal: principal, owner: owner)
    }
}
