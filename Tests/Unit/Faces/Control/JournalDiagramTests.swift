import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("The journal as a sequence diagram")
struct JournalDiagramTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    private static func run(_ test: (ControlSandbox) async throws -> Void) async throws {
        try await ControlSandbox.run { control async throws in
            for number in 1...3 {
                var entry = JournalEntry(
                    time: Timestamp(seconds: 1), requestID: "ID\(number)", method: "GET", target: "/box/<key>", host: "localhost",
                    face: "s3",
                    caller: nil, operation: "GetObject", decisions: [], status: 200, errorCode: nil)
                if number < 3 { entry.trace = TraceParent(parsing: "00-\(trace)-b7ad6b7169203331-01") }
                control.cloud.journal.append(entry)
            }
            try await test(control)
        }
    }

    @Test("draws the selected requests, with links to the console")
    func drawing() async throws {
        try await Self.run { control async throws in
            let answer = try await control.sendRaw(.get, "/journal/diagram?trace_id=\(Self.trace)")
            #expect(answer.status == 200)
            #expect(answer.fields[.contentType] == "image/svg+xml")
            #expect(answer.text.contains("Trace \(Self.trace)"))
            #expect(answer.text.contains("/_virga/ui/journal/1\""))
            #expect(answer.text.contains("/_virga/ui/journal/2\""))
            #expect(!answer.text.contains("/_virga/ui/journal/3\""))
            #expect(try XMLElement(parsing: Array(answer.text.utf8)).name == "svg")
        }
    }

    @Test("says how many requests it leaves out")
    func limit() async throws {
        try await Self.run { control async throws in
            #expect(try await control.sendRaw(.get, "/journal/diagram?limit=1").text.contains("2 earlier requests were left out."))
            #expect(try await control.send(.get, "/journal/diagram?limit=1001").status == 400)
        }
    }

    @Test("the journal selects a trace, and counts what it selects if asked to")
    func selection() async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/journal?trace_id=\(Self.trace)&limit=1&count=true").json
            #expect(answer["entries"]?.arrayValue?.count == 1)
            #expect(answer["selected"] == 2)
            let others = try await control.send(.get, "/journal?exclude=trace_id:\(Self.trace)&exclude=face:control").json
            #expect(others["entries"]?.arrayValue?.map { $0["number"] } == [3])
            #expect(try await control.send(.get, "/journal").json["selected"] == nil)
            #expect(try await control.send(.get, "/journal?count=1").status == 400)
        }
    }
}
