import Calls
import ControlDocuments
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The sandboxes of the console")
struct SandboxesTests {
    private static let sandboxes: JSONValue = [
        "sandboxes": [
            ["name": "default", "state": "open", "url": "http://127.0.0.1:4566", "bytes": 540_672, "from": "seed"],
            [
                "name": "a", "state": "evicted", "url": "http://a.sandbox.localhost:4566", "portURL": "http://127.0.0.1:4600", "bytes": 1,
                "from": "<b>", "created": "no date", "progress": ["steps": ["login", 7], "requests": "x"],
            ],
        ]
    ]

    @Test("lists entries of which parts are missing or wrong")
    func list() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /sandboxes"] = Self.sandboxes
            let page = try await console.send(.get, "/sandboxes").text
            #expect(page.contains("closed until its next request"))
            #expect(page.contains("528 KiB"))
            #expect(page.contains("&lt;b&gt;"))
            #expect(page.contains("href=\"http://a.sandbox.localhost:4566/_virga/ui/\""))
            #expect(try await console.send(.get, "/sandboxes/named/a").text.contains("logged in: yes"))
            #expect(try await console.send(.get, "/sandboxes/named/none").status == 404)
        }
    }

    @Test("says that it has no right over the process")
    func noRight() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /sandboxes"] = ["error": "token_wrong", "message": "The control token is not the one of this process."]
            for path in ["", "/class", "/class/links", "/named/x"] {
                let answer = try await console.send(.get, "/sandboxes\(path)")
                #expect(answer.status == 200)
                #expect(answer.text.contains("Your sandbox"))
                #expect(answer.text.contains("not the one of this process"))
            }
        }
    }

    @Test("shows a student the steps of the workshop")
    func steps() async throws {
        let steps = StudentSteps(progress: Document(["steps": ["login", "read", "<b>"]])).html.text
        #expect(steps.contains("2 of 7"))
        #expect(steps.contains("✓</span> Log in"))
        #expect(steps.contains("○</span> Get credentials"))
        #expect(!steps.contains("<b>"))
        let answer: JSONValue = [
            "class": ["from": "seed"],
            "students": [["name": "Anna", "sandbox": "anna", "code": "a-code", "progress": ["steps": ["login"]]]],
        ]
        let client = ControlClient(enter: { _ in Response.json(answer) }, authority: "localhost:4566", token: nil)
        #expect(await StudentSteps.progress(in: "anna", client)?.steps == ["login"])
        #expect(await StudentSteps.progress(in: "ben", client) == nil)
        #expect(await StudentSteps.progress(in: "default", client) == nil)
    }

    @Test("redirects after an action, and changes nothing without a confirmation")
    func actions() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["POST /sandboxes"] = ["name": "a"]
            let created = try await console.send(.post, "/sandboxes/create", ConsoleOfATest.form, body: "form=form-open&name=a&port=true")
            #expect(created.status == 303)
            #expect(console.called == ["POST /_virga/sandboxes"])
            for (path, body) in [
                ("/sandboxes/named/a/delete", "word=b"), ("/sandboxes/class/end", "word=no"), ("/sandboxes/class/add", "names="),
            ] {
                #expect(try await console.send(.post, path, ConsoleOfATest.form, body: "form=form-open&\(body)").status == 400)
            }
            #expect(try await console.send(.post, "/sandboxes/named/a/other", ConsoleOfATest.form, body: "form=form-open").status == 404)
            #expect(console.called == ["POST /_virga/sandboxes"])
        }
    }

    @Test("finds the address of a sandbox's console by that of the browser")
    func addresses() async throws {
        let sandbox = SandboxAddresses(
            Document([
                "url": "http://a.sandbox.localhost:4566", "portURL": "http://127.0.0.1:4600", "securePortURL": "https://127.0.0.1:4601",
            ]))
        let places: KeyValuePairs<String, String?> = [
            "http://localhost:4566": "http://a.sandbox.localhost:4566",
            "http://b.sandbox.localhost:4566": "http://a.sandbox.localhost:4566",
            "http://127.0.0.1:4566": "http://127.0.0.1:4600", "https://school.example:4443": "https://school.example:4601",
            "https://localhost:4443": "https://localhost:4601", "http://school:4567": nil,
        ]
        for (origin, expected) in places {
            #expect(sandbox.origin(for: ConsolePlace(origin: origin, services: origin)) == expected)
        }
    }

    @Test("writes sizes and ages in words")
    func measures() throws {
        #expect(
            [0, 1023, 1024, 540_672, 1_572_864, 3 << 30].map(Measures.size) == ["0 B", "1023 B", "1 KiB", "528 KiB", "1.5 MiB", "3.0 GiB"])
        let now = try #require(Timestamp(iso8601: "2026-01-02T00:00:00Z"))
        #expect(Measures.age("2026-01-01T23:59:48Z", at: now) == "12 s")
        #expect(Measures.age("2026-01-01T21:00:00Z", at: now) == "3 h")
        #expect(Measures.age("no date", at: now) == nil)
        #expect(Measures.age(nil, at: now) == nil)
    }

    @Test("splits a cookie into sandbox and token")
    func cookies() {
        for (value, sandbox, token) in [("a~b.1.c", "a" as String?, "b.1.c"), ("b.1.c", nil, "b.1.c"), ("~x", "", "x")] {
            let parts = SignInCookie.parts(of: value)
            #expect(parts.sandbox == sandbox)
            #expect(parts.token == token)
        }
    }
}
