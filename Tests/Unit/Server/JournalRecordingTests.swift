import Calls
import Cloud
import ControlFace
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import VirgaServer

@Suite("The journal of the front door")
struct JournalRecordingTests {
    @Test("has the size and duration of each request")
    func sizes() async throws {
        try await DoorOfATest.run { door async throws in
            _ = try await door.control(.post, "/send", ["as": "test", "method": "PUT", "target": "/box/key", "body": "hello"])
            _ = try await door.control(.post, "/send", ["as": "test", "target": "/box/key"])
            let entries = try await door.control(.get, "/journal?face=s3")["entries"]?.arrayValue ?? []
            #expect(entries.map { $0["request_bytes"] } == [.null, 5])
            #expect(entries.first?["response_bytes"] == 5)
            #expect(entries.allSatisfy { ($0["duration_ms"]?.numberValue ?? -1) >= 0 && $0["captured"] == false })
        }
    }

    @Test("does not have what reads it, unless that is refused")
    func readers() async throws {
        try await DoorOfATest.run(access: ControlAccess(token: "s3cret", isLoopback: true)) { door async throws in
            let fields: HTTPFields = [.authorization: "Bearer s3cret"]
            for path in ["/_virga/journal", "/_virga/journal?limit=1", "/_virga/journal/capture"] {
                #expect(try await door.send(.get, path, fields: fields).status == 200)
            }
            #expect(door.cloud.journal.lastNumber == 0)
            #expect(try await door.send(.get, "/_virga/journal").status == 401)
            #expect(try await door.send(.get, "/_virga/clock", fields: fields).status == 200)
            #expect(door.cloud.journal.lastNumber == 2)
        }
    }

    @Test("captures headers and bodies while capture is on, and never the control token")
    func capture() async throws {
        try await DoorOfATest.run(access: ControlAccess(token: "s3cret", isLoopback: true)) { door async throws in
            let fields: HTTPFields = [.authorization: "Bearer s3cret"]
            #expect(try await door.send(.put, "/_virga/journal/capture", #"{"body":4}"#, fields: fields).status == 200)
            var request: HTTPFields = [.contentType: "text/plain", .contentLength: "6"]
            request[.authorization] = "Bearer xs3cretx"
            _ = try await door.send(.put, "/box/key", "secret", fields: request)
            let entry = try #require(door.cloud.journal.recent(limit: 1) { $0.face == "s3" }.first)
            let captured = try #require(entry.captured)
            #expect(captured.request.fields.map(\.value) == ["localhost:4566", "text/plain", "6", "…"])
            #expect(captured.response.fields.contains { $0.name.lowercased() == "content-type" && $0.value == "application/xml" })
            #expect(captured.response.body.start.count == 4)
            #expect(captured.response.body.total > 4)
            let control = try #require(door.cloud.journal.recent(limit: 1) { $0.face == "control" }.first)
            #expect(control.captured == nil)
            #expect(try await door.send(.delete, "/_virga/journal/capture", fields: fields).status == 200)
            _ = try await door.send(.get, "/box/key")
            #expect(door.cloud.journal.recent(limit: 1) { $0.face == "s3" }.first?.captured == nil)
        }
    }

    @Test("shows a captured exchange, and a command that sends it again")
    func detail() async throws {
        try await DoorOfATest.run { door async throws in
            _ = try await door.control(.put, "/journal/capture", ["body": 100])
            let sent = try await door.control(
                .post, "/send",
                ["as": "test", "method": "PUT", "target": "/box/it's", "body": ["base64": "/wA="], "headers": ["x-amz-meta-a": "it's"]])
            let entry = try await door.control(.get, "/journal/\(sent["request_id"]?.stringValue ?? "")")
            #expect(entry["request"]?["body"] == ["bytes": 2, "truncated": false, "base64": "/wA="])
            #expect(entry["response"]?["body"] == ["bytes": 0, "truncated": false, "text": ""])
            let decision = entry["decisions"]?.arrayValue?.first
            #expect(decision?["allowed"] == true)
            #expect(decision?["statements"]?.arrayValue != nil)
            let command = """
                printf %s '/wA=' | base64 --decode | curl --globoff --path-as-is \\
                  --request PUT \\
                  --aws-sigv4 'aws:amz:us-east-1:s3' \\
                  --header 'x-amz-content-sha256: UNSIGNED-PAYLOAD' \\
                  --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\
                  --header 'x-amz-meta-a: it'\\''s' \\
                  --data-binary @- \\
                  --header 'Content-Type:' \\
                  'http://localhost:4566/box/it%27s'
                """
            #expect(entry["curl"] == .string(command))
            #expect(sent["curl"] == .string(command))
        }
    }
}
