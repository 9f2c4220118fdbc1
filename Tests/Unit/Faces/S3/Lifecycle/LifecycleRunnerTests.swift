import Cloud
import Cryptography
import Fixtures
import HTTPTypes
import Logging
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("The execution of lifecycle rules")
struct LifecycleRunnerTests {
    typealias Rules = LifecycleConfigurationTests

    private func runner(_ s3: S3Sandbox) -> LifecycleRunner {
        let logger = Logger(label: "test")
        return LifecycleRunner(
            cloud: s3.cloud, calendar: .days, rules: [LifecycleConfiguration.ofS3], logger: logger,
            observe: { _, _ in })
    }

    private func put(_ rules: String, _ s3: S3Sandbox) async throws {
        try await s3.configure("lifecycle", "<LifecycleConfiguration>\(rules)</LifecycleConfiguration>")
    }

    private func setVersioning(_ status: String, _ s3: S3Sandbox) async throws {
        try await s3.configure("versioning", "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>")
    }

    private func keys(_ s3: S3Sandbox) async throws -> [String] {
        try await s3.send(.get, "/files?list-type=2").xml.children(named: "Contents").compactMap { $0.child("Key")?.text }
    }

    /// Returns the versions as `key`, with a minus for a delete marker.
    private func versions(_ s3: S3Sandbox) async throws -> [String] {
        try await s3.send(.get, "/files?versions").xml.children.compactMap { entry in
            switch entry.name {
            case "Version": entry.child("Key")?.text
            case "DeleteMarker": entry.child("Key").map { "\($0.text)-" }
            default: nil
            }
        }
    }

    @Test("deletes what is due and keeps the rest, over several pages")
    func expiration() async throws {
        try await S3Sandbox.run { s3 in
            for index in 0..<520 { try await s3.put("logs/\(index)", "x") }
            try await s3.put("kept", "x")
            try await put(Rules.rule("<Expiration><Days>30</Days></Expiration>", filter: "<Filter><Prefix>logs/</Prefix></Filter>"), s3)
            await runner(s3).carryOut()
            #expect(try await keys(s3).count == 522)
            try await s3.cloud.age(by: .seconds(31 * 86_400))
            try await s3.put("logs/new", "x")
            await runner(s3).carryOut()
            #expect(try await keys(s3) == ["kept", "logs/new", "public/hello.txt"])
        }
    }

    @Test("adds delete markers in a bucket with versioning, and deletes noncurrent versions and expired markers")
    func versions() async throws {
        try await S3Sandbox.run { s3 in
            try await setVersioning("Enabled", s3)
            for text in ["1", "2", "3"] { try await s3.put("a", text) }
            try await put(Rules.rule(Rules.days, filter: "<Filter><Prefix>a</Prefix></Filter>"), s3)
            try await s3.cloud.age(by: .seconds(3 * 86_400))
            await runner(s3).carryOut()
            #expect(try await versions(s3) == ["a-", "a", "a", "a", "public/hello.txt"])
            await runner(s3).carryOut()
            #expect(try await versions(s3) == ["a-", "a", "a", "a", "public/hello.txt"])
            try await put(
                Rules.rule(
                    "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>1</NewerNoncurrentVersions></NoncurrentVersionExpiration>"
                ), s3)
            try await s3.cloud.age(by: .seconds(3 * 86_400))
            await runner(s3).carryOut()
            #expect(try await versions(s3) == ["a-", "a", "public/hello.txt"])
            try await put(
                Rules.rule(
                    "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>"
                ), s3)
            await runner(s3).carryOut()
            #expect(try await versions(s3) == ["public/hello.txt"])
        }
    }

    @Test("does not delete a locked version")
    func locks() async throws {
        try await S3Sandbox.run { s3 in
            let created = try await s3.send(.put, "/vault", ["x-amz-bucket-object-lock-enabled": "true"])
            #expect(created.status == 200)
            let hold = ["x-amz-object-lock-legal-hold": "ON", "Content-MD5": MD5.hash([1]).base64]
            let held = try await s3.send(.put, "/vault/a", hold, body: [1])
            #expect(held.status == 200, "\(held.text)")
            #expect(try await s3.send(.put, "/vault/a", body: [2]).status == 200)
            #expect(try await s3.send(.put, "/vault/a", body: [3]).status == 200)
            let bucket = try #require(s3.cloud.objects.bucket(named: "vault"))
            let rules = try LifecycleConfigurationTests.read(
                Rules.rule(
                    "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>"))
            try await s3.cloud.objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                configuration.documents[.lifecycle] = rules.stored
            }
            try await s3.cloud.age(by: .seconds(3 * 86_400))
            await runner(s3).carryOut()
            let left = try await s3.send(.get, "/vault?versions").xml.children(named: "Version")
            #expect(left.map { $0.child("Size")?.text } == ["1", "1"])
        }
    }

    @Test("aborts uploads, returns the date of that before, and moves objects to other storage classes")
    func uploadsAndTransitions() async throws {
        try await S3Sandbox.run { s3 in
            try await put(
                Rules.rule(
                    "<AbortIncompleteMultipartUpload><DaysAfterInitiation>3</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
                    filter: "<Filter><Prefix>up</Prefix></Filter>", id: "abort them")
                    + Rules.rule(
                        "<Transition><Days>1</Days><StorageClass>GLACIER_IR</StorageClass></Transition>",
                        filter: "<Filter><ObjectSizeGreaterThan>4</ObjectSizeGreaterThan></Filter>", id: "b"), s3)
            let upload = try await s3.send(.post, "/files/up?uploads")
            #expect(upload["x-amz-abort-rule-id"] == "abort them")
            #expect(upload["x-amz-abort-date"]?.hasSuffix(" 00:00:00 GMT") == true)
            #expect(try await s3.send(.post, "/files/other?uploads")["x-amz-abort-date"] == nil)
            try await s3.put("small", "1234")
            try await s3.cloud.age(by: .seconds(5 * 86_400))
            await runner(s3).carryOut()
            let uploads = try await s3.send(.get, "/files?uploads").xml.children(named: "Upload")
            #expect(uploads.map { $0.child("Key")?.text } == ["other"])
            #expect(try await s3.send(.head, "/files/public/hello.txt")["x-amz-storage-class"] == "GLACIER_IR")
            #expect(try await s3.send(.head, "/files/small")["x-amz-storage-class"] == nil)
        }
    }

    @Test("returns the expiry of an object, but not of a version")
    func expirationHeader() async throws {
        try await S3Sandbox.run { s3 in
            try await put(Rules.rule(Rules.days, filter: "<Filter><Prefix>gone</Prefix></Filter>", id: "after a day"), s3)
            let made = try await s3.put("gone", "x")
            let header = try #require(made["x-amz-expiration"])
            #expect(header.hasPrefix("expiry-date=\""))
            #expect(header.hasSuffix(" 00:00:00 GMT\", rule-id=\"after a day\""))
            #expect(try await s3.send(.get, "/files/gone")["x-amz-expiration"] == header)
            #expect(try await s3.send(.head, "/files/gone?versionId=null")["x-amz-expiration"] == nil)
            #expect(try await s3.put("stays", "x")["x-amz-expiration"] == nil)
        }
    }
}
