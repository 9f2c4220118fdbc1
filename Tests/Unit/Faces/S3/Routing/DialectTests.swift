import Cloud
import Cryptography
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import S3Face
import Testing
import WireFormats

@Suite("Differences between S3 and RADOS Gateway")
struct DialectTests {
    /// Runs a test in both dialects.
    private func inBoth(_ test: (S3Sandbox, Dialect) async throws -> Void) async throws {
        for dialect in Dialect.allCases {
            try await S3Sandbox.run(newBuckets: .legacy, dialect: dialect) { s3 async throws in try await test(s3, dialect) }
        }
    }

    @Test("a repeated tag key, and the value that policies read")
    func tagKeysTwice() async throws {
        let tags = TaggingTests.document([("team", "red"), ("team", "blue")])
        func policy(_ effect: String, _ key: String, _ value: String) -> String {
            """
            {"Version": "2012-10-17", "Statement": [{"Effect": "\(effect)", "Principal": {"AWS": "000000000000"},
              "Action": "s3:GetObject", "Resource": "arn:aws:s3:::files/*", "Condition": {"StringEquals": {"\(key)": "\(value)"}}}]}
            """
        }
        try await inBoth { s3, dialect async throws in
            let bucket = try await s3.send(.put, "/files?tagging", document: tags)
            let object = try await s3.put("k", "x", ["x-amz-tagging": "team=red&team=blue"])
            guard dialect == .ceph else {
                #expect(bucket.status == 400)
                #expect(bucket.code == "InvalidTag")
                #expect(object.status == 400)
                #expect(object.code == "InvalidArgument")
                return
            }
            #expect(bucket.status == 200)
            #expect(object.status == 200)
            let tagsOfBucket = try TaggingTests.tags(try await s3.send(.get, "/files?tagging"))
            #expect(tagsOfBucket == ["team=red", "team=blue"])
            let tagsOfObject = try TaggingTests.tags(try await s3.send(.get, "/files/k?tagging"))
            #expect(tagsOfObject.sorted() == ["team=blue", "team=red"])
            for key in ["s3:ExistingObjectTag/team", "s3:ResourceTag/team"] {
                for (value, status) in [("red", 403), ("blue", 403), ("green", 200)] {
                    #expect(try await s3.send(.put, "/files?policy", document: policy("Deny", key, value)).status == 204)
                    #expect(try await s3.send(.get, "/files/k").status == status)
                }
            }
        }
    }

    @Test("a condition on whether the credentials are temporary")
    func authentication() async throws {
        let policy = """
            {"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject",
              "Resource": "arn:aws:s3:::files/*", "Condition": {"Bool": {"sts:authentication": "false"}}}]}
            """
        try await inBoth { s3, dialect async throws in
            #expect(try await s3.send(.put, "/files?policy", document: policy).status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt").status == (dialect == .ceph ? 403 : 200))
        }
    }

