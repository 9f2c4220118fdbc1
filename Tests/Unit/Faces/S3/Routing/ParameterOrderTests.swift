import Cloud
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

/// What S3 refuses before and after it verifies the signature and finds the bucket. (brekkylab/backlot, measured in S3 from 2026-09-11 to
/// 2026-09-30.)
@Suite("Parameters")
struct ParameterOrderTests {
    /// A request with a signature of a wrong key.
    private func wronglySigned(_ method: HTTPRequest.Method, _ target: String, _ s3: S3Sandbox) async throws -> FaceAnswer {
        let date = s3.cloud.clock.now.httpDate
        return try await s3.send(method, target, [.date: date, .authorization: "AWS test:AAAAAAAAAAAAAAAAAAAAAAAAAAA="], [])
    }

    private static let noVersion = "This operation does not accept a version-id."
    private static let noNumber = "Provided max-keys not an integer or within integer range"

    /// Method, target, message, name and value of the argument.
    static let unreadable: [(HTTPRequest.Method, String, String, String, String?)] = [
        (.get, "/none?versionId=x", noVersion, "versionId", "x"), (.get, "/none?list-type=2&versionId=", noVersion, "versionId", ""),
        (.get, "/none?versioning&versionId=null", noVersion, "versionId", "null"),
        (.get, "/none?versions&versionId=x", noVersion, "versionId", "x"), (.get, "/none?uploads&versionId=x", noVersion, "versionId", "x"),
        (.get, "/none?session&versionId=x", noVersion, "versionId", "x"), (.get, "/none?delete&versionId=x", noVersion, "versionId", "x"),
        (.get, "/none?acl&versionId=x", "Invalid version id specified", "versionId", "x"),
        (.put, "/none?versioning&versionId=x", noVersion, "versionId", "x"), (.put, "/none?cors&versionId=x", noVersion, "versionId", "x"),
        (.delete, "/none?versionId=x", noVersion, "versionId", "x"), (.delete, "/none?acl&versionId=x", noVersion, "versionId", "x"),
        (.get, "/none/k?versioning&versionId=x", noVersion, "versionId", "x"),
        (.get, "/none/k?uploadId=u&versionId=null", noVersion, "versionId", "null"),
        (.get, "/none/k?torrent&versionId=x", noVersion, "versionId", "x"),
        (.get, "/none/k?uploads&versionId=x", noVersion, "versionId", "x"),
        (.put, "/none/k?versionId=x", noVersion, "versionId", "x"),
        (.put, "/none/k?partNumber=1&uploadId=u&versionId=", noVersion, "versionId", ""),
        (.get, "/none/k?versionId=", "Version id cannot be the empty string", "versionId", ""),
        (.get, "/none?max-keys=abc&versionId=x", noNumber, "max-keys", "abc"),
        (.get, "/none?list-type=2&max-keys=2147483648", noNumber, "max-keys", "2147483648"),
        (.get, "/none?versions&max-keys=abc&version-id-marker=x", noNumber, "max-keys", "abc"),
        (
            .get, "/none?uploads&max-uploads=abc&versionId=x", "Provided max-uploads not an integer or within integer range", "max-uploads",
            "abc"
        ),
        (
            .get, "/none/k?uploadId=u&max-parts=abc", "Provided max-parts not an integer or within integer range", "max-parts", "abc"
        ),
        (
            .get, "/none?start-after=a&versionId=x", "startAfter only supported in REST.GET.BUCKET with list-type=2", "start-after", nil
        ),
        (
            .get, "/none?start-after=a&continuation-token=", "continuation-token only supported in REST.GET.BUCKET with list-type=2",
            "continuation-token", nil
        ),
        (.get, "/none?list-type=2&marker=a", "Marker unsupported with REST.GET.BUCKET in list-type=2", "marker", nil),
        (
            .get, "/none?versions&version-id-marker=x", "A version-id marker cannot be specified without a key marker.",
            "version-id-marker", "x"
        ),
        (
            .get, "/none?versions&key-marker=a&version-id-marker=", "A version-id marker cannot be empty.", "version-id-marker", ""
        ),
        (.get, "/?max-buckets=abc", "Provided max-buckets not an integer or within integer range", "max-buckets", "abc"),
        (.get, "/?max-buckets=-01", "Argument max-buckets must be an integer between 1 and 10000", "max-buckets", "-1"),
        (.get, "/?bucket-region=", "Argument value  is not a valid AWS Region", "bucket-region", nil),
    ]

