import Calls
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("Signing in to the console")
struct SignInTests {
    private static func withToken(_ body: (ConsoleOfATest) async throws -> Void) async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.controlToken = "open-sesame"
            try await body(console)
        }
    }

    private static func with(cookie: String, _ headers: HTTPFields = ConsoleOfATest.navigation) -> HTTPFields {
        var headers = headers
        headers[.cookie] = "virga-console-4566=\(cookie)"
        return headers
    }

    @Test("takes no sandbox from one of several cookies")
    func severalCookies() {
        #expect(SignInCookie.chosen(of: ["eve~token", "own"]) == "own")
        #expect(SignInCookie.chosen(of: ["eve~token", "anna~token"]) == nil)
        #expect(SignInCookie.chosen(of: ["anna~token", "anna~token"]) == "anna~token")
        #expect(SignInCookie.chosen(of: []) == nil)
    }

    @Test("is needed if a control token is set")
    func needed() async throws {
        try await Self.withToken { console async throws in
            for path in ["/", "/journal", "/playground"] {
                let answer = try await console.send(.get, path)
                #expect(answer.status == 303)
                #expect(answer["Location"] == "/_virga/ui/sign-in")
            }
            let answer = try await console.send(.post, "/reset", ConsoleOfATest.form, body: "form=form-open&word=reset")
            #expect(answer.status == 403)
            #expect(console.called.isEmpty)
        }
    }

    @Test("takes the control token and gives a cookie that does not contain it")
    func token() async throws {
        try await Self.withToken { console async throws in
            let wrong = try await console.send(.post, "/sign-in", ConsoleOfATest.form, body: "token=wrong")
            #expect(wrong.status == 403)
            #expect(wrong["Set-Cookie"] == nil)
            #expect(wrong.text.contains("This is not the control token."))
            let right = try await console.send(.post, "/sign-in", ConsoleOfATest.form, body: "token=open-sesame")
            #expect(right.status == 303)
            #expect(right["Location"] == "/_virga/ui/")
            let cookie = try #require(right["Set-Cookie"])
            #expect(cookie.hasPrefix("virga-console-4566=cookie-"))
            #expect(!cookie.contains("open-sesame"))
            #expect(cookie.hasSuffix("; Max-Age=43200; Path=/_virga/; HttpOnly; SameSite=Strict"))
        }
    }

    @Test("sends the control token with each call, and never shows it")
    func calls() async throws {
        try await Self.withToken { console async throws in
            let page = try await console.send(.get, "/", Self.with(cookie: "cookie-me"))
            #expect(page.status == 200)
            #expect(!page.text.contains("open-sesame"))
            #expect(page.text.contains("Sign out"))
            #expect(console.calls.with { $0.allSatisfy { $0.headers[.authorization] == "Bearer open-sesame" } })
        }
    }

    @Test("ends with sign-out")
    func signOut() async throws {
        try await Self.withToken { console async throws in
            let headers = Self.with(cookie: "cookie-me", ConsoleOfATest.form)
            let answer = try await console.send(.post, "/sign-out", headers, body: "form=form-me")
            #expect(answer.status == 303)
            #expect(answer["Set-Cookie"]?.contains("Max-Age=0") == true)
            #expect(try await console.send(.get, "/", Self.with(cookie: "cookie-me")).status == 303)
        }
    }

    @Test("refuses a form token as a cookie, and the cookie of another session's form")
    func mixedTokens() async throws {
        try await Self.withToken { console async throws in
            #expect(try await console.send(.get, "/", Self.with(cookie: "form-me")).status == 303)
            let headers = Self.with(cookie: "cookie-me", ConsoleOfATest.form)
            #expect(try await console.send(.post, "/reset", headers, body: "form=form-other&word=reset").status == 403)
        }
    }

    @Test("takes the code of the printed URL once")
    func code() async throws {
        try await Self.withToken { console async throws in
            #expect(try await console.send(.get, "/sign-in?code=once").status == 303)
            #expect(try await console.send(.get, "/sign-in?code=once").status == 403)
        }
    }

    @Test("is limited to five attempts a minute")
    func limit() async throws {
        try await Self.withToken { console async throws in
            for _ in 0..<5 { _ = try await console.send(.post, "/sign-in", ConsoleOfATest.form, body: "token=wrong") }
            let answer = try await console.send(.post, "/sign-in", ConsoleOfATest.form, body: "token=open-sesame")
            #expect(answer.status == 429)
            #expect(answer["Set-Cookie"] == nil)
        }
    }

    @Test("is not needed without a control token")
    func notNeeded() async throws {
        try await ConsoleOfATest.run { console async throws in
            let answer = try await console.send(.get, "/sign-in?code=once")
            #expect(answer.status == 303)
            #expect(answer["Set-Cookie"] == nil)
        }
    }
}
