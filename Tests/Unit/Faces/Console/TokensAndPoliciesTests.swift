import ControlDocuments
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The token debugger and the policy simulator")
struct TokensAndPoliciesTests {
    private struct Note: KeptInMemory {
        let id: String
        var generation: Int64 = 1
        var created: Timestamp
        var size = 0
    }

    @Test("keep texts for their session, for two hours, up to a number and a size, and until a reset")
    func memory() {
        let notes = PageMemory<Note>(limit: 3, capacity: 100)
        let start = Timestamp(seconds: 1_000_000)
        for number in 0..<4 { notes.keep(Note(id: "\(number)", created: start + .seconds(number)), session: "one") }
        #expect(notes.all(generation: 1, session: "one", at: start).map(\.id) == ["3", "2", "1"])
        notes.keep(Note(id: "long", created: start + .seconds(9), size: 200), session: "one")
        #expect(notes.all(generation: 1, session: "one", at: start).map(\.id) == ["long"], "the newest one stays, however long it is")
        #expect(notes.value("long", generation: 1, session: "one", at: start + .seconds(7300)) == nil)
        notes.keep(Note(id: "a", created: start), session: "one")
        #expect(notes.value("a", generation: 1, session: "two", at: start) == nil)
        #expect(notes.all(generation: 1, session: "two", at: start).isEmpty)
        notes.remove("a", session: "two")
        #expect(notes.value("a", generation: 1, session: "one", at: start) != nil)
        #expect(notes.value("a", generation: 2, session: "one", at: start) == nil)
    }

    @Test(
        "find the place of a member in a text",
        arguments: [
            ("Statement[0].Effect", 3, 6), ("Statement[0]", 3, 5), ("Statement", 2, 3), ("Statement[0].Condition.Bool", 3, 5), ("", 1, 1),
        ])
    func places(path: String, line: Int, column: Int) throws {
        let text = "{\n  \"Statement\": [\n    {\"Effect\": \"Maybe\"}\n  ]\n}"
        let place = try #require(JSONPlaces.place(of: path, in: text))
        #expect(place.line == line)
        #expect(place.column == column)
        for broken in ["", "{", "[[[", "{\"a\"", "{\"a\":", "\"", "{\"a\\", "[1,", "{\"a\":[}"] {
            _ = JSONPlaces.place(of: "a[0].b", in: broken)
        }
        #expect(TextPlace(1_000, in: "a\nb").description == "line 2, column 2")
    }

    @Test("put a question into the URL and read it again")
    func question() {
        var form: FormFields = ["as": " arn:aws:iam::1:user/ann ", "action": "s3:GetObject\r\ns3:GetObject\n\ns3:PutObject"]
        for (name, value) in [
            ("resource", "arn:aws:s3:::b/a key"), ("key", "aws:TagKeys"), ("value", "a\nb"), ("key", "aws:x"), ("value", ""),
        ] {
            form.fields.append(.init(name: name, value: value))
        }
        let question = SimulationQuestion(form)
        #expect(question.caller == "arn:aws:iam::1:user/ann")
        #expect(question.actions == ["s3:GetObject", "s3:PutObject"])
        #expect(question.resources == ["arn:aws:s3:::b/a key"])
        #expect(question.contextJSON == ["aws:TagKeys": ["a", "b"]])
        #expect(SimulationQuestion(question.query) == question)
        let added = SimulationQuestion([
            "as": "a", "action": "s3:GetObject", "add-action": "s3:GetObject", "resource": "r", "add-resource": "s",
        ])
        #expect(added.actions == ["s3:GetObject"])
        #expect(added.resources == ["r", "s"])
    }

    @Test("compare a token with a good one, except for what differs in every token")
    func differences() {
        func inspection(_ alg: JSONValue, _ claims: JSONValue) -> Document<InspectionMembers> {
            Document(["kind": "jwt", "decoded": ["header": ["alg": alg], "claims": claims]])
        }
        let good = inspection("RS256", ["aud": "app", "exp": 2000, "jti": "a", "iat": 1000])
        let bad = inspection("none", ["aud": "other", "exp": 2001, "jti": "b", "iat": 1001])
        #expect(TokenDifference.all(bad, good: good).map(\.name) == ["header alg", "claim aud"])
        let late = inspection("RS256", ["aud": "app", "exp": 9000])
        #expect(TokenDifference.all(late, good: good).map(\.name) == ["claim exp", "claim iat"])
        #expect(TokenDifference.all(Document(), good: Document()).isEmpty)
    }

    @Test("have words for every fault")
    func faults() {
        for fault in TokenFaultWords.tokenFaults + ["unknown"] {
            #expect(!TokenFaultWords.text(for: fault, isAssertion: false).wrong.isEmpty)
        }
        for fault in TokenFaultWords.assertionFaults { #expect(!TokenFaultWords.text(for: fault, isAssertion: true).noticed.isEmpty) }
        #expect(TokenFaultWords.tokenFaults.count == 23)
    }

    @Test("end with the text that was kept")
    func gone() async throws {
        try await ConsoleOfATest.run { console async throws in
            for path in ["/tokens/nothing", "/policies/nothing", "/time/nothing"] {
                #expect(try await console.send(.get, path).status == 404, "\(path)")
            }
            for path in ["/tokens/nothing/break", "/policies/nothing/save", "/time/nothing"] {
                #expect(try await console.send(.post, path, ConsoleOfATest.form, body: "form=form-open").status == 404, "\(path)")
            }
        }
    }

    @Test("never put a pasted text into a URL")
    func pasted() async throws {
        try await ConsoleOfATest.run { console async throws in
            let answer = try await console.send(.post, "/tokens/inspect", ConsoleOfATest.form, body: "form=form-open&text=secret-text")
            #expect(answer.status == 303)
            #expect(answer.fields[.location]?.contains("secret") == false)
            #expect(!console.called.contains { $0.contains("secret") })
            #expect(console.called.contains("POST /_virga/inspect"))
        }
    }
}
