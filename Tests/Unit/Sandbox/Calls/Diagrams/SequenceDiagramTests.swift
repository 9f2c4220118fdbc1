import Directory
import Testing
import WireFormats

@testable import Calls

@Suite("Sequence diagrams")
struct SequenceDiagramTests {
    private static let hostile = "</text><script>window.xss=1</script>\"' onload=x \u{FFFF}\u{202E}\u{1B}[31m"

    private static func step(
        _ number: Int64, _ face: String, _ operation: String?, status: Int64 = 200, error: JSONValue = .null, reason: JSONValue = .null,
        resource: String = "arn:aws:s3:::box/key"
    ) -> JournalStep {
        JournalStep(json: [
            "number": .integer(number), "time": "2026-01-01T00:00:01.000Z", "face": .string(face),
            "operation": operation.map(JSONValue.string) ?? .null, "method": "GET", "target": "/box/key?x=1", "status": .integer(status),
            "error": error, "reason": reason, "refused": .bool(status == 403),
            "decisions": [["action": "x", "resource": .string(resource), "allowed": true]],
        ])
    }

    private static let walk = [
        step(1, "company", "Authorize"), step(2, "company", "SignIn", status: 302), step(3, "company", "Token"),
        step(4, "sts", "AssumeRoleWithWebIdentity", resource: "arn:aws:iam::000000000000:role/files"), step(5, "s3", "GetObject"),
        step(6, "s3", "GetObject", status: 403, error: "AccessDenied", reason: "because no policy allows it"), step(7, "s3", nil),
    ]

    @Test("have a lifeline for each party that took part, in order")
    func lifelines() {
        let diagram = SequenceDiagram(Self.walk)
        #expect(diagram.lifelines.map(\.party) == [.browser, .application, .provider, .sts, .store])
        #expect(diagram.lifelines[2].detail == "company")
        #expect(SequenceDiagram([Self.step(1, "oss", "PostObject")]).lifelines.map(\.party) == [.browser, .store])
    }

    @Test(
        "know the party of every face",
        arguments: [
            ("alibaba-sts", .sts), ("account", .iam), ("ram", .iam), ("oss", .store), ("mobile", .mobile), ("tvm", .credentialDoor),
            ("imds", .credentialDoor), ("pod-identity", .credentialDoor), ("rolesanywhere", .credentialDoor), ("signin", .credentialDoor),
            (CredentialSources.serviceOfPods, .credentialDoor),
            ("control", .control), ("company", .provider), ("webfinger", .provider),
        ] as [(String, DiagramParty)])
    func parties(face: String, party: DiagramParty) {
        #expect(Self.step(1, face, "Op").receiver == party)
    }

    @Test("have an arrow for each request, from its sender to its receiver")
    func arrows() {
        let diagram = SequenceDiagram(Self.walk)
        let places = Dictionary(uniqueKeysWithValues: diagram.lifelines.map { ($0.party, $0.x) })
        let senders: [DiagramParty] = [.browser, .browser, .application, .application, .application, .application, .application]
        let receivers: [DiagramParty] = [.provider, .provider, .provider, .sts, .store, .store, .store]
        #expect(diagram.rows.map(\.from) == senders.compactMap { places[$0] })
        #expect(diagram.rows.map(\.to) == receivers.compactMap { places[$0] })
        #expect(diagram.rows[3].label == "AssumeRoleWithWebIdentity role/files")
        #expect(diagram.rows[6].label == "GET /box/key box/key")
    }

    @Test("keep everything apart", arguments: [1, 7, 100])
    func layout(count: Int) {
        let faces = ["company", "sts", "iam", "s3", "mobile", "imds", "control"]
        let steps = (1...count).map { Self.step(Int64($0), faces[$0 % faces.count], "Op", status: $0 % 2 == 0 ? 403 : 200, reason: "why") }
        let diagram = SequenceDiagram(steps)
        for (left, right) in zip(diagram.lifelines, diagram.lifelines.dropFirst()) {
            #expect(left.x + left.width / 2 < right.x - right.width / 2)
        }
        #expect(diagram.lifelines.allSatisfy { $0.x - $0.width / 2 > SequenceDiagram.timeWidth })
        #expect(diagram.lifelines.allSatisfy { $0.x + $0.width / 2 < SequenceDiagram.outcomeX })
        // A label takes 20 pixels above its arrow, a reason 22 below.
        for (upper, lower) in zip(diagram.rows, diagram.rows.dropFirst()) {
            #expect(upper.y + (upper.hasReason ? 22 : 8) < lower.y - 20)
        }
        #expect(diagram.rows.allSatisfy { $0.textX + $0.textWidth <= SequenceDiagram.outcomeX })
        #expect(diagram.height > (diagram.rows.last?.y ?? 0) + 20)
    }