    @Test("a bucket policy for principals without an account")
    func noAccount() async throws {
        func policy(_ principal: String) -> String {
            """
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "\(principal)"}, "Action": "s3:GetObject",
              "Resource": "arn:aws:s3:::files/*"}]}
            """
        }
        try await inBoth { s3, dialect async throws in
            for principal in ["arn:aws:iam:::assumed-role/r/s", "arn:aws:sts:::assumed-role/r/s", "arn:aws:iam:::root"] {
                let answer = try await s3.send(.put, "/files?policy", document: policy(principal))
                #expect(answer.status == (dialect == .ceph ? 204 : 400))
                if dialect == .aws { #expect(answer.code == "MalformedPolicy") }
            }
            // This principal does not exist in either dialect.
            #expect(try await s3.send(.put, "/files?policy", document: policy("arn:aws:iam:::user/x")).code == "MalformedPolicy")
        }
    }

    @Test("a missing part")
    func missingPart() async throws {
        try await inBoth { s3, dialect async throws in
            let answer = try await s3.send(.get, "/files/public/hello.txt?partNumber=2")
            #expect(answer.status == (dialect == .aws ? 416 : 400))
            #expect(answer.code == (dialect == .aws ? "InvalidPartNumber" : "InvalidPart"))
            #expect(answer.detail("Message") == "The requested partnumber is not satisfiable")
            #expect(try await s3.send(.head, "/files/public/hello.txt?partNumber=2").status == answer.status)
        }
    }

    @Test("a range beyond the source of a part")
    func copyRange() async throws {
        try await inBoth { s3, dialect async throws in
            let id = try #require(try await s3.send(.post, "/files/x?uploads").xml.child("UploadId")?.text)
            let answer = try await s3.send(
                .put, "/files/x?partNumber=1&uploadId=\(id)",
                ["x-amz-copy-source": "files/public/hello.txt", "x-amz-copy-source-range": "bytes=0-21"])
            #expect(answer.status == (dialect == .aws ? 400 : 416))
            #expect(answer.code == (dialect == .aws ? "InvalidArgument" : "InvalidRange"))
            #expect(answer.detail("Message") == "Range specified is not valid for source object of size: 10")
        }
    }

    @Test("another customer key, and a completion with the right one")
    func customerKey() async throws {
        func key(_ name: String) -> [String: String] {
            let prefix = "x-amz-server-side-encryption-customer-"
            let bytes = Array(String(repeating: name, count: 32).utf8)
            return ["\(prefix)algorithm": "AES256", "\(prefix)key": bytes.base64, "\(prefix)key-MD5": MD5.hash(bytes).base64]
        }
        try await inBoth { s3, dialect async throws in
            try await s3.put("x", "0123456789", key("k"))
            let other = try await s3.send(.get, "/files/x", key("o"))
            #expect(other.status == (dialect == .aws ? 403 : 400))
            #expect(other.code == (dialect == .aws ? "AccessDenied" : "InvalidRequest"))
            let id = try #require(try await s3.send(.post, "/files/y?uploads", key("k")).xml.child("UploadId")?.text)
            let part = try await s3.send(.put, "/files/y?partNumber=1&uploadId=\(id)", key("k"), body: [1])
            let tag = try #require(part["ETag"])
            let document =
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part></CompleteMultipartUpload>"
            let answer = try await s3.send(.post, "/files/y?uploadId=\(id)", key("k"), body: Array(document.utf8))
            #expect(answer.status == 200)
            #expect(answer["x-amz-server-side-encryption-customer-algorithm"] == (dialect == .aws ? nil : "AES256"))
        }
    }

    @Test("a checksum that is not base64")
    func checksum() async throws {
        try await inBoth { s3, dialect async throws in
            let answer = try await s3.put("x", "0", ["x-amz-checksum-crc32": "bad"])
            #expect(answer.status == 400)
            #expect(answer.code == (dialect == .aws ? "InvalidRequest" : "BadDigest"))
            if dialect == .aws { #expect(answer.detail("Message") == "Value for x-amz-checksum-crc32 header is invalid.") }
        }
    }

    @Test("eleven tags")
    func tags() async throws {
        let tags = (1...11).map { "<Tag><Key>\($0)</Key><Value/></Tag>" }.joined()
        try await inBoth { s3, dialect async throws in
            let answer = try await s3.send(
                .put, "/files/public/hello.txt?tagging", document: "<Tagging><TagSet>\(tags)</TagSet></Tagging>")
            #expect(answer.status == 400)
            #expect(answer.code == (dialect == .aws ? "BadRequest" : "InvalidTag"))
            #expect(answer.detail("Message") == "Object tags cannot be greater than 10")
        }
    }

    @Test("parts without their checksums, and parts in GetObjectAttributes")
    func composite() async throws {
        try await inBoth { s3, dialect async throws in
            let begun = try await s3.send(.post, "/files/x?uploads", ["x-amz-checksum-algorithm": "CRC32"])
            let id = try #require(try begun.xml.child("UploadId")?.text)
            let part = "/files/x?partNumber=1&uploadId=\(id)"
            #expect(try await s3.send(.put, part, body: [1]).status == (dialect == .aws ? 400 : 200))
            let tag = try #require(try await s3.send(.put, part, ["x-amz-checksum-crc32": "pQXfGw=="], body: [1])["ETag"])
            let document =
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part></CompleteMultipartUpload>"
            let answer = try await s3.send(.post, "/files/x?uploadId=\(id)", body: Array(document.utf8))
            #expect(answer.status == (dialect == .aws ? 400 : 200))
            #expect(answer.code == (dialect == .aws ? "InvalidRequest" : nil))

            let plain = try #require(try await s3.send(.post, "/files/y?uploads").xml.child("UploadId")?.text)
            _ = try await s3.send(.put, "/files/y?partNumber=1&uploadId=\(plain)", body: [1])
            #expect(try await s3.send(.post, "/files/y?uploadId=\(plain)", body: Array(document.utf8)).status == 200)
            let attributes = try await s3.send(.get, "/files/y?attributes", ["x-amz-object-attributes": "ObjectParts"])
            let parts = try #require(try attributes.xml.child("ObjectParts"))
            #expect(parts.child("PartsCount")?.text == "1")
            #expect((parts.child("Part") == nil) == (dialect == .aws))
        }
    }

    @Test("the order of grants, an empty token and a missing key")
    func smaller() async throws {
        try await inBoth { s3, dialect async throws in
            _ = try await s3.send(.put, "/files?acl", ["x-amz-acl": "public-read"])
            let grants = try #require(try await s3.send(.get, "/files?acl").xml.child("AccessControlList")?.children)
            #expect((grants.first?.child("Permission")?.text == "FULL_CONTROL") == (dialect == .aws))
            let listing = try await s3.send(.get, "/files?list-type=2&continuation-token=")
            #expect(listing.status == (dialect == .aws ? 400 : 200))
            if dialect == .aws { #expect(listing.detail("Message") == "The continuation token provided is incorrect") }
            #expect(try await s3.send(.head, "/files/nothing")["x-amz-delete-marker"] == (dialect == .aws ? nil : "false"))
            // A caller who may list a prefix gets a missing key below it.
            let missing = try await s3.send(.get, "/files/public/nothing", as: .lister)
            #expect(missing.status == (dialect == .aws ? 403 : 404))
        }
    }

    @Test("a bucket created with an ownership by a caller without that permission")
    func ownership() async throws {
        try await inBoth { s3, dialect async throws in
            let answer = try await s3.send(.put, "/listers", ["x-amz-object-ownership": "ObjectWriter"], as: .lister)
            #expect(answer.status == (dialect == .aws ? 403 : 200))
        }
    }

    @Test(
        "further status codes",
        arguments: [
            ("/files/public/hello.txt?torrent", [:], 405, 404),
            ("/files/public/hello.txt", ["x-amz-expected-bucket-owner": "000000000000foo"], 400, 403),
            (
                "/files/public/hello.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test/20261121/us-east-1/s3/aws4_request"
                    + "&X-Amz-Date=20261121T000000Z&X-Amz-Expires=604801&X-Amz-SignedHeaders=host&X-Amz-Signature=00", [:], 400, 403
            ),
        ] as [(String, [String: String], Int, Int)])
    func decides(_ target: String, _ fields: [String: String], _ aws: Int, _ ceph: Int) async throws {
        let signer = target.contains("X-Amz-Expires") ? S3Sandbox.Signer.nobody : .root
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, target, fields, as: signer).status == aws)
        }
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            #expect(try await s3.send(.get, target, fields, as: signer).status == ceph)
        }
    }
}
