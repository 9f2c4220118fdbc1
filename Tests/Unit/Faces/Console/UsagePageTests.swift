import Calls
import ControlDocuments
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The pages about usage and coverage")
struct UsagePageTests {
    private static let hostile = "</pre><script>window.xss=1</script>\"' onload=x \u{202E}"

    private static func statement(_ number: Int64, _ use: String, line: Int64, sid: JSONValue = .null) -> JSONValue {
        [
            "statement": .integer(number), "sid": sid, "effect": "Allow", "line": .integer(line), "use": .string(use),
            "applied": .integer(use == "never" ? 0 : 3), "decided": .integer(use == "decided" ? 2 : 0),
        ]
    }

    private static let document: JSONValue = [
        "Version": "2012-10-17",
        "Statement": [
            ["Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"], ["Effect": "Allow", "Action": "s3:Put*", "Resource": "*"],
            ["Effect": "Allow", "Action": "s3:Delete*", "Resource": "*"],
        ],
    ]

    private static func policy(_ document: JSONValue = document, lines: [Int64] = [4, 9, 14], sid: JSONValue = .null) -> JSONValue {
        [
            "policy_type": "identity-based policy", "policy": "files", "holder": "role app in 000000000000", "file": "a/b.json",
            "document": document,
            "statements": .array(
                zip(["decided", "applied", "never"], lines).enumerated().map {
                    statement(Int64($0.offset) + 1, $0.element.0, line: $0.element.1, sid: sid)
                }),
        ]
    }

    private static func coverage(_ policies: [JSONValue], requests: Int64 = 5) -> JSONValue {
        [
            "complete": true, "requests": .integer(requests), "statements": ["decided": 1, "applied": 1, "never": 1],
            "policies": .array(policies),
        ]
    }

    private static func history(_ intervals: [(String, Int64, Int64)], step: String = "PT60S") -> Document<HistoryMembers> {
        Document([
            "enabled": true, "allowed": .integer(intervals.reduce(0) { $0 + $1.1 }), "denied": .integer(intervals.reduce(0) { $0 + $1.2 }),
            "step": .string(step),
            "intervals": .array(intervals.map { ["start": .string($0.0), "allowed": .integer($0.1), "denied": .integer($0.2)] }),
        ])
    }

    // MARK: Coverage

