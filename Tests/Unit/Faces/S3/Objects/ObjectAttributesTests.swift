import Cloud
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

/// S3 API Reference, GetObjectAttributes and RestoreObject; S3 User Guide, "Working with object metadata".
@Suite("Attributes of an object")
struct ObjectAttributesTests {
    @Test("the requested attributes are returned")
    func attributes() async throws {
        try await S3Sandbox.run { s3 async throws in
            let all = try await s3.send(
                .get, "/files/public/hello.txt?attributes",
                ["x-amz-object-attributes": "ETag, Checksum,ObjectParts,StorageClass,ObjectSize"])
            let xml = try all.xml
            #expect(all.status == 200)
            #expect(xml.name == "GetObjectAttributesResponse")
            #expect(all["Last-Modified"] != nil)
            #expect(xml.child("ETag")?.text == "781e5e245d69b566979b86e28d23f2c7")
            #expect(xml.child("ObjectSize")?.text == "10")
            #expect(xml.child("StorageClass")?.text == "STANDARD")
            #expect(xml.child("ObjectParts") == nil)
            let some = try await s3.send(.get, "/files/public/hello.txt?attributes", ["x-amz-object-attributes": "ObjectSize"])
            #expect(try some.xml.children.map(\.name) == ["ObjectSize"])
            let odd = try await s3.send(.get, "/files/public/hello.txt?attributes", ["x-amz-object-attributes": "Size"])
            #expect(odd.code == "InvalidArgument")
            #expect(odd.detail("ArgumentValue") == "Size")
            #expect(try await s3.send(.get, "/files/public/hello.txt?attributes").code == "InvalidRequest")
            let missing = try await s3.send(.get, "/files/none?attributes", ["x-amz-object-attributes": "ETag"])
            #expect(missing.status == 404)
            #expect(missing.code == "NoSuchKey")
        }
    }

