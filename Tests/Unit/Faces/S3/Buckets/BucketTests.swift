import Directory
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import S3Face

@Suite("Buckets")
struct BucketTests {
    @Test("are created, found, listed and deleted")
    func lifecycle() async throws {
        try await S3Sandbox.run { s3 async throws in
            let created = try await s3.send(.put, "/new-bucket")
            #expect(created.status == 200)
            #expect(created["Location"] == "/new-bucket")
            #expect(created["x-amz-request-id"]?.count == 16)
            #expect(created["x-amz-id-2"] != nil)
            #expect(created["Server"] == "AmazonS3")
            let head = try await s3.send(.head, "/new-bucket")
            #expect(head.status == 200)
            #expect(head["x-amz-bucket-region"] == "us-east-1")
            #expect(head.body.isEmpty)
            let list = try await s3.send(.get, "/")
            let names = try list.xml.child("Buckets")?.children(named: "Bucket").compactMap { $0.child("Name")?.text }
            #expect(names == ["files", "new-bucket"])
            #expect(try list.xml.name == "ListAllMyBucketsResult")
            #expect(try list.xml.namespace == S3Face.namespace)
            #expect(try list.xml.child("Owner")?.child("ID")?.text.count == 64)
            #expect(try await s3.send(.delete, "/new-bucket").status == 204)
            #expect(try await s3.send(.head, "/new-bucket").status == 404)
        }
    }

    @Test("are in the region of their location constraint")
    func location() async throws {
        try await S3Sandbox.run { s3 async throws in
            let document = """
                <CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
                <LocationConstraint>eu-central-1</LocationConstraint></CreateBucketConfiguration>
                """
            let created = try await s3.send(.put, "/in-europe", body: Array(document.utf8), region: "eu-central-1")
            #expect(created.status == 200)
            let location = try await s3.send(.get, "/in-europe?location")
            #expect(try location.xml.text == "eu-central-1")
            #expect(try await s3.send(.get, "/files?location").xml.text.isEmpty)
            #expect(try await s3.send(.head, "/in-europe")["x-amz-bucket-region"] == "eu-central-1")
            let unspecified = try await s3.send(.put, "/elsewhere", region: "eu-central-1")
            #expect(unspecified.status == 400)
            #expect(unspecified.code == "IllegalLocationConstraintException")
            let oldName = try await s3.send(.put, "/elsewhere", region: "US")
            #expect(oldName.status == 400)
            #expect(oldName.code == "AuthorizationHeaderMalformed")
            #expect(oldName.detail("Region") == "us-east-1")
            let malformed = try await s3.send(.put, "/elsewhere", body: Array("<Foo/>".utf8))
            #expect(malformed.code == "MalformedXML")
        }
    }

