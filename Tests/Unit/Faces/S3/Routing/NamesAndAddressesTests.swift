import Calls
import Cloud
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Bucket names")
struct BucketNameTests {
    @Test(
        "by today's rules are accepted",
        arguments: ["abc", "a-b", "a.b", "1bucket", "bucket1", String(repeating: "a", count: 63), "192.168.5", "my.bucket-2.x"])
    func accepts(_ name: String) { #expect(isValidBucketName(name)) }

    @Test(
        "in any other form are refused",
        arguments: [
            "ab", String(repeating: "a", count: 64), "Bucket", "my_bucket", "-abc", "abc-", ".abc", "abc.", "a..b", "a.-b",
            "a-.b", "192.168.5.4", "xn--abc", "sthree-abc", "abc-s3alias", "abc--ol-s3", "a b", "ä-b",
        ])
    func refuses(_ name: String) { #expect(!isValidBucketName(name)) }
}

@Suite("Location constraints")
struct LocationConstraintTests {
    @Test(
        "match the region of the endpoint",
        arguments: [
            (nil, "us-east-1"), ("EU", "us-east-1"), ("eu-central-1", "us-east-1"), ("us-west-2", "us-west-2"), ("EU", "eu-west-1"),
        ] as [(String?, String)])
    func accepts(_ constraint: String?, _ region: String) throws {
        try LocationConstraint.check(constraint, at: region)
    }

    @Test(
        "for another region are refused",
        arguments: [
            ("us-east-1", "us-east-1", S3Error.Code.invalidLocationConstraint), ("foo", "us-east-1", .invalidLocationConstraint),
            ("", "us-east-1", .invalidLocationConstraint), (nil, "us-west-2", .illegalLocationConstraint),
            ("", "us-west-2", .illegalLocationConstraint), ("eu-west-1", "us-west-2", .illegalLocationConstraint),
            ("bar", "eu-west-1", .illegalLocationConstraint), ("EU", "us-west-1", .illegalLocationConstraint),
        ] as [(String?, String, S3Error.Code)])
    func refuses(_ constraint: String?, _ region: String, _ code: S3Error.Code) {
        let error = #expect(throws: S3Error.self) { try LocationConstraint.check(constraint, at: region) }
        #expect(error?.code == code)
    }
}

@Suite("Copy sources")
struct CopySourceAddressTests {
    @Test(
        "contain bucket, key and version",
        arguments: [
            ("bucket/key", "bucket", "key", nil), ("/bucket/key", "bucket", "key", nil),
            ("bucket/a%20b/c%2Fd", "bucket", "a b/c/d", nil), ("bucket%2Fkey", "bucket", "key", nil),
            ("bucket/key?versionId=v1", "bucket", "key", "v1"), ("bucket/a%3Fb", "bucket", "a?b", nil),
            ("bucket//key", "bucket", "/key", nil),
        ] as [(String, String, String, String?)])
    func reads(_ header: String, _ bucket: String, _ key: String, _ version: String?) throws {
        let source = try CopySourceAddress(header: header)
        #expect(source.bucket == bucket)
        #expect(source.key == key)
        #expect(source.version == version)
    }

    @Test(
        "without a bucket, without a key or with a broken escape are refused",
        arguments: [
            ("bucket", "object key"), ("bucket/", "object key"), ("/bucket", "object key"), ("/", "bucket name"), ("", "bucket name"),
            ("//key", "bucket name"), ("a/key", "bucket name"), ("a b/key", "bucket name"), ("bucket/%zz", "encoding"),
        ])
    func refuses(_ header: String, _ part: String) {
        let error = #expect(throws: S3Error.self) { try CopySourceAddress(header: header) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message == "Invalid copy source \(part)")
    }
}

@Suite("Entity tags")
struct EntityTagTests {
    @Test("are parsed as they are written", arguments: [nil, 1, 10_000])
    func roundTrip(_ partCount: Int?) {
        let tag = EntityTag(md5: [UInt8](0..<16), partCount: partCount)
        #expect(EntityTag(tag.quoted) == tag)
        #expect(EntityTag(tag.text) == tag)
    }

    @Test(
        "in another form are refused",
        arguments: ["", "\"\"", "abc", "000102030405060708090a0b0c0d0e0f-", "000102030405060708090a0b0c0d0e0f-0"])
    func refuses(_ text: String) { #expect(EntityTag(text) == nil) }
}

@Suite("Continuation tokens")
struct ContinuationTokenTests {
    @Test("can contain any key", arguments: ["a", "a/b c", "€", String(repeating: "k", count: 1024)])
    func roundTrip(_ key: String) throws {
        #expect(try ContinuationToken.key(checking: ContinuationToken.token(after: key)) == key)
    }

    @Test("of another origin are refused", arguments: ["", "a", "foo", "AAAAAAAAAAAA", "////"])
    func refuses(_ token: String) {
        let error = #expect(throws: S3Error.self) { try ContinuationToken.key(checking: token) }
        #expect(error?.message == "The continuation token provided is incorrect")
    }
}
