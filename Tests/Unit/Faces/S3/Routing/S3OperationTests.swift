import Cloud
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("The selection of the S3 operation")
struct S3OperationTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var target: String
        var name: String
        var headers: HTTPFields = [:]
        var host: String?

        var testDescription: String { "\(method) \(target)" }

        static let all: [Example] = [
            Example(method: .get, target: "/", name: "ListBuckets"),
            Example(method: .put, target: "/bucket", name: "CreateBucket"),
            Example(method: .put, target: "/bucket/", name: "CreateBucket"),
            Example(method: .head, target: "/bucket", name: "HeadBucket"),
            Example(method: .delete, target: "/bucket", name: "DeleteBucket"),
            Example(method: .get, target: "/bucket", name: "ListObjects"),
            Example(method: .get, target: "/bucket?list-type=1", name: "ListObjects"),
            Example(method: .get, target: "/bucket?list-type=2&prefix=a", name: "ListObjectsV2"),
            Example(method: .get, target: "/bucket?location", name: "GetBucketLocation"),
            Example(method: .get, target: "/bucket?policy=", name: "GetBucketPolicy"),
            Example(method: .put, target: "/bucket?policy", name: "PutBucketPolicy"),
            Example(method: .delete, target: "/bucket?policy", name: "DeleteBucketPolicy"),
            Example(method: .get, target: "/bucket?uploads", name: "ListMultipartUploads"),
            Example(method: .post, target: "/bucket?delete", name: "DeleteObjects"),
            Example(method: .post, target: "/bucket", name: "PostObject", headers: [.contentType: "multipart/form-data; boundary=x"]),
            Example(method: .get, target: "/bucket/key", name: "GetObject"),
            Example(method: .get, target: "/bucket/key?x-id=GetObject&unknown", name: "GetObject"),
            Example(method: .get, target: "/bucket/key?partNumber=1", name: "GetObject"),
            Example(method: .head, target: "/bucket/key", name: "HeadObject"),
            Example(method: .put, target: "/bucket/key", name: "PutObject"),
            Example(method: .put, target: "/bucket/key", name: "CopyObject", headers: [.copySource: "b/k"]),
            Example(method: .delete, target: "/bucket/key", name: "DeleteObject"),
            Example(method: .post, target: "/bucket/key?uploads", name: "CreateMultipartUpload"),
            Example(method: .put, target: "/bucket/key?partNumber=1&uploadId=u", name: "UploadPart"),
            Example(method: .put, target: "/bucket/key?partNumber=1&uploadId=u", name: "UploadPartCopy", headers: [.copySource: "b/k"]),
            Example(method: .post, target: "/bucket/key?uploadId=u", name: "CompleteMultipartUpload"),
            Example(method: .delete, target: "/bucket/key?uploadId=u", name: "AbortMultipartUpload"),
            Example(method: .get, target: "/bucket/key?uploadId=u", name: "ListParts"),
            Example(method: .get, target: "/bucket/key?acl", name: "GetObjectAcl"),
            Example(method: .get, target: "/bucket?acl", name: "GetBucketAcl"),
            Example(method: .put, target: "/bucket/key?tagging", name: "PutObjectTagging"),
            Example(method: .get, target: "/bucket?versioning", name: "GetBucketVersioning"),
            Example(method: .get, target: "/bucket?versions", name: "ListObjectVersions"),
            Example(method: .post, target: "/bucket/key?select&select-type=2", name: "SelectObjectContent"),
            Example(method: .options, target: "/bucket/key", name: "Preflight"),
            // The path of a key has some sub-resources of its bucket; S3 ignores the others. (brekkylab/backlot#267)
            Example(method: .get, target: "/bucket/key?location", name: "GetBucketLocation"),
            Example(method: .get, target: "/bucket/key?location=1&x-id=GetObject", name: "GetBucketLocation"),
            Example(method: .get, target: "/bucket/key?cors", name: "GetBucketCors"),
            Example(method: .put, target: "/bucket/key?policy", name: "PutBucketPolicy"),
            Example(method: .get, target: "/bucket/key?inventory", name: "ListBucketInventoryConfigurations"),
            Example(method: .post, target: "/bucket/key?delete", name: "DeleteObjects"),
            Example(method: .get, target: "/bucket/key?Location", name: "GetObject"),
            Example(method: .get, target: "/bucket/key?metrics&id=one", name: "GetObject"),
            Example(method: .head, target: "/bucket/key?object-lock&policyStatus", name: "HeadObject"),
            Example(method: .head, target: "/bucket?retention", name: "HeadBucket"),
            Example(method: .get, target: "/bucket?attributes", name: "ListObjects"),
            Example(method: .head, target: "/bucket?session", name: "HeadBucket"),
            Example(method: .get, target: "/key", name: "GetObject", host: "bucket"),
            Example(method: .get, target: "/", name: "ListObjects", host: "bucket"),
        ]

        func operation() throws -> S3Operation {
            let parts = target.split(separator: "?", maxSplits: 1)
            return try S3Operation(
                method: method, path: String(parts[0]), query: FormFields(parsing: parts.dropFirst().first.map(String.init) ?? "") ?? [:],
                headers: headers, bucketFromHost: host)
        }
    }

    @Test("depends on method, path, query and headers", arguments: Example.all)
    func chooses(_ example: Example) throws {
        #expect(try example.operation().name == example.name)
    }

    @Test("never ignores a known sub-resource", arguments: SubResource.all)
    func recognises(_ subResource: SubResource) throws {
        let plain: Set = ["GetObject", "PutObject", "DeleteObject", "ListObjects", "CreateBucket", "DeleteBucket"]
        for (path, resource) in [("/bucket", subResource.bucket), ("/bucket/key", subResource.object)] {
            for (method, answer) in resource?.answers ?? [:] {
                // Without an identifier, a GET of these configurations is a listing.
                let id = ConfigurationKind(rawValue: subResource.name) == nil ? "" : "&id=one"
                let operation = try Example(method: method, target: "\(path)?\(subResource.name)\(id)", name: "").operation()
                #expect(operation.name == answer.name, "\(method) \(path)")
                #expect(!plain.contains(operation.name), "\(method) \(path)")
            }
        }
    }

    @Test(
        "decodes the key once and keeps its slashes",
        arguments: [
            ("/bucket/a%20b", "a b"), ("/bucket/a+b", "a+b"), ("/bucket/a%2Fb", "a/b"), ("/bucket//a//b/", "/a//b/"),
            ("/bucket/%25zz", "%zz"), ("/bucket/%E2%82%AC", "€"), ("/bucket/./..", "./.."),
        ])
    func decodes(_ path: String, _ key: String) throws {
        let operation = try S3Operation(method: .get, path: path, query: [:], headers: [:], bucketFromHost: nil)
        #expect(operation == .object(ObjectAddress(bucket: "bucket", key: key), .getObject))
    }

    @Test("uses the whole path as the key if the host names the bucket")
    func virtualHost() throws {
        let operation = try S3Operation(method: .get, path: "/a/b", query: [:], headers: [:], bucketFromHost: "bucket")
        #expect(operation == .object(ObjectAddress(bucket: "bucket", key: "a/b"), .getObject))
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var target: String
        var code: S3Error.Code
        var testDescription: String { "\(method) \(target)" }

        static let all: [Refusal] = [
            Refusal(method: .put, target: "/", code: .methodNotAllowed),
            Refusal(method: .post, target: "/bucket/key", code: .methodNotAllowed),
            Refusal(method: .patch, target: "/bucket", code: .methodNotAllowed),
            Refusal(method: .post, target: "/bucket?policy", code: .methodNotAllowed),
            Refusal(method: .post, target: "/bucket", code: .preconditionFailed),
            Refusal(method: .get, target: "/bucket/%zz", code: .invalidURI),
            Refusal(method: .get, target: "/bucket/%ff", code: .invalidURI),
            Refusal(method: .get, target: "/bu%20cket", code: .invalidBucketName),
            Refusal(method: .get, target: "//key", code: .invalidBucketName),
            Refusal(method: .get, target: "/bucket?acl&policy", code: .invalidArgument),
            Refusal(method: .get, target: "/bucket/key?location&versioning", code: .invalidArgument),
            Refusal(method: .get, target: "/bucket/key?partNumber=1&tagging", code: .invalidArgument),
            Refusal(method: .get, target: "/bucket?partNumber=1", code: .invalidRequest),
            Refusal(method: .get, target: "/bucket?website=yes", code: .invalidArgument),
            Refusal(method: .get, target: "/bucket/key?partNumber=1&uploadId=u", code: .methodNotAllowed),
            Refusal(method: .trace, target: "/bucket", code: .badRequest),
            Refusal(method: .put, target: "/bucket/key?partNumber=1", code: .invalidArgument),
            Refusal(method: .get, target: "/bucket/" + String(repeating: "k", count: 1025), code: .keyTooLong),
        ]
    }

    @Test("refuses requests of no operation", arguments: Refusal.all)
    func refuses(_ refusal: Refusal) {
        let error = #expect(throws: S3Error.self) {
            try Example(method: refusal.method, target: refusal.target, name: "").operation()
        }
        #expect(error?.code == refusal.code)
    }

    /// (brekkylab/backlot#230, brekkylab/backlot#267 and brekkylab/backlot#312, versity/versitygw#1236 and versity/versitygw#1810,
    /// aws-amplify/amplify-hosting#3152 on the methods of an object.)
    @Test(
        "lists the methods of a resource in S3's order",
        arguments: [
            (.put, "/", "SERVICE", "GET"), (.patch, "/bucket", "BUCKET", "HEAD, DELETE, POST, GET, PUT"),
            (.patch, "/bucket/key", "OBJECT", "HEAD, DELETE, GET, PUT"), (.head, "/bucket?location", "LOCATION", "GET"),
            (.head, "/bucket?uploads", "UPLOADS", "POST, GET"), (.head, "/bucket?versioning", "VERSIONING", "GET, PUT"),
            (.head, "/bucket?tagging", "TAGGING", "DELETE, GET, PUT"), (.head, "/bucket?policy", "BUCKETPOLICY", "DELETE, GET, PUT"),
            (.get, "/bucket?delete", "MULTI_OBJECT_DELETE", "POST"), (.get, "/bucket?restore", "RESTORE", "POST"),
            (.head, "/bucket/key?acl", "ACL", "GET, PUT"), (.head, "/bucket/key?tagging", "OBJECT_TAGGING", "DELETE, GET, PUT"),
            (.head, "/bucket/key?uploadId=u", "UPLOAD", "DELETE, POST, GET"),
            (.put, "/bucket/key?uploadId=u", "UPLOAD", "DELETE, POST, GET"),
            (.head, "/bucket/key?partNumber=1&uploadId=u", "PART", "PUT"), (.head, "/bucket/key?uploads", "UPLOADS", "POST, GET"),
            (.head, "/bucket/key?location", "LOCATION", "GET"), (.head, "/bucket/key?versions", "BUCKETVERSIONS", "GET"),
            (.head, "/bucket/key?encryption", "OBJECT_ENCRYPTION", "PUT"),
            (.patch, "/bucket?intelligent-tiering", "INTELLIGENT_TIERING", "DELETE, GET, PUT"),
        ] as [(HTTPRequest.Method, String, String, String)])
    func methods(_ method: HTTPRequest.Method, _ target: String, _ type: String, _ allowed: String) {
        let error = #expect(throws: S3Error.self) { try Example(method: method, target: target, name: "").operation() }
        #expect(error?.code == .methodNotAllowed)
        #expect(error?.details.last?.value == type)
        #expect(error?.allowedMethods.map(\.rawValue).joined(separator: ", ") == allowed)
    }

    /// (brekkylab/backlot, measured 2026-09-29; versity/versitygw#1688.)
    @Test(
        "refuses some sub-resources once the bucket is found",
        arguments: [
            (.get, "k?versions", "There is no such thing as the ?versions sub-resource for a key"),
            (.get, "k?uploads", "Key is not expected for the GET method ?uploads subresource"),
            (.get, "k?logging", "There is no such thing as the ?logging sub-resource for a key"),
            (.get, "?uploadId=u", "A key must be specified"), (.post, "?restore", "User key must be specified."),
        ] as [(HTTPRequest.Method, String, String)])
    func refusesLater(_ method: HTTPRequest.Method, _ target: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(method, "/files/\(target)")
            #expect(answer.status == 400)
            #expect(answer.detail("Message") == message)
            #expect(try await s3.send(method, "/missing-bucket/\(target)").code == "NoSuchBucket")
        }
    }

    @Test("names conflicting sub-resources in the order of their bytes, whatever their order in the query")
    func conflict() {
        let error = #expect(throws: S3Error.self) { try Example(method: .get, target: "/bucket?versioning&acl", name: "").operation() }
        #expect(error?.message == "Conflicting query string parameters: acl, versioning")
        #expect(error?.details.last?.value == "acl")
    }

    @Test("repeats the name of a parameter in place of its value, as S3 does")
    func partWithoutUpload() {
        let error = #expect(throws: S3Error.self) { try Example(method: .put, target: "/bucket/key?partNumber=1", name: "").operation() }
        #expect(error?.details == [.init(name: "ArgumentName", value: "partNumber"), .init(name: "ArgumentValue", value: "partNumber")])
    }
}
