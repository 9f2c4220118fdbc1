import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Logging
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Access logs")
struct AccessLogTests {
    private static let policy = """
        {"Statement": [{"Effect": "Allow", "Principal": {"Service": "logging.s3.amazonaws.com"}, "Action": "s3:PutObject",
          "Resource": "arn:aws:s3:::logs/*", "Condition": {"ArnLike": {"aws:SourceArn": "arn:aws:s3:::files"},
          "StringEquals": {"aws:SourceAccount": "000000000000"}}}]}
        """

    private static func status(_ more: String = "") -> [UInt8] {
        Array(
            """
            <BucketLoggingStatus><LoggingEnabled><TargetBucket>logs</TargetBucket><TargetPrefix>access/</TargetPrefix>\(more)\
            </LoggingEnabled></BucketLoggingStatus>
            """.utf8)
    }

    private func deliver(_ s3: S3Sandbox) async {
        await AccessLogDelivery(cloud: s3.cloud, log: s3.face.accessLog, logger: Logger(label: "test")).deliver()
    }

    private func keys(_ s3: S3Sandbox) async throws -> [String] {
        try await s3.send(.get, "/logs?list-type=2").xml.children(named: "Contents").compactMap { $0.child("Key")?.text }
    }

    /// Every line of every log object, split into fields.
    private func lines(_ s3: S3Sandbox) async throws -> [[String]] {
        var lines: [[String]] = []
        for key in try await keys(s3) {
            let text = try await s3.send(.get, "/logs/\(key)").text
            #expect(text.hasSuffix("\n"))
            for line in text.split(separator: "\n") { lines.append(Self.fields(of: String(line))) }
        }
        return lines
    }

