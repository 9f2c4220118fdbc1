import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

/// S3 User Guide, "Categorizing your storage using tags"; S3 API Reference, PutObjectTagging, PutBucketTagging.
@Suite("Tags")
struct TaggingTests {
    static func document(_ tags: [(String, String)]) -> String {
        "<Tagging><TagSet>" + tags.map { "<Tag><Key>\($0.0)</Key><Value>\($0.1)</Value></Tag>" }.joined() + "</TagSet></Tagging>"
    }

    static func tags(_ answer: FaceAnswer) throws -> [String] {
        let set = try #require(try answer.xml.child("TagSet"))
        return set.children.map { "\($0.child("Key")?.text ?? "")=\($0.child("Value")?.text ?? "")" }
    }

    @Test("of objects are put, counted, replaced and deleted, and belong to their version")
    func objects() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            let first = try #require(try await s3.put("k", "one", ["x-amz-tagging": "b=2&a=1%201&c"])["x-amz-version-id"])
            #expect(try Self.tags(try await s3.send(.get, "/files/k?tagging")) == ["a=1 1", "b=2", "c="])
            #expect(try await s3.send(.head, "/files/k")["x-amz-tagging-count"] == "3")
            let second = try #require(try await s3.put("k", "two")["x-amz-version-id"])
            let put = try await s3.send(.put, "/files/k?tagging", document: Self.document([("x", "y")]))
            #expect(put.status == 200)
            #expect(put["x-amz-version-id"] == second)
            #expect(try Self.tags(try await s3.send(.get, "/files/k?tagging")) == ["x=y"])
            let deleted = try await s3.send(.delete, "/files/k?tagging&versionId=\(first)")
            #expect(deleted.status == 204)
            #expect(deleted["x-amz-version-id"] == first)
            #expect(try Self.tags(try await s3.send(.get, "/files/k?tagging&versionId=\(first)")).isEmpty)
            #expect(try await s3.send(.get, "/files/k?versionId=\(first)")["x-amz-tagging-count"] == nil)
            #expect(try Self.tags(try await s3.send(.get, "/files/k?tagging")) == ["x=y"])
        }
    }

    @Test("of buckets are put, replaced and deleted")
    func buckets() async throws {
        try await S3Sandbox.run { s3 async throws in
            let none = try await s3.send(.get, "/files?tagging")
            #expect(none.status == 404)
            #expect(none.code == "NoSuchTagSet")
            #expect(none.detail("BucketName") == "files")
            let many = (0..<50).map { ("key\($0)", "\($0)") }
            #expect(try await s3.send(.put, "/files?tagging", document: Self.document(many)).status == 204)
            #expect(try Self.tags(try await s3.send(.get, "/files?tagging")) == many.map { "\($0.0)=\($0.1)" })
            #expect(try await s3.send(.delete, "/files?tagging").status == 204)
            #expect(try await s3.send(.get, "/files?tagging").code == "NoSuchTagSet")
            #expect(try await s3.send(.put, "/files?tagging", document: Self.document([("a", "b")])).status == 204)
            #expect(try await s3.send(.put, "/files?tagging", document: Self.document([])).status == 204)
            #expect(try await s3.send(.get, "/files?tagging").code == "NoSuchTagSet")
            #expect(try await s3.send(.put, "/files?tagging", document: "<Tagging/>").status == 204)
            #expect(try await s3.send(.put, "/files/public/hello.txt?tagging", document: "<Tagging/>").status == 200)
        }
    }

    @Test(
        "are checked one by one before they are counted (scality/cloudserver#4451)",
        arguments: [("z", String(repeating: "v", count: 257), "InvalidTag"), ("k1", "v", "InvalidTag"), ("z", "v", "BadRequest")])
    func order(_ key: String, _ value: String, _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let document = Self.document((0..<59).map { ("k\($0)", "v") } + [(key, value)])
            #expect(try await s3.send(.put, "/files?tagging", document: document).code == code)
        }
    }

    @Test("that are invalid are refused with S3's errors")
    func refusals() async throws {
        try await S3Sandbox.run { s3 async throws in
            let long = String(repeating: "k", count: 129)
            let longValue = String(repeating: "v", count: 257)
            for (tags, object, bucket) in [
                ([("a", "1"), ("a", "2")], "Cannot provide multiple Tags with the same key", nil),
                ([("a,b", "1")], "The TagKey you have provided is invalid", nil),
                ([(long, "1")], "The TagKey you have provided is invalid", nil),
                ([("a", "1,2")], "The TagValue you have provided is invalid", nil),
                ([("a", longValue)], "The TagValue you have provided is invalid", nil),
                ([("aws:x", "1")], "Your TagKey cannot be prefixed with aws:", "System tags cannot be added/updated by requester"),
            ] as [([(String, String)], String, String?)] {
                let ofObject = try await s3.send(.put, "/files/public/hello.txt?tagging", document: Self.document(tags))
                #expect(ofObject.status == 400)
                #expect(ofObject.code == "InvalidTag")
                #expect(ofObject.detail("Message") == object)
                let ofBucket = try await s3.send(.put, "/files?tagging", document: Self.document(tags))
                #expect(ofBucket.code == "InvalidTag")
                #expect(ofBucket.detail("Message") == bucket ?? object)
            }
            let eleven = Self.document((0..<11).map { ("key\($0)", "") })
            #expect(try await s3.send(.put, "/files/public/hello.txt?tagging", document: eleven).status == 400)
            let fiftyOne = try await s3.send(.put, "/files?tagging", document: Self.document((0..<51).map { ("key\($0)", "") }))
            #expect(fiftyOne.code == "BadRequest")
            for document in ["<Tagging><Tag/></Tagging>", "<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>"] {
                #expect(try await s3.send(.put, "/files?tagging", document: document).code == "MalformedXML")
            }
        }
    }

    @Test("in a header are a query without repeated names", arguments: ["a=1&a=2", "a=1,b=2", "=1", "a=%zz"])
    func header(_ text: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.put("k", "one", ["x-amz-tagging": text])
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(answer.detail("ArgumentName") == "x-amz-tagging")
            #expect(answer.detail("ArgumentValue") == text)
        }
    }

    @Test("are copied unless the request has its own")
    func copies() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("k", "one", ["x-amz-tagging": "a=1"])
            let source = ["x-amz-copy-source": "/files/k", "x-amz-tagging": "b=2"]
            for (directive, expected) in [(nil, ["a=1"]), ("COPY", ["a=1"]), ("REPLACE", ["b=2"])] as [(String?, [String])] {
                var fields = source
                fields["x-amz-tagging-directive"] = directive
                #expect(try await s3.send(.put, "/files/copy", fields).status == 200)
                #expect(try Self.tags(try await s3.send(.get, "/files/copy?tagging")) == expected)
            }
            let odd = try await s3.send(.put, "/files/copy", source.merging(["x-amz-tagging-directive": "MERGE"]) { $1 })
            #expect(odd.code == "InvalidArgument")
            #expect(odd.detail("ArgumentName") == "x-amz-tagging-directive")
        }
    }

    @Test("are copied only with permission to read and write them", arguments: [Dialect.aws, .ceph])
    func copyPermissions(_ dialect: Dialect) async throws {
        try await S3Sandbox.run(dialect: dialect) { s3 async throws in
            try await s3.setVersioning("Enabled")
            let version = try #require(try await s3.put("public/tagged", "one", ["x-amz-tagging": "a=1"])["x-amz-version-id"])
            func copy(_ source: String, _ fields: [String: String] = [:], allowing actions: String...) async throws -> FaceAnswer {
                let names = (actions + ["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"]).map { "\"\($0)\"" }
                let policy = """
                    {"Statement":{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/reader"},\
                    "Action":[\(names.joined(separator: ","))],"Resource":"arn:aws:s3:::files/*"}}
                    """
                #expect(try await s3.send(.put, "/files?policy", document: policy).status == 204)
                return try await s3.send(
                    .put, "/files/copy", fields.merging(["x-amz-copy-source": "/files/public/\(source)"]) { $1 }, as: .reader)
            }
            let (read, readVersion, write) = ("s3:GetObjectTagging", "s3:GetObjectVersionTagging", "s3:PutObjectTagging")
            let ofVersion = "tagged?versionId=\(version)"
            let refusals: [(FaceAnswer, String)] = [
                (try await copy("tagged"), read), (try await copy("tagged", allowing: read), write),
                (try await copy("tagged", allowing: write, readVersion), read),
                (try await copy(ofVersion, allowing: write, read), readVersion),
            ]
            for (answer, action) in refusals {
                guard dialect == .aws else {
                    #expect(answer.status == 200)
                    continue
                }
                #expect(answer.status == 403, "\(answer.text)")
                #expect(answer.detail("Message")?.contains("perform: \(action) on") == true, "\(answer.text)")
            }
            #expect(try await copy("tagged", allowing: read, write).status == 200)
            #expect(try await copy(ofVersion, allowing: readVersion, write).status == 200)
            #expect(try Self.tags(try await s3.send(.get, "/files/copy?tagging")) == ["a=1"])
            #expect(try await copy("hello.txt").status == 200)
            let replace = ["x-amz-tagging-directive": "REPLACE"]
            #expect(try await copy("tagged", replace).status == 200)
            #expect(try Self.tags(try await s3.send(.get, "/files/copy?tagging")).isEmpty)
            let replacement = replace.merging(["x-amz-tagging": "b=2"]) { $1 }
            #expect(try await copy("tagged", replacement).status == 403)
            #expect(try await copy("tagged", replacement, allowing: write).status == 200)
        }
    }

    @Test("of a missing key have an error with the bucket's name before the key")
    func missing() async throws {
        try await S3Sandbox.run { s3 async throws in
            let get = try await s3.send(.get, "/files/none?tagging")
            #expect(get.status == 404)
            #expect(get.code == "NoSuchKey")
            #expect(get.detail("Key") == "files/none")
            #expect(try await s3.send(.delete, "/files/none?tagging").detail("Key") == "none")
        }
    }
}
