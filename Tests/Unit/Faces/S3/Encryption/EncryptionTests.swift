import Cloud
import Fixtures
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Server-side encryption")
struct EncryptionTests {
    private static let header = "x-amz-server-side-encryption"
    /// MD5 of `0123456789`.
    private static let tag = "\"781e5e245d69b566979b86e28d23f2c7\""

    /// The headers of a key with 32 equal bytes.
    private static func key(_ name: String, copySource: Bool = false) -> [String: String] {
        let md5 = name == "k" ? "mT2HRsMGJ5IX5C+0rreZ8Q==" : "PU6HMsdu0iozac5HrrKJcg=="
        let prefix = copySource ? "x-amz-copy-source-server-side-encryption-customer-" : "\(header)-customer-"
        let key = String(repeating: name, count: 32)
        return ["\(prefix)algorithm": "AES256", "\(prefix)key": Array(key.utf8).base64, "\(prefix)key-MD5": md5]
    }

    private static func rule(_ content: String) -> [UInt8] {
        Array("<ServerSideEncryptionConfiguration><Rule>\(content)</Rule></ServerSideEncryptionConfiguration>".utf8)
    }

    private static func standard(_ content: String) -> String {
        "<ApplyServerSideEncryptionByDefault>\(content)</ApplyServerSideEncryptionByDefault>"
    }

    @Test(
        "limits the name of a KMS key to 2048 characters", arguments: [(2048, nil), (2049, "KMS.ValidationException")] as [(Int, String?)])
    func longKey(length: Int, code: String?) async throws {
        try await S3Sandbox.run { s3 async throws in
            let key = "alias/" + String(repeating: "k", count: length - 6)
            let fields = [Self.header: "aws:kms", "\(Self.header)-aws-kms-key-id": key]
            let put = try await s3.put("x", "0123456789", fields)
            #expect(put.status == (code == nil ? 200 : 400))
            #expect(put.code == code)
            #expect(try await s3.send(.post, "/files/x?uploads", fields).code == code)
            let rule = Self.rule(Self.standard("<SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>\(key)</KMSMasterKeyID>"))
            let configured = try await s3.send(.put, "/files?encryption", body: rule)
            #expect(configured.status == (code == nil ? 200 : 400))
            #expect(configured.code == (code == nil ? nil : "MalformedXML"))
        }
    }

    @Test("uses the store's keys by default")
    func store() async throws {
        try await S3Sandbox.run { s3 async throws in
            for fields in [[:], [Self.header: "AES256"]] {
                let put = try await s3.put("x", "0123456789", fields)
                #expect(put[Self.header] == "AES256")
                #expect(put["ETag"] == Self.tag)
                let get = try await s3.send(.get, "/files/x")
                #expect(get[Self.header] == "AES256")
                #expect(get["\(Self.header)-aws-kms-key-id"] == nil)
            }
        }
    }

    @Test("with a customer key requires that key again")
    func customerKey() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            let put = try await s3.put("x", "0123456789", Self.key("k"))
            #expect(put.status == 200)
            #expect(put[Self.header] == nil)
            #expect(put["\(Self.header)-customer-algorithm"] == "AES256")
            #expect(put["\(Self.header)-customer-key-MD5"] == "mT2HRsMGJ5IX5C+0rreZ8Q==")
            #expect(put["ETag"] != Self.tag)

            let get = try await s3.send(.get, "/files/x", Self.key("k"))
            #expect(get.text == "0123456789")
            #expect(get["\(Self.header)-customer-key-MD5"] == "mT2HRsMGJ5IX5C+0rreZ8Q==")
            #expect(get["ETag"] == put["ETag"])
            #expect(try await s3.send(.head, "/files/x", Self.key("k")).status == 200)