    @Test("an invalid number of parts is ignored (versity/versitygw#1806)", arguments: ["invalid", "-3", "2147483648"])
    func parts(_ number: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let fields = ["x-amz-object-attributes": "ObjectSize,ObjectParts", "x-amz-max-parts": number]
            #expect(try await s3.send(.get, "/files/public/hello.txt?attributes", fields).status == 200)
        }
    }

    @Test("an archived object can be read after a restore, until the copy expires")
    func restoration() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("k", "cold", ["x-amz-storage-class": "DEEP_ARCHIVE"])
            #expect(try await s3.send(.get, "/files/k").code == "InvalidObjectState")
            #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "/files/k"]).code == "InvalidObjectState")
            let request = Array("<RestoreRequest><Days>2</Days></RestoreRequest>".utf8)
            #expect(try await s3.send(.post, "/files/k?restore", body: request).status == 202)
            #expect(try await s3.send(.post, "/files/k?restore", body: request).status == 200)
            let answer = try await s3.send(.get, "/files/k")
            #expect(answer.text == "cold")
            #expect(answer["x-amz-restore"]?.hasPrefix("ongoing-request=\"false\", expiry-date=\"") == true)
            try await s3.cloud.age(by: .seconds(4 * 86_400))
            #expect(try await s3.send(.get, "/files/k").code == "InvalidObjectState")
            #expect(try await s3.send(.head, "/files/k")["x-amz-restore"] == nil)
        }
    }

    @Test("a restore request is refused with S3's errors")
    func refusedRestorations() async throws {
        try await S3Sandbox.run { s3 async throws in
            let request = Array("<RestoreRequest><Days>2</Days></RestoreRequest>".utf8)
            let warm = try await s3.send(.post, "/files/public/hello.txt?restore", body: request)
            #expect(warm.status == 403)
            #expect(warm.code == "InvalidObjectState")
            #expect(warm.detail("StorageClass") == "STANDARD")
            #expect(try await s3.send(.post, "/files/none?restore", body: request).code == "NoSuchKey")
            for (document, code) in [
                ("<RestoreRequest/>", "MalformedXML"), ("<RestoreRequest><Days>0</Days></RestoreRequest>", "InvalidArgument"),
                ("<RestoreRequest><Type>SELECT</Type></RestoreRequest>", "NotImplemented"),
            ] {
                #expect(try await s3.send(.post, "/files/public/hello.txt?restore", body: Array(document.utf8)).code == code)
            }
        }
    }

    /// s3tools/s3cmd#1377; the message for Expedited as FINRA's herd compares it.
    @Test(
        "a restore is refused with days or a tier that the storage class does not have",
        arguments: [
            (
                "INTELLIGENT_TIERING", "<Days>1</Days>", "InvalidArgument",
                "INTELLIGENT_TIERING objects are not subject to restore expiry. Do not specify Days when restoring this object"
            ),
            ("INTELLIGENT_TIERING", "", "InvalidObjectState", "Restore is not allowed for the object's current storage class"),
            (
                "DEEP_ARCHIVE", "<Days>1</Days><GlacierJobParameters><Tier>Expedited</Tier></GlacierJobParameters>",
                "InvalidArgument", "Retrieval option is not supported by this storage class"
            ),
        ])
    func restorationsOfClasses(_ name: String, _ inner: String, _ code: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("k", "x", ["x-amz-storage-class": name])
            let body = Array("<RestoreRequest>\(inner)</RestoreRequest>".utf8)
            let answer = try await s3.send(.post, "/files/k?restore", body: body)
            #expect(answer.code == code)
            #expect(answer.detail("Message") == message)
        }
    }

    @Test("a redirect location is stored and validated, and is not copied")
    func redirects() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("k", "one", ["x-amz-website-redirect-location": "/other"])
            #expect(try await s3.send(.head, "/files/k")["x-amz-website-redirect-location"] == "/other")
            #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "/files/k"]).status == 200)
            #expect(try await s3.send(.head, "/files/copy")["x-amz-website-redirect-location"] == nil)
            let odd = try await s3.put("k", "one", ["x-amz-website-redirect-location": "other"])
            #expect(odd.status == 400)
            #expect(odd.code == "InvalidRedirectLocation")
        }
    }

    @Test("a repeated storage class is refused, and a repeated redirect location is stored as its condition key has it")
    func repeatedHeaders() throws {
        let classes: HTTPFields = [.storageClass: "STANDARD", .storageClass: "GLACIER"]
        let error = #expect(throws: S3Error.self) { try ObjectAttributes(writing: classes, .aws) }
        #expect(error?.code == .invalidStorageClass)
        let locations: HTTPFields = [.websiteRedirectLocation: "/a", .websiteRedirectLocation: "/b"]
        #expect(try ObjectAttributes(writing: locations, .aws).websiteRedirect == "/a, /b")
    }

    /// Recorded from the service on 2026-01-09 (localstack/localstack, test_user_metadata_rfc2047_encoded).
    @Test(
        "metadata outside of ASCII is sent in encoded words",
        arguments: [
            ("=?UTF-8?Q?actually-ascii?=", "actually-ascii"), ("=?UTF-8?B?YWJj?=", "abc"),
            ("=?utf-8?b?w4RNw4Raw5XDkSBTMw==?=", "=?UTF-8?Q?=C3=84M=C3=84Z=C3=95=C3=91_S3?="),
            ("=?UTF-8?B?AAECAw==?=", "=?UTF-8?B?AAECAw==?="), ("plain = text?", "plain = text?"),
            ("=?UTF-8?X?abc?=", "=?UTF-8?X?abc?="), ("=?UTF-8?Q?a?= =?UTF-8?Q?b?= c", "ab c"),
        ])
    func encodedWords(_ sent: String, _ received: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("k", "one", ["x-amz-meta-text": sent])
            #expect(try await s3.send(.head, "/files/k")["x-amz-meta-text"] == received)
        }
    }
}