    @Test("show the newest hundred requests and say how many they leave out")
    func limit() {
        let steps = (1...130).map { Self.step(Int64($0), "s3", "GetObject") }
        let diagram = SequenceDiagram(steps, earlier: 7)
        #expect(diagram.rows.count == SequenceDiagram.mostArrows)
        #expect(diagram.rows.first?.step.number == 31)
        #expect(diagram.leftOut == 37)
        #expect(diagram.file(title: "x", entries: "/").contains("37 earlier requests were left out."))
        #expect(SequenceDiagram(Self.walk).leftOutSentence == nil)
    }

    @Test("link each arrow to its entry, and end refusals in a cross with code and reason")
    func links() throws {
        let text = SequenceDiagram(Self.walk).html(title: "A walk", entries: "/_virga/ui/journal/").text
        for number in 1...7 { #expect(text.contains("<a href=\"/_virga/ui/journal/\(number)\">")) }
        #expect(text.contains("✗ 403 AccessDenied"))
        #expect(text.contains("because no policy allows it"))
        #expect(text.contains("l12 12m0 -12l-12 12"))
        #expect(text.contains("<title id=\"sequence-title\">A walk</title>"))
        #expect(text.contains("7 requests between Browser, Application, Provider, STS, Store"))
        #expect(text.contains("1 failed."))
        // Inline styles would violate the content security policy.
        #expect(!text.contains("style"))
    }

    @Test("are well-formed files, whatever the texts are")
    func files() throws {
        let names = [
            Self.hostile, String(repeating: "名前", count: 300), "اسم المستخدم", "नमस्ते दुनिया", "👩‍👩‍👧",
            "e" + String(repeating: "\u{301}", count: 500),
        ]
        let steps = names.enumerated().map { index, name in
            Self.step(Int64(index), name, name, status: 403, error: .string(name), reason: .string(name), resource: name)
        }
        let text = SequenceDiagram(steps).file(title: Self.hostile, entries: "http://localhost:4566/_virga/ui/journal/")
        let root = try XMLElement(parsing: Array(text.utf8))
        #expect(root.name == "svg")
        #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(!text.contains("<script"))
        #expect(!text.contains("\u{202E}"))
        #expect(!text.contains("\u{1B}"))
        #expect(text.utf8.count < 40_000)
    }

    @Test("a hundred arrows with long texts are below 120 KB")
    func size() {
        let long = String(repeating: "<a&b>", count: 200)
        let steps = (1...100).map { number in
            Self.step(Int64(number), "s3", "GetObject", status: 403, error: .string(long), reason: .string(long), resource: long)
        }
        #expect(SequenceDiagram(steps).html(title: "x", entries: "/_virga/ui/journal/").text.utf8.count < 120_000)
    }
}

@Suite("Texts of diagrams")
struct DiagramTextTests {
    @Test(
        "stay inside their place",
        arguments: [
            "short", "arn:aws:s3:::personal-files/employee-0001-alice/notes.txt", String(repeating: "W", count: 100),
            String(repeating: "名", count: 100), "a" + String(repeating: "\u{301}", count: 50), String(repeating: "x", count: 10_000), "",
        ])
    func width(text: String) {
        for width in [0, 10, 60, 300] {
            for font in [DiagramText.Font.plain, .bold, .mono] {
                let fitted = DiagramText.fitted(text, to: width, size: 13, font: font)
                #expect(DiagramText.width(of: fitted, size: 13, font: font) <= Double(width))
            }
        }
    }

    @Test("keep both ends")
    func middle() {
        let fitted = DiagramText.fitted("arn:aws:s3:::personal-files/employee-0001-alice/notes.txt", to: 200, size: 13)
        #expect(fitted.hasPrefix("arn:aws:s3:"))
        #expect(fitted.hasSuffix("notes.txt"))
        #expect(fitted.contains("…"))
        #expect(DiagramText.fitted("short", to: 200, size: 13) == "short")
    }

    @Test("are clipped if fonts decide their width")
    func clipping() {
        #expect(DiagramText.label("ascii", x: 10, y: 20, width: 100).text == "<text x=\"10\" y=\"20\">ascii</text>")
        #expect(
            DiagramText.label("é", x: 110, y: 20, width: 100, anchor: .end).text
                == "<svg x=\"10\" y=\"6\" width=\"100\" height=\"19\"><text x=\"100\" y=\"14\" text-anchor=\"end\">é</text></svg>")
        #expect(DiagramText.label("é", x: 60, y: 20, width: 100, anchor: .middle).text.hasPrefix("<svg x=\"10\""))
    }
}