            // A key of another length is a wrong key for a read.
            let short = [
                "\(Self.header)-customer-algorithm": "AES256", "\(Self.header)-customer-key": "c2hvcnQ=",
                "\(Self.header)-customer-key-MD5": "TwnaqdlbyxZqMCQHoOC6vg==",
            ]
            let shorter = try await s3.send(.get, "/files/x", short)
            #expect(shorter.status == 403)
            #expect(shorter.code == "AccessDenied")
            #expect(
                shorter.detail("Message")
                    == "Requests specifying Server Side Encryption with Customer provided keys must provide the correct secret key.")

            let bare = try await s3.send(.get, "/files/x")
            #expect(bare.status == 400)
            #expect(bare.code == "InvalidRequest")
            #expect(
                bare.detail("Message")
                    == "The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object."
            )
            #expect(try await s3.send(.head, "/files/x").status == 400)
            let other = try await s3.send(.get, "/files/x", Self.key("o"))
            #expect(other.status == 403)
            #expect(other.code == "AccessDenied")

            let needless = try await s3.send(.get, "/files/public/hello.txt", Self.key("k"))
            #expect(needless.status == 400)
            #expect(needless.code == "InvalidRequest")
            #expect(needless.detail("Message") == "The encryption parameters are not applicable to this object.")
            #expect(try await s3.send(.delete, "/files/x").status == 204)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var fields: [String: String]
        var code: String
        var message: String

        var testDescription: String { message }

        static let all: [Refusal] = [
            Refusal(
                fields: key("k").filter { !$0.key.hasSuffix("algorithm") }, code: "InvalidArgument",
                message:
                    "Requests specifying Server Side Encryption with Customer provided keys must provide a valid encryption algorithm."
            ),
            Refusal(
                fields: key("k").filter { !$0.key.hasSuffix("key") }, code: "InvalidArgument",
                message:
                    "Requests specifying Server Side Encryption with Customer provided keys must provide an appropriate secret key."
            ),
            Refusal(
                fields: key("k").filter { !$0.key.hasSuffix("MD5") }, code: "InvalidArgument",
                message:
                    "Requests specifying Server Side Encryption with Customer provided keys must provide the client calculated MD5 of the secret key."
            ),
            Refusal(
                fields: key("k").merging(["\(header)-customer-algorithm": "AES192"]) { $1 },
                code: "InvalidEncryptionAlgorithmError",
                message: "The Encryption request you specified is not valid. Supported value: AES256."),
            Refusal(
                fields: key("k").merging(["\(header)-customer-key-MD5": "AAAAAAAAAAAAAAAAAAAAAA=="]) { $1 },
                code: "InvalidArgument",
                message: "The calculated MD5 hash of the key did not match the hash that was provided."),
            Refusal(
                fields: [
                    "\(header)-customer-algorithm": "AES256", "\(header)-customer-key": "c2hvcnQ=",
                    "\(header)-customer-key-MD5": "TwnaqdlbyxZqMCQHoOC6vg==",
                ], code: "InvalidArgument", message: "The secret key was invalid for the specified algorithm."),
            Refusal(
                fields: key("k").merging([header: "AES256"]) { $1 }, code: "InvalidArgument",
                message:
                    "Server Side Encryption with Customer provided key is incompatible with the encryption method specified"),
            Refusal(
                fields: [header: "aes:kms"], code: "InvalidArgument",
                message: "The encryption method specified is not supported"),
            Refusal(
                fields: [header: "AES256", "\(header)-aws-kms-key-id": "testkey"], code: "InvalidArgument",
                message:
                    "Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms"
            ),
            Refusal(
                fields: ["\(header)-aws-kms-key-id": "testkey"], code: "InvalidArgument",
                message:
                    "Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms"
            ),
            Refusal(
                fields: [header: "aws:kms", "\(header)-context": Array("{\"a\":1}".utf8).base64], code: "InvalidArgument",
                message:
                    "The header 'x-amz-server-side-encryption-context' shall be Base64-encoded UTF-8 string holding JSON which represents a string-string map"
            ),
        ]
    }

    @Test("in an invalid request is refused with S3's errors", arguments: Refusal.all)
    func refuses(_ refusal: Refusal) async throws {
        try await S3Sandbox.run { s3 async throws in
            for (method, target) in [("PUT", "/files/x"), ("POST", "/files/x?uploads")] {
                let answer = try await s3.send(method == "PUT" ? .put : .post, target, refusal.fields, body: [])
                #expect(answer.status == 400)
                #expect(answer.code == refusal.code)
                #expect(answer.detail("Message") == refusal.message)
            }
            #expect(try await s3.send(.get, "/files/x").status == 404)
        }
    }

    /// catchpoint/WebPageTest#1270.
    @Test("by the key management service needs Signature Version 4", arguments: ["aws:kms", "aws:kms:dsse"])
    func keyServiceSignature(_ scheme: String) async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            #expect(try await s3.send(.put, "/files?acl", ["x-amz-acl": "public-read-write"]).status == 200)
            #expect(try await s3.send(.put, "/files/x", body: [1], as: .nobody).status == 200)
            let answer = try await s3.send(.put, "/files/y", [Self.header: scheme], body: [1], as: .nobody)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(
                answer.detail("Message")
                    == "Requests specifying Server Side Encryption with AWS KMS managed keys require AWS Signature Version 4.")
        }
    }

    @Test("by the key management service returns its key")
    func keyService() async throws {
        try await S3Sandbox.run { s3 async throws in
            let context = Array("{\"team\":\"blue\"}".utf8).base64
            let fields = [
                Self.header: "aws:kms", "\(Self.header)-aws-kms-key-id": "testkey", "\(Self.header)-context": context,
                "\(Self.header)-bucket-key-enabled": "true",
            ]
            let put = try await s3.put("x", "0123456789", fields)
            #expect(put[Self.header] == "aws:kms")
            #expect(put["\(Self.header)-aws-kms-key-id"] == "testkey")
            #expect(put["\(Self.header)-context"] == context)
            #expect(put["\(Self.header)-bucket-key-enabled"] == "true")
            #expect(put["ETag"] != Self.tag)
            let get = try await s3.send(.get, "/files/x")
            #expect(get.text == "0123456789")
            #expect(get["\(Self.header)-aws-kms-key-id"] == "testkey")
            #expect(get["\(Self.header)-context"] == nil)
            #expect(get["\(Self.header)-bucket-key-enabled"] == "true")
            let asked = try await s3.send(.get, "/files/x", [Self.header: "aws:kms"])
            #expect(asked.status == 400)
            #expect(asked.code == "InvalidArgument")
            #expect(asked.detail("Message") == "x-amz-server-side-encryption header is not supported for this operation.")

            let named = "1234abcd-12ab-34cd-56ef-1234567890ab"
            let key = try await s3.put("y", "", [Self.header: "aws:kms:dsse", "\(Self.header)-aws-kms-key-id": named])
            #expect(key[Self.header] == "aws:kms:dsse")
            #expect(key["\(Self.header)-aws-kms-key-id"] == "arn:aws:kms:us-east-1:000000000000:key/\(named)")
            let first = try await s3.put("z", "", [Self.header: "aws:kms"])["\(Self.header)-aws-kms-key-id"]
            #expect(first?.hasPrefix("arn:aws:kms:us-east-1:000000000000:key/") == true)
            #expect(try await s3.put("z", "", [Self.header: "aws:kms"])["\(Self.header)-aws-kms-key-id"] == first)
        }
    }

    @Test("of a copy is independent, and requires the source's key")
    func copies() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            try await s3.put("x", "0123456789", Self.key("k"))
            let source = ["x-amz-copy-source": "/files/x"]
            let bare = try await s3.send(.put, "/files/y", source)
            #expect(bare.status == 400)
            #expect(bare.code == "InvalidRequest")
            let wrong = source.merging(Self.key("o", copySource: true)) { $1 }
            #expect(try await s3.send(.put, "/files/y", wrong).code == "AccessDenied")

            let right = source.merging(Self.key("k", copySource: true)) { $1 }
            let plain = try await s3.send(.put, "/files/y", right)
            #expect(plain[Self.header] == "AES256")
            #expect(try plain.xml.child("ETag")?.text == Self.tag)
            #expect(try await s3.send(.get, "/files/y").text == "0123456789")

            let again = try await s3.send(.put, "/files/z", right.merging(Self.key("o")) { $1 })
            #expect(again["\(Self.header)-customer-algorithm"] == "AES256")
            #expect(try await s3.send(.get, "/files/z", Self.key("o")).text == "0123456789")
            #expect(try await s3.send(.get, "/files/z", Self.key("k")).status == 403)
        }
    }

    @Test("of a multipart upload applies to every part")
    func parts() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            let begun = try await s3.send(
                .post, "/files/x?uploads", Self.key("k").merging(["x-amz-checksum-algorithm": "CRC32"]) { $1 })
            #expect(begun["\(Self.header)-customer-algorithm"] == "AES256")
            let id = try #require(try begun.xml.child("UploadId")?.text)
            let target = "/files/x?partNumber=1&uploadId=\(id)"
            let bare = try await s3.send(.put, target, body: Array("0123456789".utf8))
            #expect(bare.status == 400)
            #expect(bare.code == "InvalidRequest")
            #expect(
                bare.detail("Message")
                    == "The multipart upload initiate requested encryption. Subsequent part requests must include the appropriate encryption parameters."
            )
            #expect(try await s3.send(.put, target, Self.key("o"), body: Array("0123456789".utf8)).status == 400)
            let fields = Self.key("k").merging(["x-amz-checksum-crc32": "poTHxg=="]) { $1 }
            let part = try await s3.send(.put, target, fields, body: Array("0123456789".utf8))
            #expect(part.status == 200)
            #expect(part["\(Self.header)-customer-algorithm"] == "AES256")
            let document = """
                <CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(try #require(part["ETag"]))</ETag><ChecksumCRC32>\(try #require(part["x-amz-checksum-crc32"]))</ChecksumCRC32></Part></CompleteMultipartUpload>
                """
            let complete = "/files/x?uploadId=\(id)"
            // The upload has a checksum, and cannot be completed without the key.
            #expect(try await s3.send(.post, complete, body: Array(document.utf8)).status == 400)
            #expect(try await s3.send(.post, complete, Self.key("o"), body: Array(document.utf8)).status == 400)
            let completed = try await s3.send(.post, complete, Self.key("k"), body: Array(document.utf8))
            #expect(completed.status == 200)
            #expect(completed["\(Self.header)-customer-algorithm"] == nil)
            #expect(try await s3.send(.get, "/files/x", Self.key("k")).text == "0123456789")
            #expect(try await s3.send(.get, "/files/x").status == 400)
        }
    }

    @Test("can be a default of the bucket")
    func bucketDefault() async throws {
        try await S3Sandbox.run { s3 async throws in
            let fresh = try await s3.send(.get, "/files?encryption").xml.child("Rule")
            #expect(fresh?.child("ApplyServerSideEncryptionByDefault")?.child("SSEAlgorithm")?.text == "AES256")
            #expect(fresh?.child("BucketKeyEnabled")?.text == "false")

            let rule = Self.standard("<SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>testkey</KMSMasterKeyID>")
            let body = Self.rule(rule + "<BucketKeyEnabled>true</BucketKeyEnabled>")
            #expect(try await s3.send(.put, "/files?encryption", body: body).status == 200)
            let kept = try await s3.send(.get, "/files?encryption").xml.child("Rule")
            #expect(kept?.child("ApplyServerSideEncryptionByDefault")?.child("KMSMasterKeyID")?.text == "testkey")
            #expect(kept?.child("BucketKeyEnabled")?.text == "true")

            let put = try await s3.put("x", "0123456789")
            #expect(put[Self.header] == "aws:kms")
            #expect(put["\(Self.header)-aws-kms-key-id"] == "testkey")
            #expect(put["\(Self.header)-bucket-key-enabled"] == "true")
            #expect(try await s3.put("y", "0123456789", [Self.header: "AES256"])[Self.header] == "AES256")
            let copy = try await s3.send(.put, "/files/z", ["x-amz-copy-source": "/files/y"])
            #expect(copy[Self.header] == "aws:kms")

            #expect(try await s3.send(.delete, "/files?encryption").status == 204)
            #expect(try await s3.send(.delete, "/files?encryption").status == 204)
            #expect(try await s3.put("x", "0123456789")[Self.header] == "AES256")
            #expect(try await s3.send(.get, "/files/z")[Self.header] == "aws:kms")
        }
    }

    @Test("with customer keys is blocked in new buckets until their owner allows it")
    func blockedByDefault() async throws {
        try await S3Sandbox.run { s3 async throws in
            let fresh = try await s3.send(.get, "/files?encryption").xml.child("Rule")
            #expect(fresh?.child("BlockedEncryptionTypes")?.child("EncryptionType")?.text == "SSE-C")
            let refused = try await s3.put("x", "", Self.key("k"))
            #expect(refused.status == 403)
            #expect(refused.code == "AccessDenied")
            #expect(try await s3.send(.post, "/files/x?uploads", Self.key("k")).status == 403)
            let copy = ["x-amz-copy-source": "/files/public/hello.txt"].merging(Self.key("k")) { $1 }
            #expect(try await s3.send(.put, "/files/x", copy).status == 403)
            let silent = Self.rule(Self.standard("<SSEAlgorithm>AES256</SSEAlgorithm>"))
            #expect(try await s3.send(.put, "/files?encryption", body: silent).status == 200)
            #expect(try await s3.put("x", "", Self.key("k")).status == 403)
            let open = Self.rule("<BlockedEncryptionTypes><EncryptionType>NONE</EncryptionType></BlockedEncryptionTypes>")
            #expect(try await s3.send(.put, "/files?encryption", body: open).status == 200)
            #expect(try await s3.put("x", "", Self.key("k")).status == 200)
        }
    }

    @Test("with customer keys can be blocked for a bucket, whose objects can still be read")
    func blocked() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            try await s3.put("x", "0123456789", Self.key("k"))
            let block = Self.rule("<BlockedEncryptionTypes><EncryptionType>SSE-C</EncryptionType></BlockedEncryptionTypes>")
            #expect(try await s3.send(.put, "/files?encryption", body: block).status == 200)
            let refused = try await s3.put("y", "", Self.key("k"))
            #expect(refused.status == 403)
            #expect(refused.code == "AccessDenied")
            #expect(refused.detail("Message")?.contains("has blocked upload requests") == true)
            #expect(try await s3.send(.get, "/files/x", Self.key("k")).text == "0123456789")

            // A document without this setting does not change it.
            let standard = Self.rule(Self.standard("<SSEAlgorithm>AES256</SSEAlgorithm>"))
            #expect(try await s3.send(.put, "/files?encryption", body: standard).status == 200)
            #expect(try await s3.put("y", "", Self.key("k")).status == 403)
            let open = Self.rule("<BlockedEncryptionTypes><EncryptionType>NONE</EncryptionType></BlockedEncryptionTypes>")
            #expect(try await s3.send(.put, "/files?encryption", body: open).status == 200)
            #expect(try await s3.put("y", "", Self.key("k")).status == 200)
        }
    }

    @Test(
        "settings that are invalid are refused",
        arguments: [
            ("<ServerSideEncryptionConfiguration/>", "MalformedXML"),
            ("<ServerSideEncryptionConfiguration><Rule/><Rule/></ServerSideEncryptionConfiguration>", "MalformedXML"),
            (String(decoding: rule(standard("<SSEAlgorithm>AES512</SSEAlgorithm>")), as: UTF8.self), "MalformedXML"),
            (String(decoding: rule(standard("")), as: UTF8.self), "MalformedXML"),
            (String(decoding: rule("<BucketKeyEnabled>perhaps</BucketKeyEnabled>"), as: UTF8.self), "MalformedXML"),
            (
                String(
                    decoding: rule(standard("<SSEAlgorithm>AES256</SSEAlgorithm><KMSMasterKeyID>k</KMSMasterKeyID>")),
                    as: UTF8.self), "InvalidArgument"
            ),
        ])
    func malformed(_ document: String, _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files?encryption", body: Array(document.utf8))
            #expect(answer.status == 400)
            #expect(answer.code == code)
            #expect(try await s3.send(.put, "/files?encryption", body: Array(document.utf8), as: .reader).status == 403)
        }
    }
}