    @Test("divide the text of a policy into its statements, and lose no line")
    func parts() throws {
        let text = Self.document.serialized(pretty: true)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0].trimmed == "{" && $0 > 0 }.map { Int64($0) + 1 }
        let map = CoverageMap(policy: Document(Self.policy(lines: starts).objectValue ?? [:]), requests: 5, isComplete: true)
        #expect(map.parts.map(\.text).joined(separator: "\n") == text)
        #expect(map.parts.compactMap { $0.statement?.use } == ["decided", "applied", "never"])
        let found = map.parts.first { $0.statement?.use == "applied" }
        #expect(found?.text.contains("s3:Put*") == true)
        #expect(found?.text.contains("s3:Delete*") == false)
        #expect(map.summary == "Of 3 statements, 1 decided a request, 1 was used without changing a decision, 1 never applied.")
        #expect(map.html.text.contains("it applied to 3 requests and decided 2."))
        #expect(map.html.text.contains("<span aria-hidden=\"true\">○</span> used"))
    }

    @Test(
        "show the whole text where the lines of statements are not known", arguments: [[1, 1, 1], [90, 91, 92], [9, 4, 2], [0, 0, 0]])
    func unknownLines(lines: [Int64]) {
        let map = CoverageMap(policy: Document(Self.policy(lines: lines).objectValue ?? [:]), requests: 5, isComplete: true)
        #expect(map.parts.map(\.text).joined(separator: "\n") == Self.document.serialized(pretty: true))
    }

    @Test("show the policy of a link, and nothing for others")
    func coveragePage() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            let document: JSONValue = ["Statement": [["Sid": .string(Self.hostile)], [:], [:]]]
            console.answers["GET /usage/coverage"] = Self.coverage([Self.policy(document, sid: .string(Self.hostile))])
            let page = try await console.send(.get, "/policies/coverage?file=a%2Fb.json")
            #expect(page.status == 200)
            #expect(!page.text.contains("<script>window"))
            #expect(!page.text.contains("\u{202E}"))
            #expect(console.called == ["GET /_virga/usage/coverage?file=a%2Fb.json"])
            console.answers["GET /usage/coverage"] = Self.coverage([])
            #expect(try await console.send(.get, "/policies/coverage?file=no").status == 404)
        }
    }

    // MARK: Usage over time

    @Test("draw a bar for each interval from the first to the last, and put numbers beside it")
    func bars() throws {
        let diagram = try #require(
            UsageDiagram(Self.history([("2026-01-01T00:00:00Z", 3, 1), ("2026-01-01T00:01:00Z", 1, 0), ("2026-01-01T00:09:00Z", 0, 2)])))
        #expect(diagram.bars.map(\.total) == [4, 1, 0, 0, 0, 0, 0, 0, 0, 2])
        #expect(diagram.busiest == .init(name: "01-01 00:00", allowed: 3, denied: 1))
        #expect(diagram.length == "minute")
        #expect(diagram.summary.contains("01-01 00:09: 0 allowed, 2 denied"))
        let text = diagram.html.text
        #expect(text.components("<rect class=\"good\"") == 2)
        #expect(text.components("<rect class=\"bad\"") == 2)
        #expect(!text.contains("style="))
        #expect(UsageDiagram(Self.history([])) == nil)
    }

    @Test(
        "fit every span of time",
        arguments: [
            ("PT60S", "2026-01-01T00:59:00Z", 60), ("PT60S", "2026-01-01T01:00:00Z", 31), ("PT60S", "2026-01-01T11:59:00Z", 60),
            ("PT3600S", "2031-01-01T00:00:00Z", 60), ("PT1099511627776S", "2026-01-01T00:00:00Z", 1),
        ])
    func spans(step: String, end: String, count: Int) throws {
        let diagram = try #require(UsageDiagram(Self.history([("2026-01-01T00:00:00Z", 1_000_000, 1), (end, 1, 7)], step: step)))
        #expect(diagram.bars.count == count)
        #expect(diagram.bars.reduce(0) { $0 + $1.total } == 1_000_009)
        for index in diagram.bars.indices {
            #expect(diagram.x(of: index) < diagram.x(of: index + 1))
            #expect(diagram.x(of: index + 1) <= UsageDiagram.width)
        }
        #expect(diagram.pixels(1) == 2)
        #expect(diagram.pixels(0) == 0)
        #expect(!diagram.html.text.contains("y=\"-"))
    }

    @Test("have words for lengths of time")
    func words() {
        let lengths: [Int64] = [60, 300, 3_600, 7_200, 86_400, 90, 2_592_000]
        #expect(lengths.map(UsageDiagram.words) == ["minute", "5 minutes", "hour", "2 hours", "day", "90 seconds", "30 days"])
    }

    @Test("list policies with their numbers, and record by buttons")
    func usagePage() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            #expect(try await console.send(.get, "/policies/usage").text.contains("Requests are not recorded."))
            console.answers["GET /usage/history"] = Self.history([("2026-01-01T00:00:00Z", 3, 1)]).json
            console.answers["GET /usage/coverage"] = Self.coverage([Self.policy()])
            let text = try await console.send(.get, "/policies/usage").text
            #expect(text.contains("4 in the minute from 01-01 00:00"))
            #expect(text.contains("/_virga/ui/policies/coverage?file=a%2Fb.json"))
            #expect(text.contains("Stop recording"))
            for (action, call) in [("record", "PUT"), ("stop", "PUT"), ("forget", "DELETE")] {
                let answer = try await console.send(.post, "/policies/\(action)", ConsoleOfATest.form, body: "form=form-open")
                #expect(answer.status == 303)
                #expect(answer.fields[.location]?.hasPrefix("/_virga/ui/policies/usage?done=") == true)
                #expect(console.called.last == "\(call) /_virga/usage")
            }
        }
    }

    @Test("stay short, however many policies there are")
    func size() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /usage/coverage"] = Self.coverage(Array(repeating: Self.policy(), count: 2_000))
            let text = try await console.send(.get, "/policies/usage").text
            #expect(text.utf8.count < 130_000)
            #expect(text.contains("more policies are not shown."))
        }
    }
}

extension String {
    /// Returns how often a text occurs.
    fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
