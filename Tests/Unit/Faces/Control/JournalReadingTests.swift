import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Calls about the journal as a whole")
struct JournalReadingTests {
    private static func entry(
        _ face: String, _ operation: String, caller: String? = nil, status: Int = 200, error: String? = nil, faults: [String] = []
    ) -> JournalEntry {
        JournalEntry(
            time: Timestamp(seconds: 1), requestID: "ID\(face)\(operation)", method: "GET", target: "/box/\(operation)?code=x",
            host: "localhost",
            face: face, caller: caller, operation: operation, decisions: [], status: status, errorCode: error, faults: faults)
    }

    /// Runs a test with four entries, numbered from 1.
    private static func run(_ test: (ControlSandbox) async throws -> Void) async throws {
        try await ControlSandbox.run { control async throws in
            let journal = control.cloud.journal
            journal.append(entry("s3", "GetObject", caller: "arn:aws:iam::000000000000:root"))
            journal.append(entry("s3", "PutObject", status: 403, error: "AccessDenied"))
            journal.append(entry("sts", "AssumeRole", caller: "arn:aws:iam::000000000000:user/Ann", status: 503, faults: ["7"]))
            journal.append(entry("control", "/reset"))
            try await test(control)
        }
    }

    @Test(
        "select entries",
        arguments: [
            ("", [4, 3, 2, 1]), ("?after=2", [4, 3]), ("?after=4", []), ("?before=3", [2, 1]), ("?after=1&before=3", [2]),
            ("?exclude=face:control", [3, 2, 1]), ("?exclude=face:control&exclude=face:sts", [2, 1]),
            ("?exclude=status:2*", [3, 2]), ("?status=403", [2]), ("?status=5*", [3]), ("?status=*", [4, 3, 2, 1]),
            ("?denied=true", [2]), ("?faulted=true", [3]), ("?text=ASSUMEROLE", [3]), ("?text=ann", [3]),
            ("?text=get&text=box", [4, 3, 2, 1]),
            ("?text=accessdenied", [2]), ("?text=code%3Dx", []), ("?face=s3&limit=1", [2]), ("?caller=user/Ann", [3]),
            ("?request_id=IDs3GetObject", [1]), ("?fault=7", [3]), ("?error=AccessDenied", [2]), ("?path=/box/Get", [1]),
        ] as [(String, [Int64])])
    func filters(query: String, numbers: [Int64]) async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/journal\(query)")
            #expect(answer.status == 200)
            #expect(answer.json["entries"]?.arrayValue?.compactMap { $0["number"]?.integerValue } == numbers)
            #expect(answer.json["last"] == 4)
            #expect(answer.json["first"] == 1)
            #expect(answer.json["capture"] == .null)
        }
    }

    @Test(
        "refuse what is no filter",
        arguments: [
            ("?colour=red", "unknown_filter"), ("?after=x", "malformed_filter"), ("?after=-1", "malformed_filter"),
            ("?before=", "malformed_filter"), ("?denied=1", "malformed_filter"), ("?faulted=false", "malformed_filter"),
            ("?exclude=control", "malformed_filter"), ("?exclude=limit:1", "malformed_filter"), ("?limit=0", "malformed_filter"),
            ("?face=%zz", "malformed_filter"),
        ])
    func malformed(query: String, error: String) async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/journal\(query)")
            #expect(answer.status == 400)
            #expect(answer.error == error)
        }
    }

    @Test("empty the journal, whose numbers continue")
    func clear() async throws {
        try await Self.run { control async throws in
            #expect(try await control.send(.delete, "/journal").status == 200)
            let answer = try await control.send(.get, "/journal")
            // The sandbox of this test records the call itself.
            #expect(answer.json["entries"]?.arrayValue?.compactMap { $0["number"] } == [5])
            #expect(answer.json["first"] == 5)
        }
    }

    @Test("find an entry by its number or request ID", arguments: ["2", "IDs3PutObject"])
    func detail(id: String) async throws {
        try await Self.run { control async throws in
            let entry = try await control.send(.get, "/journal/\(id)").json
            #expect(entry["number"] == 2)
            #expect(entry["error"] == "AccessDenied")
            #expect(entry["captured"] == false)
            #expect(entry["request"] == .null)
            #expect(entry["response"] == .null)
            #expect(entry["target"] == "/box/PutObject?code=…")
            #expect(entry["curl"]?.stringValue?.contains("'http://localhost:4566/box/PutObject?code=…'") == true)
            let missing = try await control.send(.get, "/journal/99")
            #expect(missing.status == 404)
            #expect(missing.error == "unknown_request")
        }
    }

    @Test("capture for a limited time")
    func capture() async throws {
        try await Self.run { control async throws in
            let capture = control.cloud.journal.capture
            #expect(try await control.send(.get, "/journal/capture").json == ["capture": .null])
            #expect(try await control.send(.put, "/journal/capture", #"{"body":10,"for":"PT1M"}"#).json["capture"]?["body"] == 10)
            let setting = try #require(capture.setting())
            #expect(setting.bodyLimit == 10)
            #expect(setting.until > .now())
            #expect(setting.until <= .now() + .seconds(60))
            #expect(capture.setting(at: setting.until) == nil)
            #expect(capture.setting() == nil)
            #expect(try await control.send(.put, "/journal/capture", "{}").json["capture"]?["body"] == 16_384)
            #expect(try await control.send(.delete, "/journal/capture").json == ["capture": .null])
            #expect(capture.setting() == nil)
        }
    }

    @Test(
        "refuse a capture without bounds",
        arguments: [
            #"{"body":-1}"#, #"{"body":1048577}"#, #"{"body":"1"}"#, #"{"for":"PT0S"}"#, #"{"for":"P2D"}"#, #"{"for":1}"#, #"{"x":1}"#,
            "[]",
        ])
    func unbounded(body: String) async throws {
        try await Self.run { control async throws in
            #expect(try await control.send(.put, "/journal/capture", body).status == 400)
            #expect(control.cloud.journal.capture.setting() == nil)
        }
    }
}
