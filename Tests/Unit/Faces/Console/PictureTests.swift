import Calls
import ControlDocuments
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("Pictures of the console")
struct PictureTests {
    private static let hostile = "</text><script>window.xss=1</script>\"' onload=x \u{202E}"

    private static func entry(
        _ number: Int64, _ face: String, _ operation: String, status: Int64 = 200, error: JSONValue = .null
    ) -> JSONValue {
        [
            "number": .integer(number), "time": "2026-01-01T00:00:01.000Z", "method": "GET", "target": "/box/key", "face": .string(face),
            "operation": .string(operation), "status": .integer(status), "error": error, "refused": .bool(status == 403), "decisions": [],
        ]
    }

    private static func decision(_ outcome: String, stages: [(String, [String], String)], statements: [JSONValue] = [])
        -> Document<DecisionMembers>
    {
        Document([
            "decision": .string(outcome), "action": "s3:GetObject", "resource": "arn:aws:s3:::box/key", "statements": .array(statements),
            "stages": .array(
                stages.map { ["stage": .string($0.0), "policies": .array($0.1.map(JSONValue.string)), "outcome": .string($0.2)] }),
        ])
    }

    private static func denied(policy: String = "files", wanted: String = "arn:aws:s3:::mine/*") -> Document<DecisionMembers> {
        decision(
            "implicitDeny",
            stages: [
                ("explicit deny", [], "absent"), ("resource-based policy", [], "absent"), ("identity-based policy", [policy], "denies"),
                ("permissions boundary", [], "unreached"), ("session policy", [], "unreached"),
            ],
            statements: [
                [
                    "policy_type": "identity-based policy", "policy": .string(policy), "statement": 1, "effect": "Allow", "applies": false,
                    "mismatch": ["element": "Action", "policy": ["s3:PutObject"], "request": ["s3:GetObject"]],
                ],
                [
                    "policy_type": "identity-based policy", "policy": .string(policy), "statement": 2, "effect": "Allow", "applies": false,
                    "mismatch": ["element": "Resource", "policy": [.string(wanted)], "request": ["arn:aws:s3:::box/key"]],
                ],
            ])
    }

    // MARK: Decisions

    @Test("light the stage that denied, and show both values of the statement that came closest")
    func denial() throws {
        let diagram = try #require(DecisionDiagram(decision: Self.denied(), id: "d"))
        #expect(diagram.stages.map(\.state) == [.reached, .reached, .refused, .waiting, .waiting])
        #expect(diagram.deciding?.title == "Resource does not match: statement 2 (Allow) of files")
        #expect(diagram.deciding?.comparison?.wanted == "arn:aws:s3:::mine/*")
        #expect(diagram.deciding?.comparison?.found == "arn:aws:s3:::box/key")
        let text = diagram.html.text
        #expect(text.contains("✗ Denied"))
        #expect(text.contains("<title id=\"d-picture\">"))
        #expect(text.contains("identity-based policy: ✗ denies (files)"))
        #expect(!text.contains("style="))
    }

