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
        for (method, name) in subResource.bucket {
            // Without an identifier, a GET of these configurations is a listing.
            let id = ConfigurationKind(rawValue: subResource.name) == nil ? "" : "&id=one"
            let operation = try Example(method: method, target: "/bucket?\(subResource.name)\(id)", name: name).operation()
            #expect(operation.name == name && !plain.contains(operation.name))
        }
        for (method, name) in subResource.object {
            let operation = try Example(method: method, target: "/bucket/key?\(subResource.name)", name: name).operation()
            #expect(operation.name == name && !plain.contains(operation.name))
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
            Refusal(method: .get, target: "/bucket/key?versions", code: .invalidRequest),
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

    @Test("repeats the name of a parameter in place of its value, as S3 does")
    func partWithoutUpload() {
        let error = #expect(throws: S3Error.self) { try Example(method: .put, target: "/bucket/key?partNumber=1", name: "").operation() }
        #expect(error?.details == [.init(name: "ArgumentName", value: "partNumber"), .init(name: "ArgumentValue", value: "partNumber")])
    }
}
