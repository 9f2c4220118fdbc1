import Calls
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The journal's pages")
struct JournalPageTests {
    private static let entry: JSONValue = [
        "number": 7, "time": "2026-01-01T00:00:01.000Z", "request_id": "ABCDEF", "method": "GET", "target": "/box/key?x=1",
        "host": "localhost:4566", "face": "s3", "operation": "GetObject", "caller": "arn:aws:iam::000000000000:user/bob", "status": 403,
        "error": "AccessDenied", "refused": true, "reason": "no identity-based policy allows the s3:GetObject action", "faults": [],
        "reported": false, "duration_ms": 1.25,
        "decisions": [
            [
                "action": "s3:GetObject", "resource": "arn:aws:s3:::box/key", "allowed": false, "decision": "implicitDeny",
                "reason": "no identity-based policy allows the s3:GetObject action",
                "statements": [
                    [
                        "policy_type": "identity-based policy", "policy": "files", "statement": 1, "sid": nil, "effect": "Allow",
                        "applies": false,
                        "mismatch": ["element": "Resource", "policy": ["arn:aws:s3:::mine/*"], "request": ["arn:aws:s3:::box/key"]],
                    ]
                ],
                "remedy": [["policy_type": "identity-based policy", "policy": "files", "add": ["Effect": "Allow"]]],
            ]
        ],
    ]

    @Test("list requests with a link to each")
    func list() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /journal"] = ["entries": [Self.entry], "last": 7, "first": 1, "generation": 1, "capture": nil]
            let page = try await console.send(.get, "/journal?denied=true&text=box&caller=bob")
            #expect(page.text.contains("href=\"/_virga/ui/journal/7\""))
            #expect(page.text.contains("data-last=\"7\""))
            #expect(page.text.contains("denied</span>"))
            #expect(page.text.contains(">1.3<"))
            #expect(console.called == ["GET /_virga/journal?text=box&caller=bob&denied=true&exclude=face%3Acontrol&limit=150"])
        }
    }

    @Test("group requests by their traces, in the order of time")
    func groups() async throws {
        func entry(_ number: Int64, _ trace: JSONValue, refused: Bool = false) -> JSONValue {
            [
                "number": .integer(number), "time": .string("2026-01-01T00:00:0\(number).000Z"), "trace_id": trace, "method": "GET",
                "target": "/", "face": "s3", "operation": .string("Call\(number)"), "status": refused ? 403 : 200,
                "refused": .bool(refused),
            ]
        }
        let entries: [JSONValue] = [
            entry(6, .null), entry(5, "<b>"), entry(4, "<b>", refused: true), entry(3, .null), entry(2, .null), entry(1, "<b>"),
        ]
        let groups = JournalGroups(entries.map { Document($0.objectValue ?? [:]) }).groups
        #expect(groups.map(\.entries.count) == [1, 3, 2])
        #expect(groups.map { $0.trace ?? "" } == ["", "<b>", ""])
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /journal"] = ["entries": .array(entries), "last": 6, "first": 1, "generation": 1, "capture": nil]
            let page = try await console.send(.get, "/journal?group=trace").text
            #expect(page.contains("3 requests"))
            #expect(page.contains("✗ 1 denied"))
            #expect(!page.contains("<b>"))
            #expect(!page.contains("data-live"))
            let first = try #require(page.firstRange(of: "s3 Call1"))
            let second = try #require(page.firstRange(of: "s3 Call4"))
            #expect(first.lowerBound < second.lowerBound)
            #expect(console.called == ["GET /_virga/journal?exclude=face%3Acontrol&limit=100"])
        }
    }

    @Test("say what to do while there are no requests, and when no request matches")
    func empty() async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.get, "/journal").text.contains("aws s3 ls --endpoint-url http://localhost:4566"))
            #expect(try await console.send(.get, "/journal?status=418").text.contains("No request matches these filters."))
        }
    }

    @Test("show each statement with the values that were compared, and what would allow the request")
    func detail() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /journal/7"] = Self.entry
            let page = try await console.send(.get, "/journal/7")
            for text in ["✗ does not apply", "arn:aws:s3:::mine/*", "arn:aws:s3:::box/key", "What would allow this", "were not captured"] {
                #expect(page.text.contains(text))
            }
        }
    }

    @Test("an entry that is gone has a page")
    func gone() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /journal/9"] = ["error": "unknown_request", "message": "gone"]
            #expect(try await console.send(.get, "/journal/9").status == 404)
        }
    }

    @Test("escape everything that a request contains")
    func escaping() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            let hostile = "<script>x</script>\"><img src=x onerror=x>'\u{202E}\u{0}\u{1B}[31m"
            var entry = try #require(Self.entry.objectValue)
            for name in ["target", "host", "face", "operation", "caller", "error", "reason", "request_id", "method"] {
                entry[name] = .string(hostile)
            }
            entry["decisions"] = [
                ["action": .string(hostile), "resource": .string(hostile), "allowed": false, "explanation": [.string(hostile)]]
            ]
            console.answers["GET /journal"] = ["entries": [.object(entry)]]
            console.answers["GET /journal/7"] = .object(entry)
            for path in ["/journal?text=%3Cscript%3Ex", "/journal/7", "/"] {
                let text = try await console.send(.get, path).text
                #expect(!text.contains("<script>x"))
                #expect(!text.contains("<img"))
                #expect(!text.contains("\u{202E}"))
                #expect(!text.contains("\u{1B}"))
                #expect(!text.contains("\u{0}"))
            }
        }
    }

    @Test("replay without the old signature, as the chosen caller")
    func replay() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            var entry = try #require(Self.entry.objectValue)
            entry["target"] = "/box/key?x=1&X-Amz-Signature=abc&X-Amz-Date=now"
            console.answers["GET /journal/7"] = .object(entry)
            console.answers["POST /send"] = ["number": 8]
            let answer = try await console.send(
                .post, "/journal/7/replay", ConsoleOfATest.form, body: "form=form-open&as=arn:aws:iam::000000000000:root")
            #expect(answer.status == 303)
            #expect(answer["Location"] == "/_virga/ui/journal/8?of=7")
            let sent = console.calls.with { $0.last { $0.target == "/_virga/send" } }
            let request = try #require(sent)
            let body = try JSONValue(parsing: await request.body.collectedText)
            #expect(body == ["method": "GET", "target": "/box/key?x=1", "as": "arn:aws:iam::000000000000:root", "service": "s3"])
        }
    }
}

@Suite("Documents laid out for reading")
struct LayoutTests {
    @Test("are indented if they are JSON or XML, and unchanged otherwise")
    func layout() {
        #expect(Layout.indented("{\"a\":1}").contains("\n"))
        #expect(Layout.indented("<a><b>1</b><c/></a>") == "<a>\n  <b>1</b>\n  <c/>\n</a>")
        #expect(Layout.indented("<a><b>") == "<a><b>")
        #expect(Layout.indented("plain") == "plain")
        #expect(Layout.indented("") == "")
    }

    @Test("keep their lines and show control characters")
    func lines() {
        #expect(Parts.lines("a\tb\nc\u{1B}[0m\r\nd") == "a    b\nc%1B[0m\nd")
    }
}