    @Test("show the statement that allowed, or denied")
    func decided() throws {
        let stages = [("explicit deny", ["guard"], "silent"), ("resource-based policy", ["box"], "allows")]
        let statement: JSONObject = ["policy": "box", "statement": 3, "sid": "Read", "effect": "Allow", "applies": true]
        let allowed = try #require(
            DecisionDiagram(decision: Self.decision("allowed", stages: stages, statements: [.object(statement)]), id: "d"))
        #expect(allowed.deciding?.title == "Decided by statement 3 “Read” (Allow) of box")
        #expect(allowed.html.text.contains("✓ Allowed"))
        var deny = statement
        deny["effect"] = "Deny"
        let denied = try #require(
            DecisionDiagram(
                decision: Self.decision("explicitDeny", stages: [("explicit deny", ["box"], "denies")], statements: [.object(deny)]),
                id: "d"))
        #expect(denied.deciding?.title == "Decided by statement 3 “Read” (Deny) of box")
        #expect(denied.deciding?.comparison == nil)
    }

    @Test("are left out where there was nothing to evaluate")
    func nothing() {
        #expect(DecisionDiagram(decision: Document(["decision": "allowed"]), id: "d") == nil)
        let root = Self.decision("allowed", stages: [("explicit deny", [], "absent"), ("resource-based policy", [], "absent")])
        #expect(DecisionDiagram(decision: root, id: "d") == nil)
    }

    @Test("fit every number of stages, and every name", arguments: 1...7)
    func layout(count: Int) throws {
        let name = String(repeating: "ポリシー", count: 60)
        let stages = (0..<count).map { index in
            ("stage \(index) \(Self.hostile)", [name, Self.hostile, "c", "d"], index == count - 1 ? "denies" : "allows")
        }
        let diagram = try #require(DecisionDiagram(decision: Self.decision("implicitDeny", stages: stages), id: "d"))
        #expect(diagram.boxWidth >= 88)
        #expect(diagram.x(of: count) + diagram.boxWidth <= DecisionDiagram.width - 4)
        #expect(diagram.x(of: 1) - diagram.x(of: 0) == diagram.boxWidth + DecisionDiagram.gap)
        #expect(diagram.height > diagram.panelY)
        #expect(!diagram.html.text.contains("<script"))
        #expect(!diagram.html.text.contains("\u{202E}"))
    }

    @Test("stand above the statements of a journal entry, and stay text")
    func entryPage() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            var entry = try #require(Self.entry(7, "s3", "GetObject", status: 403, error: "AccessDenied").objectValue)
            entry["decisions"] = [Self.denied(policy: Self.hostile, wanted: Self.hostile).json]
            entry["trace_id"] = .string("0af7651916cd43dd8448eb211c80319c")
            entry["caller"] = "arn:aws:iam::000000000000:user/bob"
            console.answers["GET /journal/7"] = .object(entry)
            let text = try await console.send(.get, "/journal/7").text
            #expect(text.contains("The evaluation of s3:GetObject"))
            #expect(text.contains("/journal/sequence?trace_id=0af7651916cd43dd8448eb211c80319c"))
            #expect(text.contains("/journal/sequence?caller=arn"))
            #expect(!text.contains("<script>window"))
            #expect(!text.contains("\u{202E}"))
        }
    }

    // MARK: The chain

    @Test("light the station of the newest request on Home, if it was refused there")
    func home() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /journal"] = [
                "entries": [
                    Self.entry(5, "s3", "GetObject", status: 403, error: .string(Self.hostile)), Self.entry(4, "s3", "GetObject"),
                    Self.entry(3, "sts", "AssumeRoleWithWebIdentity"), Self.entry(2, "company", "Token"),
                    Self.entry(1, "company", "SignIn", status: 302),
                ]
            ]
            let text = try await console.send(.get, "/").text
            #expect(text.contains("class=\"box lit\""))
            #expect(text.contains("1 login<"))
            #expect(text.contains("1 token<"))
            #expect(text.contains("1 session<"))
            #expect(text.contains("<a href=\"/_virga/ui/journal/5\">"))
            #expect(!text.contains("<script>window"))
            #expect(text.utf8.count < 40_000)
        }
    }

    @Test("light nothing once a request succeeded after a refusal")
    func recovered() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /journal"] = [
                "entries": [Self.entry(2, "s3", "GetObject"), Self.entry(1, "s3", "GetObject", status: 403, error: "AccessDenied")]
            ]
            #expect(try await !console.send(.get, "/").text.contains("class=\"box lit\""))
        }
    }

    @Test("keep stations apart and inside the picture", arguments: [3, 4])
    func stations(count: Int) {
        let station = ChainDiagram.Station(
            symbol: .store, title: String(repeating: "長", count: 90), detail: Self.hostile, note: "✗ \(Self.hostile)", state: .refused)
        let chain = ChainDiagram(
            title: "x", stations: Array(repeating: station, count: count), flows: Array(repeating: "credentials", count: count - 1))
        #expect(chain.x(of: 0) >= ChainDiagram.margin)
        #expect(chain.x(of: count - 1) + ChainDiagram.boxWidth <= ChainDiagram.width - ChainDiagram.margin)
        #expect(chain.x(of: 1) - chain.x(of: 0) == ChainDiagram.boxWidth + ChainDiagram.gap)
        #expect(chain.html.text.contains("role=\"img\""))
        #expect(!chain.html.text.contains("<script"))
    }

    // MARK: Lifetimes

    @Test("end the bars of what expires next where it expires", arguments: [1, 12, 40])
    func lifetimes(count: Int) {
        let diagram = LifetimeDiagram(
            (0..<count).map {
                .init(kind: "Session", name: "\(Self.hostile)\(String(repeating: "長", count: 90))", seconds: Int64($0) * 600)
            })
        #expect(diagram.items.count == min(count, LifetimeDiagram.mostBars))
        #expect(diagram.x(of: 0) < diagram.x(of: 450))
        #expect(diagram.x(of: 1_000_000) < LifetimeDiagram.width)
        #expect(!diagram.html.text.contains("<script"))
        #expect(diagram.html.text.contains("aria-labelledby=\"lifetime-title lifetime-text\""))
    }

    @Test(
        "have a time line that fits", arguments: [(60, "20 min"), (3_600, "60 min"), (5_000, "4 h"), (90_000, "24 h")] as [(Int64, String)])
    func span(seconds: Int64, end: String) {
        let text = LifetimeDiagram([.init(kind: "Session", name: "a", seconds: seconds)]).html.text
        #expect(text.contains(">\(end)<"))
        #expect(text.contains(LifetimeDiagram.text(seconds)))
    }

    @Test("say how long is left")
    func remaining() {
        #expect(LifetimeDiagram.text(61) == "1 min 1 s")
        #expect(LifetimeDiagram.text(3_660) == "1 h 1 min")
        #expect(LifetimeDiagram.text(172_800) == "2 days")
        #expect(LifetimeDiagram([]).html.text.isEmpty)
    }

    // MARK: Sequences

    @Test("show the requests of a filter, and how many were left out")
    func sequence() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /journal"] = [
                "entries": [Self.entry(9, Self.hostile, Self.hostile, status: 403), Self.entry(8, "sts", "AssumeRole")], "selected": 12,
            ]
            let text = try await console.send(.get, "/journal/sequence?caller=bob").text
            #expect(text.contains("Requests of bob"))
            #expect(text.contains("10 earlier requests were left out."))
            #expect(text.contains("<a href=\"/_virga/ui/journal/9\">"))
            #expect(text.contains("<li value=\"8\">"))
            #expect(!text.contains("<script>window"))
            #expect(console.called == ["GET /_virga/journal?caller=bob&exclude=face%3Acontrol&limit=100&count=true"])
        }
    }

    @Test("show the requests of a walk: its trace, and the login in the browser")
    func walk() async throws {
        try await ConsoleOfATest.run { console async throws in
            let text = try await console.send(.get, "/journal/sequence?walk=abc").text
            #expect(text.contains("Requests of a walk"))
            #expect(console.called.first == "GET /_virga/journal?trace_id=\(WalkTrace(walk: "abc").id)&limit=100&count=true")
            #expect(console.called.last == "GET /_virga/journal?path=abc&exclude=face%3Acontrol&limit=100&count=true")
            #expect(TraceParent(parsing: WalkTrace(walk: "abc").header.value)?.traceID == WalkTrace(walk: "abc").id)
        }
    }
}