    /// Splits at spaces outside of quotes and brackets.
    private static func fields(of line: String) -> [String] {
        var (fields, isInside) = ([""], false)
        for character in line {
            switch character {
            case "\"": isInside.toggle()
            case "[": isInside = true
            case "]": isInside = false
            case " " where !isInside: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }

    @Test("are written to the bucket that allows the service to write, in the format of the user guide")
    func delivered() async throws {
        try await S3Sandbox.run { s3 async throws in
            _ = try await s3.send(.put, "/logs")
            #expect(try await s3.send(.put, "/logs?policy", body: Array(Self.policy.utf8)).status == 204)
            #expect(try await s3.send(.put, "/files?logging", body: Self.status()).status == 200)
            let agent = ["User-Agent": "a \"b\"", "Referer": "http://page"]
            _ = try await s3.send(.get, "/files/public/hello.txt", agent)
            _ = try await s3.send(.get, "/files/public/no%20thing", as: .reader)
            _ = try await s3.send(.get, "/files?versioning", as: .nobody)
            await deliver(s3)
            let keys = try await keys(s3)
            #expect(keys.count == 1)
            #expect(keys[0].wholeMatch(of: /access\/\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d-[0-9A-F]{16}/) != nil, "\(keys[0])")
            let lines = try await lines(s3)
            #expect(lines.map { $0.count } == [27, 27, 27, 27])
            let owner = Account.canonicalUserID(of: "000000000000")
            // The request that enabled the log is its first entry.
            #expect(lines[0][6] == "REST.PUT.LOGGING_STATUS")
            let read = lines[1]
            #expect(read[0] == owner)
            #expect(read[1] == "files")
            #expect(read[4] == owner)
            #expect(read[2].wholeMatch(of: /\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000/) != nil, "\(read[2])")
            #expect(read[5].utf8.count == 16)
            #expect(read[6] == "REST.GET.OBJECT")
            #expect(read[7] == "public/hello.txt")
            #expect(read[8] == "GET /files/public/hello.txt HTTP/1.1")
            #expect(Array(read[9...12]) == ["200", "-", "10", "10"])
            #expect(Array(read[15...16]) == ["http://page", "a %22b%22"])
            #expect(Array(read[19...23]) == ["SigV4", "-", "AuthHeader", S3Sandbox.authority, "-"])
            let missing = lines[2]
            #expect(missing[4] == "arn:aws:iam::000000000000:user/reader")
            #expect(missing[7] == "public/no%20thing")
            #expect(missing[9] == "403")
            #expect(missing[10] == "AccessDenied")
            let anonymous = lines[3]
            #expect(anonymous[4] == "-")
            #expect(anonymous[6] == "REST.GET.VERSIONING")
            #expect(anonymous[7] == "-")
            #expect(anonymous[19] == "-")
            await deliver(s3)
            #expect(try await self.keys(s3).count == 1)
        }
    }

    @Test("have the requests that other services make as the bucket's owner")
    func otherServices() async throws {
        try await S3Sandbox.run { s3 async throws in
            _ = try await s3.send(.put, "/logs")
            _ = try await s3.send(.put, "/logs?policy", body: Array(Self.policy.utf8))
            _ = try await s3.send(.put, "/files?logging", body: Self.status())
            let path = "/mobile/platform/storage/collections/c/objects"
            for (method, access) in [
                (HTTPRequest.Method.post, ObjectAccess(.write, bucket: "files", key: "a b")),
                (.get, ObjectAccess(.read, bucket: "files", key: "a b")), (.get, ObjectAccess(.list, bucket: "files")),
                (.get, ObjectAccess(.list, bucket: "logs")),
            ] {
                let call = Call(method, path, [:], authority: S3Sandbox.authority, cloud: s3.cloud)
                s3.face.record(call, Response(status: .ok), access)
            }
            await deliver(s3)
            let lines = try await lines(s3)
            let logged = lines.map { "\($0[6]) \($0[7])" }
            #expect(logged.dropFirst() == ["REST.PUT.OBJECT a%20b", "REST.GET.OBJECT a%20b", "REST.GET.BUCKET -"])
            #expect(lines.last?[4] == Account.canonicalUserID(of: "000000000000"))
        }
    }

    @Test("contain two entries for a copy")
    func copies() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            _ = try await s3.send(.put, "/logs", ["x-amz-acl": "log-delivery-write"])
            _ = try await s3.send(.put, "/files?logging", body: Self.status())
            _ = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "files/public/hello.txt"])
            _ = try await s3.send(.put, "/files/copy?acl", ["x-amz-copy-source": "files/public/hello.txt", "x-amz-acl": "private"])
            await deliver(s3)
            #expect(
                try await lines(s3).map { "\($0[6]) \($0[7])" } == [
                    "REST.PUT.LOGGING_STATUS -", "REST.COPY.OBJECT copy", "REST.COPY.OBJECT_GET public/hello.txt", "REST.PUT.ACL copy",
                ])
        }
    }

    @Test("are not written to a bucket that does not allow it, or that locks its objects")
    func refused() async throws {
        try await S3Sandbox.run { s3 async throws in
            _ = try await s3.send(.put, "/logs")
            let other = Self.policy.replacing("arn:aws:s3:::files", with: "arn:aws:s3:::foreign")
            _ = try await s3.send(.put, "/logs?policy", body: Array(other.utf8))
            _ = try await s3.send(.put, "/files?logging", body: Self.status())
            await deliver(s3)
            #expect(try await keys(s3).isEmpty)
        }
        try await S3Sandbox.run { s3 async throws in
            _ = try await s3.send(.put, "/logs", ["x-amz-bucket-object-lock-enabled": "true"])
            _ = try await s3.send(.put, "/logs?policy", body: Array(Self.policy.utf8))
            let lock = """
                <ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>\
                <Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention></Rule></ObjectLockConfiguration>
                """
            #expect(try await s3.send(.put, "/logs?object-lock", document: lock).status == 200)
            _ = try await s3.send(.put, "/files?logging", body: Self.status())
            await deliver(s3)
            #expect(try await keys(s3).isEmpty)
        }
    }

    @Test("are written if an ACL grants it to the group, with grants of their own, unless the policy denies it")
    func list() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            _ = try await s3.send(.put, "/logs", ["x-amz-acl": "log-delivery-write"])
            let other = Account.canonicalUserID(of: "111111111111")
            let grants = """
                <TargetGrants><Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">\
                <ID>\(other)</ID></Grantee><Permission>READ</Permission></Grant></TargetGrants>
                """
            #expect(try await s3.send(.put, "/files?logging", body: Self.status(grants)).status == 200)
            await deliver(s3)
            let keys = try await keys(s3)
            #expect(keys.count == 1)
            #expect(try await s3.send(.get, "/logs/\(keys[0])", as: .other).status == 200)
            let deny = #"{"Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::logs/*"}]}"#
            #expect(try await s3.send(.put, "/logs?policy", body: Array(deny.utf8)).status == 204)
            _ = try await s3.send(.get, "/files")
            await deliver(s3)
            #expect(try await self.keys(s3).count == 1)
        }
    }

    @Test("have keys by source and day if the owner configures it")
    func partitioned() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            _ = try await s3.send(.put, "/logs", ["x-amz-acl": "log-delivery-write"])
            for source in ["EventTime", "DeliveryTime"] {
                let format = """
                    <TargetObjectKeyFormat><PartitionedPrefix><PartitionDateSource>\(source)</PartitionDateSource></PartitionedPrefix>\
                    </TargetObjectKeyFormat>
                    """
                #expect(try await s3.send(.put, "/files?logging", body: Self.status(format)).status == 200)
                await deliver(s3)
            }
            let pattern = /access\/000000000000\/us-east-1\/files\/\d{4}\/\d\d\/\d\d\/\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d-[0-9A-F]{16}/
            let keys = try await keys(s3)
            #expect(keys.count == 2, "\(keys)")
            #expect(keys.allSatisfy { $0.wholeMatch(of: pattern) != nil }, "\(keys)")
            #expect(keys.contains { $0.contains("-00-00-00-") })
        }
    }
}
