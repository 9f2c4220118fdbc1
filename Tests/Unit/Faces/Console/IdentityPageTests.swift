import Calls
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The pages of Identity")
struct IdentityPageTests {
    private static let provider: JSONValue = [
        "name": "company", "issuer": "https://login.company.example", "clients": [["id": "web", "secret": "s3cret"]],
        "people": [["name": "alice", "subject": "1", "password": "p"]],
    ]

    @Test("say what to add to an empty cloud")
    func empty() async throws {
        try await ConsoleOfATest.run { console async throws in
            let page = try await console.send(.get, "/identity")
            #expect(page.text.contains("There is no identity provider."))
            #expect(page.text.contains("There is no account."))
        }
    }

    @Test("merge a form with the members of the document that it does not show")
    func merge() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /providers/facebook/people/alice"] = [
                "name": "alice", "subject": "1", "password": "p", "facebook": ["testUserOf": "9", "block": "checkpoint"],
            ]
            let body = "form=form-open&person=alice&subject=2&password=q&claims=%7B%22a%22%3A1%7D&block="
            let answer = try await console.send(
                .post, "/identity/providers/facebook/save-person", ConsoleOfATest.form, body: body)
            #expect(answer.status == 303)
            #expect(answer["Location"] == "/_virga/ui/identity/providers/facebook/people/alice?done=saved")
            let sent = try await console.calls.with { $0.last }?.body.collectedText
            #expect(
                try sent.map { try JSONValue(parsing: $0) } == [
                    "name": "alice", "subject": "2", "password": "q", "facebook": ["testUserOf": "9"], "claims": ["a": 1],
                ])
        }
    }

    @Test("name the field of an error")
    func fields() {
        func field(_ message: String) -> String? {
            IdentityResult(action: "a", refusal: ConsoleRefusal(code: "malformed_person", message: message)).field
        }
        #expect(field("Expected at subject the person's identifier at the provider.") == "subject")
        #expect(field("Expected at facebook.block one of checkpoint, unconfirmed.") == "facebook")
        #expect(field("Expected at redirectURIs[0] a URL.") == "redirectURIs")
        #expect(field("Expected a JSON object.") == nil)
    }

    @Test("refuse unknown pages and actions", arguments: ["/identity/x", "/identity/accounts/1", "/identity/providers/company/other/x"])
    func unknown(path: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.get, path).status == 404)
            #expect(try await console.send(.post, path, ConsoleOfATest.form, body: "form=form-open").status == 404)
        }
    }

    @Test("show the keys and sessions of a provider, and what clients know a person by")
    func keysAndSessions() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            let (begin, end): (JSONValue, JSONValue) = ("2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00.000Z")
            console.answers["GET /providers/company"] = Self.provider
            console.answers["GET /providers/company/people/alice"] = ["name": "alice", "subject": "1", "password": "p"]
            console.answers["GET /providers/company/people/alice/subjects"] = ["subjects": [["client": "web", "subject": "pairwise"]]]
            console.answers["GET /keys"] = [
                "providers": ["company": [["kid": "k1", "alg": "ES256", "created": begin, "stage": "retired", "leaves": end]]]
            ]
            console.answers["GET /providers/company/sessions"] = [
                "sessions": [
                    ["id": "s1", "person": "alice", "issued": begin, "expires": end, "clients": ["web"], "serviceProviders": ["sp"]],
                    ["id": "s2", "person": "bob", "issued": begin, "expires": end, "clients": [], "serviceProviders": []],
                ]
            ]
            let provider = try await console.send(.get, "/identity/providers/company").text
            #expect(provider.contains("<code><bdi>k1</bdi></code>"))
            #expect(provider.contains("<bdi>retired, published until 2026-01-01 01:00:00</bdi>"))
            #expect(provider.contains("<bdi>web, sp</bdi>"))
            #expect(provider.contains("Log bob out"))
            let person = try await console.send(.get, "/identity/providers/company/people/alice").text
            #expect(person.contains("<code><bdi>pairwise</bdi></code>"))
            #expect(person.contains("Log alice out"))
            #expect(!person.contains("Log bob out"))
        }
    }

    @Test("fold secrets")
    func secrets() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /providers/company"] = Self.provider
            let page = try await console.send(.get, "/identity/providers/company").text
            let start = try #require(page.firstRange(of: "s3cret")?.lowerBound)
            let fold = try #require(page[..<start].ranges(of: "<details").last?.lowerBound)
            #expect(!page[fold..<start].contains("</details"))
            #expect(!page[fold..<start].contains(" open>"))
        }
    }
}
