import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("CopyObject")
struct CopyObjectTests {
    static let source = ["x-amz-copy-source": "/files/public/hello.txt"]

    @Test("copies body and attributes, but not the storage class")
    func copies() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files/copy", Self.source)
            let result = try answer.xml
            #expect(answer.status == 200)
            #expect(result.name == "CopyObjectResult")
            #expect(result.child("ETag")?.text == "\"781e5e245d69b566979b86e28d23f2c7\"")
            #expect(result.child("LastModified").flatMap { Timestamp(iso8601: $0.text) } != nil)
            let copy = try await s3.send(.get, "/files/copy")
            #expect(copy.text == "0123456789")
            #expect(copy["Content-Type"] == "text/plain")
            #expect(copy["x-amz-meta-colour"] == "blue")
        }
    }

    /// (OpenStack Swift's tests against S3, "test_object_copy_with_range_error".)
    @Test("has no range")
    func range() async throws {
        let fields = Self.source.merging(["Range": "bytes=0-2"]) { $1 }
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files/copy", fields)
            #expect(answer.status == 400)
            #expect(answer.detail("Message") == "RANGE is not supported in Copy!")
            #expect(answer.detail("ArgumentName") == "Range")
            #expect(answer.detail("ArgumentValue") == "bytes=0-2")
        }
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            #expect(try await s3.send(.put, "/files/copy", fields).status == 200)
        }
    }

    @Test("replaces attributes on request")
    func replaces() async throws {
        try await S3Sandbox.run { s3 async throws in
            let fields = Self.source.merging(
                ["x-amz-metadata-directive": "REPLACE", "Content-Type": "image/png", "x-amz-meta-size": "ten"]
            ) { $1 }
            #expect(try await s3.send(.put, "/files/copy", fields).status == 200)
            let copy = try await s3.send(.head, "/files/copy")
            #expect(copy["Content-Type"] == "image/png")
            #expect(copy["x-amz-meta-size"] == "ten")
            #expect(copy["x-amz-meta-colour"] == nil)
            let unknown = Self.source.merging(["x-amz-metadata-directive": "MERGE"]) { $1 }
            let refused = try await s3.send(.put, "/files/copy", unknown)
            #expect(refused.code == "InvalidArgument")
            #expect(refused.detail("Message") == "Unknown metadata directive.")
        }
    }

    @Test("onto itself must change something")
    func inPlace() async throws {
        try await S3Sandbox.run { s3 async throws in
            let refused = try await s3.send(.put, "/files/public/hello.txt", Self.source)
            #expect(refused.status == 400)
            #expect(refused.code == "InvalidRequest")
            #expect(refused.detail("Message")?.hasPrefix("This copy request is illegal because") == true)
            let fields = Self.source.merging(["x-amz-storage-class": "STANDARD"]) { $1 }
            #expect(try await s3.send(.put, "/files/public/hello.txt", fields).status == 200)
            let encryption = """
                <ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm>\
                </ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>
                """
            #expect(try await s3.send(.put, "/files?encryption", document: encryption).status == 200)
            #expect(try await s3.send(.put, "/files/public/hello.txt", Self.source).status == 200)
        }
    }

    @Test("reads a plus sign in the name of its source as a space")
    func plus() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.put("a b", "space").status == 200)
            #expect(try await s3.put("a+b", "plus").status == 200)
            for (source, text) in [("files%2Fa+b", "space"), ("/files/a%20b", "space"), ("files/a%2Bb", "plus")] {
                #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": source]).status == 200)
                #expect(try await s3.send(.get, "/files/copy").text == text)
            }
        }
    }

    @Test("computes the requested checksum")
    func checksum() async throws {
        try await S3Sandbox.run { s3 async throws in
            let fields = Self.source.merging(["x-amz-checksum-algorithm": "SHA256"]) { $1 }
            let answer = try await s3.send(.put, "/files/copy", fields)
            #expect(try answer.xml.child("ChecksumSHA256")?.text == "hNiYd/DUBB77a/kaFvAkjy/Vc+avBcGflr7bn4gveII=")
            #expect(try answer.xml.child("ChecksumType")?.text == "FULL_OBJECT")
        }
    }

    @Test("computes the CRC of OSS if the bucket is shared with OSS", arguments: [[:], ["x-amz-checksum-algorithm": "SHA256"]])
    func checkOfOSS(fields: [String: String]) async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.share("files")
            let answer = try await s3.send(.put, "/files/copy", Self.source.merging(fields) { $1 })
            #expect(answer.status == 200)
            #expect(answer.text.contains("ChecksumCRC64XZ") == false)
            #expect(try s3.checkOfOSS("copy") == S3Sandbox.checkOfOSS(of: "0123456789"))
            let head = try await s3.send(.head, "/files/copy", ["x-amz-checksum-mode": "ENABLED"])
            #expect(head["ETag"] == "\"781e5e245d69b566979b86e28d23f2c7\"")
            #expect(head["x-amz-checksum-type"] == "FULL_OBJECT")
        }
    }

    @Test("requires the conditions on the source")
    func conditions() async throws {
        try await S3Sandbox.run { s3 async throws in
            for (name, value, condition) in [
                ("x-amz-copy-source-if-match", "\"x\"", "x-amz-copy-source-If-Match"),
                ("x-amz-copy-source-if-none-match", "*", "x-amz-copy-source-If-None-Match"),
                ("x-amz-copy-source-if-unmodified-since", "Wed, 21 Oct 2015 07:28:00 GMT", "x-amz-copy-source-If-Unmodified-Since"),
            ] {
                let answer = try await s3.send(.put, "/files/copy", Self.source.merging([name: value]) { $1 })
                #expect(answer.status == 412)
                #expect(answer.detail("Condition") == condition)
            }
            #expect(try await s3.send(.put, "/files/copy", Self.source.merging(["If-None-Match": "*"]) { $1 }).status == 200)
            #expect(try await s3.send(.put, "/files/copy", Self.source.merging(["If-None-Match": "*"]) { $1 }).status == 412)
        }
    }

    @Test(
        "accepts its source as a URL, of which the path is used",
        arguments: [
            "http://localhost:4566/files/public/hello.txt", "https://s3.amazonaws.com/files/public/hello.txt",
            "HTTPS://elsewhere.example/files/public%2Fhello.txt",
        ])
    func url(_ source: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": source]).status == 200)
            #expect(try await s3.send(.get, "/files/copy").text == "0123456789")
            let host = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "https://files.s3.amazonaws.com/public/hello.txt"])
            #expect(host.status == 404)
            #expect(host.detail("BucketName") == "public")
        }
    }

    @Test("requires an existing source that the caller may read")
    func sources() async throws {
        try await S3Sandbox.run { s3 async throws in
            let key = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "files/none"])
            #expect(key.status == 404)
            #expect(key.code == "NoSuchKey")
            #expect(key.detail("Key") == "none")
            let bucket = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "nowhere/none"])
            #expect(bucket.status == 404)
            #expect(bucket.code == "NoSuchBucket")
            #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "files"]).code == "InvalidArgument")
            #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "foreign/key"]).status == 403)
            let writer = try await s3.send(.put, "/files/copy", Self.source, as: .reader)
            #expect(writer.status == 403)
            #expect(writer.detail("Message")?.contains("s3:PutObject") == true)
        }
    }
}
