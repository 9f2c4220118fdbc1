import Calls
import Cloud
import Federation
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Tokens of the web console's pages")
struct ConsoleTokenTests {
    private static let noon = Timestamp(seconds: 1_800_000_000)

    @Test("name their session for twelve hours")
    func lifetime() throws {
        let tokens = ConsoleTokens()
        let token = try #require(tokens.issue(session: "a_B-9", at: Self.noon))
        for hours in [0, 1, 11] {
            #expect(tokens.session(of: token, at: Self.noon + .seconds(hours * 3600)) == "a_B-9")
        }
        #expect(tokens.session(of: token, at: Self.noon + .seconds(12 * 3600)) == nil)
        #expect(tokens.session(of: token, at: Self.noon - .seconds(3600)) == nil)
    }

    @Test("are rejected if they were changed, and in another process or sandbox")
    func forgeries() throws {
        let tokens = ConsoleTokens().scoped(to: "default")
        let token = try #require(tokens.issue(session: "one", at: Self.noon))
        let parts = token.split(separator: ".").map(String.init)
        let forged = [
            "two.\(parts[1]).\(parts[2])", "one.\((Int64(parts[1]) ?? 0) + 1).\(parts[2])", "one.\(parts[1]).", "one.\(parts[1])",
            "one.\(parts[1]).\(parts[2].dropLast())", ".\(parts[1]).\(parts[2])", "", "..", "one.99999999999999999999.\(parts[2])",
            "one.-1.\(parts[2])", token + ".x",
        ]
        for text in forged { #expect(tokens.session(of: text, at: Self.noon) == nil, "\(text)") }
        #expect(ConsoleTokens().session(of: token, at: Self.noon) == nil)
        #expect(tokens.scoped(to: "other").session(of: token, at: Self.noon) == nil)
        #expect(tokens.session(of: token, at: Self.noon) == "one")
    }

    @Test("end with their session, in every sandbox")
    func end() throws {
        let tokens = ConsoleTokens()
        let other = tokens.scoped(to: "other")
        let mine = try #require(tokens.issue(session: "one", at: Self.noon))
        let same = try #require(other.issue(session: "one", at: Self.noon))
        let next = try #require(tokens.issue(session: "two", at: Self.noon))
        tokens.end(session: "one", at: Self.noon)
        #expect(tokens.session(of: mine, at: Self.noon) == nil)
        #expect(other.session(of: same, at: Self.noon) == nil)
        #expect(tokens.session(of: next, at: Self.noon) == "two")
    }

    @Test("are not issued for other names of sessions", arguments: ["", "a.b", "ä", "a b", String(repeating: "a", count: 65)])
    func names(session: String) {
        #expect(ConsoleTokens().issue(session: session, at: Self.noon) == nil)
    }

    @Test(
        "open the control API to pages of the own origin only",
        arguments: [
            ([.secFetchSite: "same-origin", .origin: "http://localhost:4566"], true), ([.secFetchSite: "same-origin"], true),
            ([.origin: "http://localhost:4566"], true), ([.origin: "https://evil.example"], false), ([.origin: "null"], false),
            ([.secFetchSite: "cross-site"], false), ([.secFetchSite: "same-site"], false), ([.secFetchSite: "none"], false),
            ([.referer: "http://localhost:4566/_virga/ui/", .userAgent: "Mozilla/5.0"], true),
            ([.referer: "http://localhost:8765/", .userAgent: "Mozilla/5.0"], false), ([.referer: "https://evil.example/"], false),
        ] as [(HTTPFields, Bool)])
    func pages(fields: HTTPFields, isAllowed: Bool) async throws {
        try await ControlSandbox.run { control async throws in
            for isClosedToPrograms in [false, true] {
                var control = control
                control.access = ControlAccess(token: isClosedToPrograms ? "secret" : nil, isLoopback: true)
                var fields = fields
                fields[.consoleToken] = control.access.console.issue(session: "one")
                let answer = try await control.send(.post, "/reset", fields: fields)
                let refusal = isClosedToPrograms ? "token_missing" : "page_refused"
                #expect(answer.error == (isAllowed ? nil : refusal))
                fields[.consoleToken] = "one.1.forged"
                #expect(try await control.send(.post, "/reset", fields: fields).error == refusal)
                control.access.console.end(session: "one")
            }
            #expect(control.cloud.generation == (isAllowed ? 3 : 1))
        }
    }

    @Test("are accepted from browsers that report nothing else, as over plain HTTP")
    func silentBrowser() async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            control.access = ControlAccess(token: "secret", isLoopback: false)
            var fields: HTTPFields = [.userAgent: "Mozilla/5.0 (X11; Linux x86_64)"]
            #expect(try await control.send(.get, "/journal", fields: fields, authority: "teacher:4567").error == "token_missing")
            fields[.consoleToken] = "one.1.forged"
            #expect(try await control.send(.get, "/journal", fields: fields, authority: "teacher:4567").error == "token_missing")
            fields[.consoleToken] = control.access.console.issue(session: "one")
            #expect(try await control.send(.get, "/journal", fields: fields, authority: "teacher:4567").status == 200)
            #expect(try await control.send(.get, "/journal", fields: fields, authority: "evil.example").error == "token_missing")
            #expect(try await control.send(.get, "/metrics", fields: fields, authority: "teacher:4567").error == "token_missing")
        }
    }

    @Test("are in a header that no preflight allows", arguments: ["secret", nil])
    func preflight(token: String?) async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            control.access = ControlAccess(token: token, isLoopback: true)
            let question: HTTPFields = [
                .origin: "http://teacher:9000", .accessControlRequestMethod: "GET", .accessControlRequestHeaders: "x-virga-console",
            ]
            let answer = try await control.sendRaw(.options, "/journal", fields: question, authority: "teacher:4567")
            let allowed = answer.fields[.accessControlAllowHeaders]?.lowercased() ?? ""
            #expect(!allowed.contains("x-virga-console"))
            #expect(!allowed.contains("*"))
        }
    }

    @Test("open neither a closed API, nor a foreign host, nor calls that change the process")
    func limits() async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            var fields: HTTPFields = [.secFetchSite: "same-origin"]
            fields[.consoleToken] = control.access.console.issue(session: "one")
            #expect(try await control.send(.post, "/reset", fields: fields, authority: "cloud.test").error == "foreign_host")
            control.access = ControlAccess(token: nil, isLoopback: false)
            fields[.consoleToken] = control.access.console.issue(session: "one")
            #expect(try await control.send(.post, "/reset", fields: fields).error == "control_closed")
            control.access = ControlAccess(token: "secret", sandboxToken: "mine", isLoopback: false)
            fields[.consoleToken] = control.access.console.issue(session: "one")
            #expect(try await control.send(.post, "/sandboxes", fields: fields).error == "token_missing")
            #expect(try await control.send(.get, "/journal", fields: fields).status == 200)
            #expect(control.cloud.generation == 1)
        }
    }
}
