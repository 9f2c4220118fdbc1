import Cloud
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import Policy
import Testing
import WireFormats

@testable import S3Face

@Suite("Settings of buckets")
struct BucketSettingsTests {
    @Test("are set at creation")
    func creation() async throws {
        try await S3Sandbox.run { s3 async throws in
            let tags = """
                <CreateBucketConfiguration><Tags><Tag><Key>team</Key><Value>blue</Value></Tag></Tags></CreateBucketConfiguration>
                """
            let fields = [
                "x-amz-object-ownership": "ObjectWriter", "x-amz-acl": "log-delivery-write", "x-amz-bucket-object-lock-enabled": "true",
            ]
            #expect(try await s3.send(.put, "/made", fields, body: Array(tags.utf8)).status == 200)
            let bucket = try #require(s3.cloud.objects.bucket(named: "made"))
            #expect(bucket.configuration.ownership == .objectWriter)
            #expect(bucket.configuration.publicAccessBlock == .all)
            #expect(bucket.configuration.hasObjectLock)
            #expect(bucket.configuration.versioning == .enabled)
            #expect(bucket.configuration.accessControl?.grants.count == 3)
            #expect(bucket.configuration.tags == [Tag(key: "team", value: "blue")])
        }
    }

    @Test(
        "that contradict each other are refused at creation",
        arguments: [
            (["x-amz-acl": "public-read"], "InvalidBucketAclWithObjectOwnership"),
            (["x-amz-acl": "public-read", "x-amz-object-ownership": "ObjectWriter"], "InvalidBucketAclWithBlockPublicAccessError"),
            (["x-amz-object-ownership": "Everybody"], "InvalidArgument"), (["x-amz-acl": "public"], "InvalidArgument"),
            (["x-amz-bucket-namespace": "account-regional"], "InvalidNamespaceHeader"),
            (["x-amz-bucket-namespace": "mine"], "InvalidArgument"),
        ])
    func contradictions(_ fields: [String: String], _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/made", fields)
            #expect(answer.status == 400)
            #expect(answer.code == code)
            #expect(s3.cloud.objects.bucket(named: "made") == nil)
        }
    }

    @Test("except the ACL do not change when the owner creates the bucket again")
    func repetition() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            #expect(try await s3.send(.put, "/files").status == 200)
            #expect(try await s3.send(.get, "/files", as: .nobody).status == 403)
            #expect(try await s3.send(.put, "/files", ["x-amz-acl": "public-read"]).status == 200)
            #expect(try await s3.send(.get, "/files", as: .nobody).status == 200)
            #expect(try await s3.send(.put, "/files").status == 200)
            #expect(try await s3.send(.get, "/files", as: .nobody).status == 403)
        }
        try await S3Sandbox.run(newBuckets: .legacy, dialect: .ceph) { s3 async throws in
            #expect(try await s3.send(.put, "/files").status == 200)
            let other = try await s3.send(.put, "/files", ["x-amz-acl": "public-read"])
            #expect(other.status == 409)
            #expect(other.code == "BucketAlreadyExists")
        }
    }

    @Test("include the account-regional namespace of names")
    func namespace() async throws {
        try await S3Sandbox.run { s3 async throws in
            let name = "files-000000000000-us-east-1-an"
            let unnamed = try await s3.send(.put, "/\(name)")
            #expect(unnamed.status == 400)
            #expect(unnamed.code == "MissingNamespaceHeader")
            #expect(
                unnamed.detail("Message")
                    == "The requested bucket is an account-regional namespace bucket, but your request is missing the required x-amz-bucket-namespace header."
            )
            #expect(unnamed.detail("Header") == "x-amz-bucket-namespace")
            #expect(try await s3.send(.put, "/\(name)", ["x-amz-bucket-namespace": "account-regional"]).status == 200)
            #expect(try await s3.send(.put, "/files-an").code == "InvalidBucketName")
            #expect(try await s3.send(.put, "/files-1-us-east-1-an").code == "InvalidBucketName")
            for other in ["files-111111111111-us-east-1-an", "files-000000000000-eu-west-1-an"] {
                #expect(try await s3.send(.put, "/\(other)").code == "MissingNamespaceHeader")
                let answer = try await s3.send(.put, "/\(other)", ["x-amz-bucket-namespace": "account-regional"])
                #expect(answer.status == 400)
                #expect(answer.code == "InvalidNamespaceHeader")
                #expect(
                    answer.detail("Message")
                        == "The requested bucket name did not include the account-regional namespace suffix, but the provided x-amz-bucket-namespace header value is account-regional. Specify -000000000000-us-east-1-an as the bucket name suffix to create a bucket in your account-regional namespace, or remove the header."
                )
            }
        }
    }

    @Test("include the requester who pays")
    func payment() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            #expect(try await s3.send(.get, "/files?requestPayment").xml.child("Payer")?.text == "BucketOwner")
            _ = try await s3.send(.put, "/files/public/hello.txt?acl", ["x-amz-acl": "public-read"])
            let requester = "<RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration>"
            #expect(try await s3.send(.put, "/files?requestPayment", body: Array(requester.utf8)).status == 200)
            #expect(try await s3.send(.get, "/files?requestPayment").xml.child("Payer")?.text == "Requester")
            #expect(try await s3.send(.get, "/files/public/hello.txt").status == 200)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .other).status == 403)
            let paid = try await s3.send(.get, "/files/public/hello.txt", ["x-amz-request-payer": "requester"], as: .other)
            #expect(paid.status == 200)
            #expect(paid["x-amz-request-charged"] == "requester")
            let nonsense = "<RequestPaymentConfiguration><Payer>Nobody</Payer></RequestPaymentConfiguration>"
            #expect(try await s3.send(.put, "/files?requestPayment", body: Array(nonsense.utf8)).code == "MalformedXML")
        }
    }

    @Test("include the target of access logs")
    func logging() async throws {
        try await S3Sandbox.run { s3 async throws in
            func put(_ target: String) async throws -> FaceAnswer {
                let text = """
                    <BucketLoggingStatus><LoggingEnabled><TargetBucket>\(target)</TargetBucket><TargetPrefix>log/</TargetPrefix>\
                    </LoggingEnabled></BucketLoggingStatus>
                    """
                return try await s3.send(.put, "/files?logging", body: Array(text.utf8))
            }
            #expect(try await s3.send(.get, "/files?logging").xml.children.isEmpty)
            #expect(try await s3.send(.put, "/logs").status == 200)
            #expect(try await put("logs").status == 200)
            let stored = try await s3.send(.get, "/files?logging").xml.child("LoggingEnabled")
            #expect(stored?.child("TargetBucket")?.text == "logs")
            #expect(stored?.child("TargetPrefix")?.text == "log/")
            for target in ["nowhere", "foreign"] {
                let answer = try await put(target)
                #expect(answer.status == 400, "\(target)")
                #expect(answer.code == "InvalidTargetBucketForLogging", "\(target)")
            }
            #expect(try await s3.send(.put, "/files?logging", body: Array("<BucketLoggingStatus/>".utf8)).status == 200)
            #expect(try await s3.send(.get, "/files?logging").xml.children.isEmpty)
        }
    }

    @Test("include transfer acceleration")
    func acceleration() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files?accelerate").xml.children.isEmpty)
            let text = "<AccelerateConfiguration><Status>Enabled</Status></AccelerateConfiguration>"
            #expect(try await s3.send(.put, "/files?accelerate", body: Array(text.utf8)).status == 200)
            #expect(try await s3.send(.get, "/files?accelerate").xml.child("Status")?.text == "Enabled")
            #expect(try await s3.send(.put, "/files?accelerate", body: Array("<AccelerateConfiguration/>".utf8)).code == "MalformedXML")
            // Errors are reported in this order: the document, the name of the bucket, the status.
            #expect(try await s3.send(.put, "/with.dots").status == 200)
            for (body, code) in [("text", "MalformedXML"), ("<AccelerateConfiguration/>", "InvalidRequest"), (text, "InvalidRequest")] {
                #expect(try await s3.send(.put, "/with.dots?accelerate", body: Array(body.utf8)).code == code)
            }
        }
    }
}
