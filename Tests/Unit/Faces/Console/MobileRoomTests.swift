import Calls
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The pages of the mobile cloud")
struct MobileRoomTests {
    private static let backend: JSONValue = [
        "name": "LiftCare", "version": "1.0", "id": "the-id", "anonymousKey": "a2V5", "clientID": "client", "clientSecret": "secret",
        "realm": "Default(1.0)", "oauth": true, "basic": true, "sso": false, "apis": "all",
        "environmentURLs": ["baseURL": "http://localhost:4566"],
    ]

    private static func run(_ body: (ConsoleOfATest) async throws -> Void) async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /mobile/backends"] = ["backends": [backend]]
            console.answers["GET /mobile/backends/LiftCare%281.0%29"] = backend
            console.answers["GET /mobile/realms"] = ["realms": [["name": "Default", "version": "1.0", "users": []]]]
            try await body(console)
        }
    }

    @Test("say how to start a mobile cloud where there is none")
    func absent() async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.get, "/mobile").text.contains("virga serve --seed seed/mobile-cloud.json5"))
        }
    }

    @Test("have no page at other paths", arguments: ["/mobile/nothing", "/mobile/jwt/7", "/mobile/backends/a/b/c"])
    func unknownPages(path: String) async throws {
        try await Self.run { console async throws in #expect(try await console.send(.get, path).status == 404) }
    }

    @Test("switch a method by a PUT of the backend's document")
    func switches() async throws {
        try await Self.run { console async throws in
            let answer = try await console.send(
                .post, "/mobile/backends/LiftCare(1.0)", ConsoleOfATest.form, body: "form=form-open&do=switch&switch=basic")
            #expect(answer.status == 303)
            #expect(console.called.last == "PUT /_virga/mobile/backends/LiftCare%281.0%29")
            let text = try await console.calls.with { $0.last }?.body.collectedText ?? ""
            #expect(text.contains("\"basic\":false"))
            #expect(text.contains("\"oauth\":true"))
        }
    }

    @Test("show a refusal at its field, with what was typed")
    func refusals() async throws {
        try await Self.run { console async throws in
            var console = console
            console.answers["PUT /mobile/backends/A%281.0%29"] = [
                "error": "inconsistent", "message": "Expected at backends/A(1.0).realm a realm such as Default(1.0), not 'x'.",
            ]
            let answer = try await console.send(
                .post, "/mobile", ConsoleOfATest.form, body: "form=form-open&do=new&name=A&version=1.0&realm=x")
            #expect(answer.status == 400)
            #expect(answer.text.contains("id=\"new-realm\" name=\"realm\" aria-invalid=\"true\" aria-describedby=\"new-realm-fault\""))
            #expect(answer.text.contains("<a href=\"#new-realm\">Realm</a>"))
            #expect(answer.text.contains("name=\"name\" type=\"text\" value=\"A\""))
        }
    }

    @Test("refuse forms without the token of a page")
    func formTokens() async throws {
        try await Self.run { console async throws in
            let answer = try await console.send(.post, "/mobile", ConsoleOfATest.form, body: "do=delete&key=LiftCare(1.0)")
            #expect(answer.status == 403)
            #expect(!console.called.contains { $0.hasPrefix("DELETE") })
        }
    }

    @Test("offer the methods that are switched on, and say why others are not")
    func methods() throws {
        var backend = try #require(Self.backend.objectValue)
        func open() -> [AuthenticationMethod] { AuthenticationMethod.allCases.filter { $0.obstacle(backend) == nil } }
        #expect(open() == [.basic, .oauth])
        backend["sso"] = true
        #expect(open() == [.basic, .oauth, .sso])
        backend["oauth"] = false
        #expect(open() == [.basic])
        #expect(AuthenticationMethod.oauth.obstacle(backend)?.contains("Settings") == true)
        backend["facebook"] = ["appID": "1", "appSecret": "s"]
        #expect(open() == [.facebook])
    }

    @Test(
        "find the place of a refusal within a part",
        arguments: [
            ("backends/LiftCare(1.0).realm", "realm"), ("realms/Default(1.0).users[2].roles[0]", "users[2].roles[0]"),
            ("samlIssuers[0].defaultRoles[1]", "defaultRoles[1]"), ("facebook.appID", "facebook.appID"), ("pem", "pem"),
        ])
    func places(place: String, expected: String) { #expect(FormRefusal.relative(place) == expected) }

    @Test("keep a hundred tests for two hours, until a reset")
    func memory() throws {
        let memory = MobileMemory().tests
        let start = Timestamp(seconds: 1_000_000)
        for number in 0..<101 {
            memory.keep(APITest(id: "t\(number)", generation: 1, created: start + .seconds(number), fields: [:]), session: "one")
        }
        #expect(memory.value("t0", generation: 1, session: "one", at: start) == nil)
        #expect(memory.value("t1", generation: 1, session: "one", at: start) != nil)
        #expect(memory.value("t1", generation: 1, session: "one", at: start + .seconds(7202)) == nil)
        #expect(memory.value("t100", generation: 2, session: "one", at: start) == nil)
    }

    @Test("read the forms and errors of login pages")
    func loginPages() throws {
        let page = """
            <p>x</p><form method="post" action="/idp/a?x=1&amp;y=2"><input type="hidden" name="form" value="a&quot;b">
            <input id="username" name="username"><button class="person" name="person" value="tessa">Tessa</button></form><form action="/no">
            """
        let form = try #require(HTMLForm.first(in: page))
        #expect(form.action == "/idp/a?x=1&y=2")
        #expect(form.isPosted)
        #expect(form.fields == [.init(name: "form", value: "a\"b")])
        #expect(form.buttons == [.init(name: "person", value: "tessa")])
        #expect(HTMLForm.alert(in: "<p class=\"alert\" role=\"alert\">It &lt;fails&gt;</p>") == "It <fails>")
        for broken in ["", "<form", "<form a", "<form a=\"", "<form><input", "<form><input name=\"x"] { _ = HTMLForm.first(in: broken) }
    }

    @Test("recognize the mobile cloud's own tokens")
    func tokens() {
        func token(_ issuer: String) -> String { "e30.\(Array("{\"iss\":\"\(issuer)\"}".utf8).base64url).x" }
        func kind(_ text: String) -> String {
            switch ExternalToken(text) {
            case .own: "own"
            case .jwt: "jwt"
            case .assertion: "assertion"
            }
        }
        #expect(kind(token("mobile cloud")) == "own")
        #expect(kind(token("https://x.example")) == "jwt")
        #expect(kind("a.b") == "jwt")
        let response = "<p:Response xmlns:p=\"urn:p\" xmlns:s=\"urn:s\"><s:Assertion><s:A>text</s:A></s:Assertion></p:Response>"
        guard case .assertion(let text) = ExternalToken(Array(response.utf8).base64) else {
            Issue.record("not an assertion")
            return
        }
        let assertion = [UInt8](base64: text)?.gunzipped(upTo: 1000).map { String(decoding: $0, as: UTF8.self) }
        #expect(assertion?.contains("<s:Assertion") == true)
        #expect(assertion?.contains("Response") == false)
        #expect(kind("!!!") == "assertion")
    }

    @Test("find every fault of a configuration of JWT issuers, and what matches nothing")
    func configuration() throws {
        let check = JWTFindings(
            try #require(
                JSONValue(
                    parsing: """
                        {"policyMinReloadInterval": "x", "issuers": [{"issuerName": "a", "enabled": 1, "jwks": {"connectTimeout": 0},
                         "filters": [{"name": "x"}], "allowedMbes": [{"name": "n"}], "roleMappings": [{"tokenRole": "t"}]}, {"issuerName": "a"}, 7]}
                        """
                ).objectValue))
        #expect(
            check.faults.map(\.place) == [
                "policyMinReloadInterval", "issuers[0].enabled", "issuers[0].jwks.jwksUri", "issuers[0].jwks.connectTimeout",
                "issuers[0].roleMappings[0].mappedRoles", "issuers[1].issuerName", "issuers[2]",
            ])
        #expect(check.warnings.map(\.place) == ["issuers[0].filters[0]", "issuers[0].allowedMbes[0]", "issuers[1].jwks"])
        #expect(JWTFindings([:]).faults.map(\.place) == ["issuers"])
    }
}
