import Testing
import WireFormats

@testable import Directory

@Suite("Response templates of custom APIs")
struct AnswerTemplateTests {
    static let values: [AnswerTemplate.Name: JSONValue] = [
        .path("id"): "7", .query("q"): "say \"hi\"\n", .header("X-Part.No"): "p", .body(["a", "b"]): 3, .user(.roles): ["A", "B"],
        .user(.username): "erika",
    ]

    struct Case: Sendable {
        var text: String
        var filled: String
        var isJSON: Bool

        init(_ text: String, _ filled: String, json isJSON: Bool = true) {
            self.text = text
            self.filled = filled
            self.isJSON = isJSON
        }
    }

    static let cases = [
        Case("no value", "no value", json: false), Case("{{path.id}}", "7", json: false), Case("{{ path.id }}!", "7!", json: false),
        Case("{{query.q}}", "say \"hi\"\n", json: false), Case("{{query.none}}.", ".", json: false),
        Case("{{user.roles}}", #"["A","B"]"#, json: false), Case("{{header.X-Part.No}}", "p", json: false),
        Case(#"{"id":"{{path.id}}"}"#, #"{"id":"7"}"#), Case(#"{"id":{{path.id}}}"#, #"{"id":"7"}"#),
        Case(#"{"q":"<{{query.q}}>"}"#, #"{"q":"<say \"hi\"\n>"}"#), Case(#"{"n":{{body.a.b}}}"#, #"{"n":3}"#),
        Case(#"{"n":"{{body.a.b}} of it"}"#, #"{"n":"3 of it"}"#), Case(#"[{{query.none}},"{{query.none}}"]"#, #"[null,""]"#),
        Case(#"{"r":{{user.roles}}}"#, #"{"r":["A","B"]}"#), Case(#"{"a\"{{path.id}}":1}"#, #"{"a\"7":1}"#),
    ]

    @Test("are filled in, escaped if the content is JSON", arguments: cases)
    func fills(_ example: Case) throws {
        let template = try #require(AnswerTemplate(example.text, parameters: ["id"]))
        #expect(template.text(asJSON: example.isJSON) { Self.values[$0] } == example.filled)
    }

    @Test(
        "are refused if they refer to an unknown value",
        arguments: [
            "{{path.other}}", "{{user.password}}", "{{query}}", "{{}}", "{{body..a}}", "{{path.id", "{{backend.secret}}", "{{method.x}}",
        ])
    func unknown(_ text: String) { #expect(AnswerTemplate(text, parameters: ["id"]) == nil) }

    @Test("have a content type that follows from their text")
    func types() {
        #expect(CustomAPI.contentType(of: "{{path.id}}", isTemplate: true) == "text/plain; charset=utf-8")
        #expect(CustomAPI.contentType(of: "{\"a\": {{path.id}}}", isTemplate: true) == "application/json")
        #expect(CustomAPI.contentType(of: "[1]", isTemplate: false) == "application/json")
        #expect(CustomAPI.contentType(of: "[1", isTemplate: false) == "text/plain; charset=utf-8")
        #expect(CustomAPI.contentType(of: "5", isTemplate: false) == "text/plain; charset=utf-8")
        #expect(CustomAPI.isJSON("Application/Problem+JSON; charset=utf-8"))
        #expect(!CustomAPI.isJSON("text/json5"))
    }
}