    @Test("that cannot be read are refused before the signature and the bucket", arguments: unreadable)
    func early(_ method: HTTPRequest.Method, _ target: String, _ message: String, _ name: String, _ value: String?) async throws {
        try await S3Sandbox.run { s3 async throws in
            for answer in [try await s3.send(method, target), try await wronglySigned(method, target, s3)] {
                #expect(answer.status == 400)
                #expect(answer.code == "InvalidArgument")
                #expect(answer.detail("Message") == message)
                #expect(answer.detail("ArgumentName") == name)
                #expect(answer.detail("ArgumentValue") == value)
            }
        }
    }

    @Test(
        "are refused in a head, too",
        arguments: ["?versionId=x", "?max-keys=abc", "?list-type=2&marker=a", "?encoding-type=x", "?list-type=2&continuation-token=x"])
    func heads(_ query: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.head, "/files\(query)").status == 400)
        }
    }

    @Test("of a head have no range")
    func headWithNegativeLimit() async throws {
        try await S3Sandbox.run { s3 async throws in #expect(try await s3.send(.head, "/files?max-keys=-1").status == 200) }
    }

    @Test(
        "that can be read and are invalid are refused after the signature and the bucket",
        arguments: [
            "?max-keys=-1", "?encoding-type=x", "?list-type=2&continuation-token=x", "?versions&max-keys=-1",
            "?versions&key-marker=a&version-id-marker=x", "?versions&encoding-type=x", "?uploads&max-uploads=-1",
            "?uploads&encoding-type=x",
        ])
    func late(_ query: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files\(query)").code == "InvalidArgument")
            #expect(try await s3.send(.get, "/none\(query)").code == "NoSuchBucket")
            #expect(try await s3.send(.get, "/files\(query)", as: .reader).code == "AccessDenied")
            #expect(try await wronglySigned(.get, "/files\(query)", s3).code == "SignatureDoesNotMatch")
        }
    }

    @Test(
        "that are invalid are refused in order",
        arguments: [
            ("list-type=2&encoding-type=x&continuation-token=x&max-keys=-1", "encoding-type"),
            ("list-type=2&continuation-token=x&max-keys=-1", "continuation-token"),
            ("versions&key-marker=a&version-id-marker=x&encoding-type=x&max-keys=-1", "version-id-marker"),
            ("versions&encoding-type=x&max-keys=-1", "encoding-type"),
            ("uploads&key-marker=a&upload-id-marker=x&max-uploads=-1", "max-uploads"),
            ("versionId=x&max-keys=-1", "versionId"), ("versionId=x&encoding-type=x", "versionId"),
            ("versionId=x&acl&versioning", "ResourceType"),
        ])
    func order(_ query: String, _ name: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files?\(query)").detail("ArgumentName") == name)
        }
    }

    @Test("of a list of parts have their range after the upload is found")
    func parts() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files/k?uploadId=u&max-parts=-1").code == "NoSuchUpload")
        }
    }

    @Test("name a version of a bucket that two operations find first", arguments: [(HTTPRequest.Method.put, "acl"), (.post, "restore")])
    func lateVersions(_ method: HTTPRequest.Method, _ resource: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(method, "/none?\(resource)&versionId=x").code == "NoSuchBucket")
            #expect(try await s3.send(method, "/files?\(resource)&versionId=x").detail("Message") == "Invalid version id specified")
        }
    }

    @Test("of RADOS Gateway are refused by its operations only")
    func ceph() async throws {
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            #expect(try await s3.send(.get, "/files?versionId=x").status == 200)
            #expect(try await s3.send(.get, "/files?list-type=2&marker=a").status == 200)
            #expect(try await s3.send(.get, "/none?max-keys=abc").code == "NoSuchBucket")
            #expect(try await s3.send(.get, "/files?max-keys=abc").code == "InvalidArgument")
        }
    }
}