    @Test("that exist already have an error that depends on owner and region")
    func existing() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.put, "/files").status == 200)
            let foreign = try await s3.send(.put, "/files", as: .other)
            #expect(foreign.status == 409)
            #expect(foreign.code == "BucketAlreadyExists")
            #expect(foreign.detail("BucketName") == "files")
            let document = """
                <CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint></CreateBucketConfiguration>
                """
            let again = try await s3.send(.put, "/files", body: Array(document.utf8), region: "us-west-2")
            #expect(again.status == 409)
            #expect(again.code == "BucketAlreadyOwnedByYou")
            #expect(try await s3.send(.put, "/western", body: Array(document.utf8)).status == 200)
            #expect(try await s3.send(.put, "/western", body: Array(document.utf8)).code == "BucketAlreadyOwnedByYou")
        }
    }

    @Test("that are created again do not get new tags")
    func tagsAgain() async throws {
        try await S3Sandbox.run { s3 async throws in
            func document(_ key: String) -> [UInt8] {
                let tag = "<Tag><Key>\(key)</Key><Value>x</Value></Tag>"
                return Array("<CreateBucketConfiguration><Tags>\(tag)</Tags></CreateBucketConfiguration>".utf8)
            }
            #expect(try await s3.send(.put, "/tagged", body: document("a")).status == 200)
            #expect(try await s3.send(.put, "/tagged", body: document("a")).code == "BucketAlreadyOwnedByYou")
            #expect(try await s3.send(.put, "/tagged").status == 200)
            let reserved = try await s3.send(.put, "/reserved", body: document("aws:a"))
            #expect(reserved.code == "InvalidTag")
            #expect(reserved.detail("Message")?.hasPrefix("User-defined tag keys can't start") == true)
        }
    }

    @Test("are refused under invalid names")
    func names() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/Upper_case")
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidBucketName")
            #expect(answer.detail("Message") == "The specified bucket is not valid.")
        }
    }

    @Test("that hold an object are not deleted")
    func notEmpty() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.delete, "/files")
            #expect(answer.status == 409)
            #expect(answer.code == "BucketNotEmpty")
            #expect(answer.detail("BucketName") == "files")
            #expect(answer.detail("Message") == "The bucket you tried to delete is not empty")
            let versions = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            #expect(try await s3.send(.put, "/files?versioning", body: Array(versions.utf8)).status == 200)
            let versioned = try await s3.send(.delete, "/files")
            #expect(versioned.detail("Message")?.hasSuffix(" is not empty. You must delete all versions in the bucket.") == true)
        }
    }

    @Test("that do not exist are reported before permissions are checked")
    func missing() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.get, "/nowhere?list-type=2", as: .reader)
            #expect(answer.status == 404)
            #expect(answer.code == "NoSuchBucket")
            #expect(answer.detail("BucketName") == "nowhere")
            #expect(answer.detail("RequestId") == answer["x-amz-request-id"])
            #expect(answer["Content-Type"] == "application/xml")
        }
    }

    @Test("must belong to the expected bucket owner")
    func expectedOwner() async throws {
        try await S3Sandbox.run { s3 async throws in
            let header = "x-amz-expected-bucket-owner"
            #expect(try await s3.send(.get, "/files?location", [header: "000000000000"]).status == 200)
            #expect(try await s3.send(.get, "/files?location", [header: "111111111111"]).code == "AccessDenied")
            #expect(try await s3.send(.get, "/files?location", [header: "abcd"]).code == "InvalidBucketOwnerAWSAccountID")
        }
    }

    @Test("are listed in pages and by prefix")
    func pages() async throws {
        try await S3Sandbox.run { s3 async throws in
            for name in ["aaa", "aab", "bbb"] { _ = try await s3.send(.put, "/\(name)") }
            let first = try await s3.send(.get, "/?max-buckets=2&prefix=aa")
            #expect(first.bucketNames == ["aaa", "aab"])
            #expect(first.detail("ContinuationToken") == nil)
            let page = try await s3.send(.get, "/?max-buckets=2")
            #expect(page.bucketNames == ["aaa", "aab"])
            let token = try #require(page.detail("ContinuationToken"))
            #expect(try await s3.send(.get, "/?continuation-token=\(token)").bucketNames == ["bbb", "files"])
            #expect(try await s3.send(.get, "/?max-buckets=0").code == "InvalidArgument")
            #expect(try await s3.send(.get, "/?continuation-token=nonsense").code == "InvalidArgument")
        }
    }

    @Test("store a policy")
    func policy() async throws {
        try await S3Sandbox.run { s3 async throws in
            let missing = try await s3.send(.get, "/files?policy")
            #expect(missing.status == 404)
            #expect(missing.code == "NoSuchBucketPolicy")
            let text = """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject",\
                "Resource":"arn:aws:s3:::files/public/*"}]}
                """
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
            #expect(try await s3.send(.delete, "/files?publicAccessBlock").status == 204)
            #expect(try await s3.send(.put, "/files?policy", body: Array(text.utf8)).status == 204)
            let stored = try await s3.send(.get, "/files?policy")
            #expect(stored.text == text)
            #expect(stored["Content-Type"] == "application/json")
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).text == "0123456789")
            #expect(try await s3.send(.delete, "/files?policy").status == 204)
            #expect(try await s3.send(.delete, "/files?policy").status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
        }
    }

    @Test(
        "refuse a policy that is invalid or for another bucket",
        arguments: [
            ("", "Policies must be valid JSON and the first byte must be '{'"),
            ("text", "Policies must be valid JSON and the first byte must be '{'"),
            ("{}", "Missing required field Statement"),
            (
                #"{"Statement":[{"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":"s3:ListBucket","Resource":"arn:aws:s3:::files/*"}]}"#,
                "Action does not apply to any resource(s) in statement"
            ),
            (
                #"{"Statement":[{"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":["s3:ListBucket","s3:GetObject"],"Resource":"arn:aws:s3:::files"}]}"#,
                "Action does not apply to any resource(s) in statement"
            ),
            (
                #"{"Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::files/*","Condition":{"Bool":{"s3:SecureTransport":"false"}}}]}"#,
                "Policy has an invalid condition key"
            ),
            (
                #"{"Statement":[{"Effect":"Deny","Principal":{"AWS":"arn:aws:iam::000000000000:user/none"},"Action":"s3:*","Resource":"arn:aws:s3:::files/*"}]}"#,
                "Invalid principal in policy"
            ),
            (
                #"{"Statement":[{"Effect":"Allow","Principal":{"AWS":"user"},"Action":"s3:*","Resource":"arn:aws:s3:::files/*"}]}"#,
                "Invalid principal in policy"
            ),
            (
                #"{"Statement":[{"Effect":"Allow","Principal":"*","Action":"invalid_action","Resource":"arn:aws:s3:::files/*"}]}"#,
                "Policy has invalid action"
            ),
            (
                #"{"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::other/*"}]}"#,
                "Policy has invalid resource"
            ),
            (
                #"{"Statement":[{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole","Resource":"arn:aws:s3:::files"}]}"#,
                "Policy has invalid action"
            ),
            (
                #"{"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObjectt","Resource":"arn:aws:s3:::files"}]}"#,
                "Policy has invalid action"
            ),
            (
                #"{"Statement":[{"Effect":"Allow","NotPrincipal":{"AWS":"111111111111"},"Action":"s3:*","Resource":"arn:aws:s3:::files"}]}"#,
                "Allow with NotPrincipal is not allowed."
            ),
        ])
    func malformedPolicy(_ text: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files?policy", body: Array(text.utf8))
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedPolicy")
            #expect(answer.detail("Message") == message)
        }
    }

    @Test(
        "accept a policy whose actions match its resources",
        arguments: [
            (#""s3:*""#, #""arn:aws:s3:::files/*""#), (#""*""#, #""arn:aws:s3:::files""#), (#""s3:Get*""#, #""arn:aws:s3:::files/*""#),
            (#"["s3:ListBucket","s3:GetObject"]"#, #""arn:aws:s3:::files*""#),
            (#"["s3:ListBucket","s3:PutObject"]"#, #"["arn:aws:s3:::files","arn:aws:s3:::files/a/*"]"#),
            (#"["s3:AbortMultipartUpload","s3:ListMultipartUploadParts"]"#, #""arn:aws:s3:::files/*""#),
            (#""s3:PutBucketObjectLockConfiguration""#, #""arn:aws:s3:::files""#),
        ])
    func suitablePolicy(_ actions: String, _ resources: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let statement = #"{"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":\#(actions),"Resource":\#(resources)}"#
            #expect(try await s3.send(.put, "/files?policy", body: Array(#"{"Statement":\#(statement)}"#.utf8)).status == 204)
        }
    }

    @Test("accept actions and resources with any number of wildcards", arguments: [true, false])
    func manyWildcards(fits: Bool) async throws {
        try await S3Sandbox.run { s3 async throws in
            let bucket = String(repeating: "a", count: 63)
            #expect(try await s3.send(.put, "/\(bucket)").status == 200)
            let resource = String(repeating: "*a", count: 30) + (fits ? "*" : "b")
            let statement = """
                {"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":"s3:*G*e*t*O*b*j*e*c*t*",\
                "Resource":"arn:aws:s3:::\(resource)/*"}
                """
            let answer = try await s3.send(.put, "/\(bucket)?policy", body: Array(#"{"Statement":\#(statement)}"#.utf8))
            #expect(answer.status == (fits ? 204 : 400))
            if !fits { #expect(answer.detail("Message") == "Policy has invalid resource") }
        }
    }

    @Test("let their owner's root user replace a policy that denies everything")
    func lockOut() async throws {
        try await S3Sandbox.run { s3 async throws in
            let text = """
                {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:*",\
                "Resource":["arn:aws:s3:::files","arn:aws:s3:::files/*"]}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(text.utf8)).status == 204)
            let denied = try await s3.send(.get, "/files/public/hello.txt")
            #expect(denied.status == 403)
            #expect(denied.detail("Message")?.hasSuffix("with an explicit deny in a resource-based policy") == true)
            #expect(try await s3.send(.delete, "/files?policy").status == 204)
        }
    }

    @Test("refuse unsupported calls with S3's errors")
    func unimplemented() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.get, "/files?metadataTable")
            #expect(answer.status == 501)
            #expect(answer.code == "NotImplemented")
            #expect(answer.detail("Header") == "metadataTable")
            #expect(answer.detail("Message") == "A header you provided implies functionality that is not implemented")
            let method = try await s3.send(.post, "/files/public/hello.txt")
            #expect(method.status == 405)
            #expect(method.detail("ResourceType") == "OBJECT")
            #expect(method["Allow"] != nil)
            let preflight = try await s3.send(.options, "/files", ["Origin": "http://x"], as: .nobody)
            #expect(preflight.status == 403)
            #expect(preflight.code == "AccessForbidden")
        }
    }
}

extension FaceAnswer {
    var bucketNames: [String] {
        (try? xml.child("Buckets")?.children(named: "Bucket").compactMap { $0.child("Name")?.text }) ?? []
    }
}
