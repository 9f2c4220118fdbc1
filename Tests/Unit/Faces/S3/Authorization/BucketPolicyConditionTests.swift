import Cloud
import Directory
import Fixtures
import HTTPTypes
import ObjectStore
import Policy
import Testing
import WireFormats

@testable import S3Face

@Suite("Condition keys of S3")
struct BucketPolicyConditionTests {
    /// Returns the status of another account's call under a policy with a condition.
    private func status(
        _ action: String, _ condition: String, _ method: HTTPRequest.Method, _ target: String, _ fields: [String: String] = [:],
        body: [UInt8]? = nil, prepare: (S3Sandbox) async throws -> Void = { _ in }
    ) async throws -> Int {
        var status = 0
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            try await prepare(s3)
            let policy = """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"111111111111"},"Action":"\(action)",\
                "Resource":["arn:aws:s3:::files","arn:aws:s3:::files/*"],"Condition":\(condition)}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            status = try await s3.send(method, target, fields, body: body, as: .other).status
        }
        return status
    }

    @Test(
        "of a write include its headers",
        arguments: [
            (#"{"StringEquals":{"s3:x-amz-storage-class":"GLACIER"}}"#, "x-amz-storage-class", "GLACIER"),
            (#"{"StringEquals":{"s3:x-amz-acl":"bucket-owner-full-control"}}"#, "x-amz-acl", "bucket-owner-full-control"),
            (#"{"StringEquals":{"s3:x-amz-server-side-encryption":"AES256"}}"#, "x-amz-server-side-encryption", "AES256"),
            (#"{"Null":{"s3:if-none-match":"false"}}"#, "If-None-Match", "*"),
            (#"{"StringLike":{"aws:Referer":"http://a/*"}}"#, "Referer", "http://a/b"),
        ])
    func headers(_ condition: String, _ name: String, _ value: String) async throws {
        #expect(try await status("s3:PutObject", condition, .put, "/files/x", [name: value], body: [1]) == 200)
        #expect(try await status("s3:PutObject", condition, .put, "/files/x", body: [1]) == 403)
    }

    @Test(
        "of a copy include the object that is copied, however the header names it",
        arguments: [
            "files/public/hello.txt", "/files/public/hello.txt", "files%2Fpublic%2Fhello.txt", "http://x/files/public/hello.txt",
            "HTTPS:///files/public/hello.txt", "/files/public/hello.txt?versionId=null",
        ])
    func copySource(source: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let headers = ["x-amz-copy-source": source]
            #expect(try await s3.send(.put, "/files/copy", headers).status == 200)
            let policy = """
                {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:PutObject",\
                "Resource":"arn:aws:s3:::files/*","Condition":{"StringEquals":{"s3:x-amz-copy-source":"files/public/hello.txt"}}}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            #expect(try await s3.send(.put, "/files/copy", headers).status == 403)
        }
    }

    @Test(
        "of a copy have the decoded key",
        arguments: [("files/a+b", "files/a b"), ("files/a%2Bb", "files/a+b"), ("%2", nil), ("x", nil)] as [(String, String?)])
    func decodedCopySource(source: String, expected: String?) {
        let keys = S3ConditionKeys(
            action: .putObject, method: .put, headers: [.copySource: source], query: [:], received: Timestamp(seconds: 0),
            isSecure: false, bucketOwner: "000000000000", tags: [], operation: [])
        #expect(keys.values(of: "s3:x-amz-copy-source")?.all.first == expected)
    }

    @Test("of a read include the object's tags")
    func existingTags() async throws {
        let condition = #"{"StringEquals":{"s3:ExistingObjectTag/Colour":"blue"}}"#
        for (colour, expected) in [("blue", 200), ("red", 403)] {
            let status = try await status("s3:GetObject", condition, .get, "/files/tagged") { s3 in
                _ = try await s3.put("tagged", "x", ["x-amz-tagging": "Colour=\(colour)"])
            }
            #expect(status == expected, "\(colour)")
        }
    }

    @Test("of a write include the new tags")
    func requestTags() async throws {
        let condition = #"{"ForAllValues:StringEquals":{"s3:RequestObjectTagKeys":["a","b"]},"StringEquals":{"s3:RequestObjectTag/a":"1"}}"#
        let actions = "s3:PutObject*"
        #expect(try await status(actions, condition, .put, "/files/x", ["x-amz-tagging": "a=1&b=2"], body: [1]) == 200)
        #expect(try await status(actions, condition, .put, "/files/x", ["x-amz-tagging": "a=1&c=2"], body: [1]) == 403)
        #expect(try await status(actions, condition, .put, "/files/x", ["x-amz-tagging": "a=2"], body: [1]) == 403)
    }

    @Test("of a listing include its parameters")
    func listing() async throws {
        let condition = #"{"StringEquals":{"s3:prefix":"public/","s3:delimiter":"/"},"NumericLessThanEquals":{"s3:max-keys":"10"}}"#
        #expect(try await status("s3:ListBucket", condition, .get, "/files?prefix=public/&delimiter=/&max-keys=10") == 200)
        #expect(try await status("s3:ListBucket", condition, .get, "/files?prefix=public/&delimiter=/&max-keys=11") == 403)
        #expect(try await status("s3:ListBucket", condition, .get, "/files?prefix=private/&delimiter=/&max-keys=10") == 403)
    }

    @Test("of a listing of uploads include its parameters")
    func listingOfUploads() async throws {
        let condition = #"{"StringEquals":{"s3:prefix":"public/"},"NumericLessThanEquals":{"s3:max-keys":"10"}}"#
        // S3 rejects these keys for the action alone.
        let action = "s3:ListBucket*"
        #expect(try await status(action, condition, .get, "/files?uploads&prefix=public/&max-uploads=10") == 200)
        #expect(try await status(action, condition, .get, "/files?uploads&prefix=public/&max-uploads=11&max-keys=1") == 403)
        #expect(try await status(action, condition, .get, "/files?uploads&prefix=private/&max-uploads=10") == 403)
    }

    @Test("include the type of signature and the bucket's account")
    func signature() async throws {
        for condition in [
            #"{"StringEquals":{"s3:authType":"REST-HEADER","s3:signatureversion":"AWS4-HMAC-SHA256"}}"#,
            #"{"StringEquals":{"s3:ResourceAccount":"000000000000"}}"#, #"{"NumericLessThan":{"s3:signatureAge":"900000"}}"#,
        ] {
            #expect(try await status("s3:GetObject", condition, .get, "/files/public/hello.txt") == 200, "\(condition)")
        }
        let query = #"{"StringEquals":{"s3:authType":"REST-QUERY-STRING"}}"#
        #expect(try await status("s3:GetObject", query, .get, "/files/public/hello.txt") == 403)
    }

    @Test("are combined with a canonical user as principal, who must exist")
    func canonicalUsers() async throws {
        try await S3Sandbox.run { s3 async throws in
            func policy(_ id: String) -> [UInt8] {
                Array(
                    """
                    {"Statement":[{"Effect":"Allow","Principal":{"CanonicalUser":"\(id)"},"Action":"s3:GetObject",\
                    "Resource":"arn:aws:s3:::files/*"}]}
                    """.utf8)
            }
            let other = Account.canonicalUserID(of: "111111111111")
            #expect(try await s3.send(.put, "/files?policy", body: policy(other)).status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .other).status == 200)
            let unknown = try await s3.send(.put, "/files?policy", body: policy("79a59d"))
            #expect(unknown.status == 400)
            #expect(unknown.detail("Message") == "Invalid principal in policy")
        }
    }
}
