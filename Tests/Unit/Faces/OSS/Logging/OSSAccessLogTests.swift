import Calls
import Cloud
import Directory
import Fixtures
import HTTPTypes
import Logging
import NIOCore
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

/// OSS User Guide, "Logging".
@Suite("The access logs of buckets of OSS")
struct OSSAccessLogTests {
    private static let status =
        "<BucketLoggingStatus><LoggingEnabled><TargetBucket>logs</TargetBucket><TargetPrefix>access-</TargetPrefix></LoggingEnabled></BucketLoggingStatus>"

    private static func run(_ test: (OSSSandbox) async throws -> Void) async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.put, "/logs").status == 200)
            #expect(try await oss.send(.put, "/files?logging", document: status).status == 200)
            try await test(oss)
        }
    }

    private static func deliver(_ oss: OSSSandbox) async {
        await AccessLogDelivery(cloud: oss.cloud, log: oss.face.accessLog, logger: Logger(label: "test")) { _, _, _ in false }.deliver()
    }

    private static func keys(_ oss: OSSSandbox) async throws -> [String] {
        try await oss.send(.get, "/logs").xml.children(named: "Contents").compactMap { $0.child("Key")?.text }
    }

    /// The fields of every line of the log objects.
    private static func lines(_ oss: OSSSandbox) async throws -> [[String]] {
        var lines: [[String]] = []
        for key in try await keys(oss) {
            let text = try await oss.send(.get, "/logs/\(key)").text
            #expect(text.hasSuffix("\n"))
            for line in text.split(separator: "\n") { lines.append(fields(of: String(line))) }
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

    @Test("are delivered with the fields of the user guide")
    func delivered() async throws {
        try await Self.run { oss async throws in
            _ = try await oss.send(.get, "/files/public/hello.txt", ["User-Agent": "a \"b\"", "Referer": "http://page"])
            _ = try await oss.send(.get, "/files/public/no%20thing", as: .reader)
            _ = try await oss.send(.get, "/files", as: .nobody)
            _ = try await oss.put("new", "12345")
            await Self.deliver(oss)
            let keys = try await Self.keys(oss)
            #expect(keys.count == 1)
            #expect(keys[0].wholeMatch(of: /access-files\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d-[0-9A-F]{16}/) != nil, "\(keys[0])")
            let lines = try await Self.lines(oss)
            #expect(lines.map(\.count) == Array(repeating: 27, count: 5))
            #expect(lines[0][14] == "PutBucketLogging")
            #expect(lines[0][16] == "-")
            let read = lines[1]
            #expect(read[1] == "-")
            #expect(read[2] == "-")
            #expect(read[4] == "GET /files/public/hello.txt HTTP/1.1")
            #expect(read[3].wholeMatch(of: /\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0800/) != nil, "\(read[3])")
            #expect(read[5] == "200")
            #expect(read[6] == "10")
            #expect(Array(read[8...10]) == ["http://page", "a %22b%22", OSSSandbox.authority])
            #expect(read[11].utf8.count == 24)
            #expect(read[12] == "true")
            #expect(read[13] == OSSSandbox.owner)
            #expect(Array(read[14...17]) == ["GetObject", "files", "/public/hello.txt", "10"])
            #expect(read[19] == "-")
            #expect(Int(read[20]) ?? 0 > 100)
            #expect(read[21] == OSSSandbox.owner)
            #expect(Array(read[22...26]) == ["-", "-", "Standard", "-", "-"])
            let missing = lines[2]
            let reader = try #require(oss.cloud.directory.user("reader", in: OSSSandbox.owner)?.user.id)
            #expect(missing[5] == "404")
            #expect(missing[13] == reader)
            #expect(missing[16] == "/public/no%20thing")
            #expect(missing[19] == "NoSuchKey")
            #expect(lines[3][13] == "-")
            #expect(lines[3][14] == "GetBucket")
            #expect(lines[3][19] == "AccessDenied")
            #expect(Array(lines[4][14...17]) == ["PutObject", "files", "/new", "5"])
            #expect(lines[4][24] == "Standard")
            await Self.deliver(oss)
            #expect(try await Self.keys(oss).count == 1)
        }
    }

    @Test("name the time of China in the keys of their objects")
    func time() async throws {
        try await Self.run { oss async throws in
            await Self.deliver(oss)
            let key = try #require(try await Self.keys(oss).first)
            let hour = Int(key.dropFirst("access-files2026-11-21-".count).prefix(2)) ?? -1
            let now = Int(oss.cloud.clock.now.iso8601.dropFirst("2026-11-21T".count).prefix(2)) ?? -1
            #expect((hour - now + 24) % 24 == 8 || (hour - now + 24) % 24 == 7)
        }
    }

    @Test("have the requests that other services make as the bucket's owner")
    func otherServices() async throws {
        try await Self.run { oss async throws in
            let path = "/mobile/platform/storage/collections/c/objects/one"
            let call = Call(.put, path, [:], authority: OSSSandbox.authority, cloud: oss.cloud)
            oss.face.log(call, Response(status: .created), ObjectAccess(.write, bucket: "files", key: "one"))
            oss.face.log(call, Response(status: .created), ObjectAccess(.write, bucket: "logs", key: "one"))
            await Self.deliver(oss)
            let lines = try await Self.lines(oss)
            #expect(lines.count == 2)
            #expect(Array(lines[1][13...16]) == [OSSSandbox.owner, "PutObject", "files", "/one"])
            #expect(lines[1][5] == "201")
        }
    }

    @Test("end when the bucket's logging is removed, and are not delivered to a bucket that is gone")
    func removed() async throws {
        try await Self.run { oss async throws in
            await Self.deliver(oss)
            #expect(try await oss.send(.delete, "/files?logging").status == 204)
            _ = try await oss.send(.get, "/files/public/hello.txt")
            await Self.deliver(oss)
            #expect(try await Self.lines(oss).map { $0[14] } == ["PutBucketLogging"])
            #expect(try await oss.send(.put, "/files?logging", document: Self.status).status == 200)
            for key in try await Self.keys(oss) { _ = try await oss.send(.delete, "/logs/\(key)") }
            #expect(try await oss.send(.delete, "/logs").status == 204)
            await Self.deliver(oss)
            #expect(try await oss.send(.put, "/logs").status == 200)
            await Self.deliver(oss)
            #expect(try await Self.keys(oss).isEmpty)
        }
    }
}
