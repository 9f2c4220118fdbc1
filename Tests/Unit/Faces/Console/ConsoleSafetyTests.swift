import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The safety of the console's pages")
struct ConsoleSafetyTests {
    @Test("pages have headers that keep other pages out")
    func headers() async throws {
        try await ConsoleOfATest.run { console async throws in
            let page = try await console.send(.get, "/")
            #expect(page.status == 200)
            let policy = try #require(page["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src http://localhost:4566/_virga/ui/assets/; "))
            for part in [
                "connect-src http://localhost:4566/_virga/;", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'", "trusted-types 'none'",
            ] {
                #expect(policy.contains(part))
            }
            #expect(!policy.contains("unsafe"))
            #expect(!policy.contains("script-src 'self'"))
            #expect(page["X-Frame-Options"] == "DENY")
            #expect(page["Cross-Origin-Opener-Policy"] == "same-origin")
            #expect(page["Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(page["Cache-Control"] == "no-store")
            #expect(page["X-Content-Type-Options"] == "nosniff")
            #expect(page["Referrer-Policy"] == "same-origin")
        }
    }

    @Test(
        "pages answer navigations only",
        arguments: [("empty", "cors"), ("iframe", "navigate"), ("empty", "no-cors"), ("document", "cors"), ("object", "navigate")])
    func navigations(destination: String, mode: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            for method in [HTTPRequest.Method.get, .post] {
                var headers = ConsoleOfATest.form
                headers[.secFetchDest] = destination
                headers[.secFetchMode] = mode
                let answer = try await console.send(method, "/reset", headers, body: "form=form-open&word=reset")
                #expect(answer.status == 403)
                #expect(answer.journal.errorCode == "page_refused")
            }
            #expect(console.called.isEmpty)
        }
    }

    @Test("pages also answer clients that send no Fetch Metadata")
    func withoutMetadata() async throws {
        try await ConsoleOfATest.run { console async throws in #expect(try await console.send(.get, "/", [:]).status == 200) }
    }

    @Test("forms need the token of a page")
    func tokens() async throws {
        try await ConsoleOfATest.run { console async throws in
            for body in ["word=reset", "form=&word=reset", "form=cookie-open&word=reset", "form=form-other&word=reset"] {
                let answer = try await console.send(.post, "/reset", ConsoleOfATest.form, body: body)
                #expect(answer.status == 403)
                #expect(answer.journal.errorCode == "form_refused")
            }
            #expect(console.called.isEmpty)
            let answer = try await console.send(.post, "/reset", ConsoleOfATest.form, body: "form=form-open&word=reset")
            #expect(answer.status == 303)
            #expect(answer["Location"] == "/_virga/ui/?done=reset")
            #expect(console.called == ["POST /_virga/reset"])
        }
    }

    @Test("forms of other origins are refused, even with a token", arguments: ["cross-site", "same-site"])
    func foreignForms(site: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            var headers = ConsoleOfATest.form
            headers[.secFetchSite] = site
            headers[.origin] = "http://evil.example"
            let answer = try await console.send(.post, "/reset", headers, body: "form=form-open&word=reset")
            #expect(answer.status == 403)
            #expect(answer.journal.errorCode == "foreign_form")
            #expect(console.called.isEmpty)
        }
    }

    @Test("a reset needs the typed word")
    func confirmation() async throws {
        try await ConsoleOfATest.run { console async throws in
            let answer = try await console.send(.post, "/reset", ConsoleOfATest.form, body: "form=form-open&word=yes")
            #expect(answer.status == 400)
            #expect(console.called.isEmpty)
        }
    }

    @Test("hosts that are not names of the process are refused", arguments: ["cloud.test:4566", "evil.example", "a;b", "a b", "x'y"])
    func foreignHosts(authority: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            for path in ["/", "/journal", "/assets/console.js"] {
                let answer = try await console.send(.get, path, authority: authority)
                #expect(answer.status == 403)
                #expect(answer.journal.errorCode == "foreign_host")
            }
        }
    }

    @Test("the console is shown where browsers report what a request is for, or at its own port")
    func places() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            for authority in ["localhost:4566", "127.0.0.1", "[::1]:4566"] {
                #expect(try await console.send(.get, "/", authority: authority).status == 200)
            }
            // A bucket can have these names, and its service worker stays when it is gone.
            for authority in ["blue.localhost:4566", "a.b.localhost:4566"] {
                #expect(try await console.send(.get, "/", authority: authority).status == 403)
            }
            let refused = try await console.send(.get, "/", authority: "virga:4566")
            #expect(refused.status == 403)
            #expect(refused.text.contains("--console-port"))
            console.ownPort = 4567
            #expect(try await console.send(.get, "/", authority: "virga:4566").text.contains("http://virga:4567/_virga/ui/"))
            // The listener decides, whichever number a port mapping gives to the port, and whatever the host claims.
            #expect(try await console.send(.get, "/", authority: "virga:4567").status == 403)
            for authority in ["virga:4567", "virga:9000", "virga"] {
                let page = try await console.send(.get, "/", authority: authority, isAtConsolePort: true)
                #expect(page.status == 200)
                #expect(page.text.contains("AWS_ENDPOINT_URL=http://virga:4566"))
            }
        }
    }

    @Test("assets are served to any loader of the same origin, and nothing else is")
    func assets() async throws {
        try await ConsoleOfATest.run { console async throws in
            for asset in Asset.allCases {
                let answer = try await console.send(.get, "/assets/\(asset.rawValue)", [.secFetchDest: "script", .secFetchMode: "no-cors"])
                #expect(answer.status == 200)
                #expect(answer["X-Content-Type-Options"] == "nosniff")
            }
            #expect(try await console.send(.get, "/assets/other.js").status == 404)
            let style = try await console.send(.get, "/assets/console.css").body.count
            let script = try await console.send(.get, "/assets/console.js").body.count
            #expect(style <= 28_000)
            #expect(script <= 36_000)
        }
    }

    @Test("colors are chosen by a form, and only known ones have an effect")
    func appearance() async throws {
        try await ConsoleOfATest.run { console async throws in
            let chosen = try await console.send(
                .post, "/appearance", ConsoleOfATest.form, body: "form=form-open&to=dark&back=/_virga/ui/journal")
            #expect(chosen.status == 303)
            #expect(chosen["Location"] == "/_virga/ui/journal")
            #expect(chosen["Set-Cookie"]?.hasPrefix("virga-appearance=dark; ") == true)
            let unknown = try await console.send(.post, "/appearance", ConsoleOfATest.form, body: "form=form-open&to=%22%3E")
            #expect(unknown.status == 400)
            #expect(unknown["Set-Cookie"] == nil)
            for back in ["//evil.example", "https://evil.example/", "/_virga/ui/../x", "/other"] {
                let answer = try await console.send(.post, "/appearance", ConsoleOfATest.form, body: "form=form-open&to=light&back=\(back)")
                #expect(answer["Location"] == "/_virga/ui/")
            }
            var headers = ConsoleOfATest.navigation
            for (cookie, start) in [("dark", "<body class=\"dark\">"), ("light", "<body class=\"light\">"), ("x\">", "<body>")] {
                headers[.cookie] = "virga-appearance=\(cookie)"
                #expect(try await console.send(.get, "/", headers).text.contains(start))
            }
            #expect(console.called.allSatisfy { $0.hasPrefix("GET ") })
        }
    }

    @Test("other methods are refused, and unknown pages are not found")
    func methods() async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.put, "/").status == 405)
            #expect(try await console.send(.get, "/nothing").status == 404)
            #expect(try await console.send(.post, "/nothing", ConsoleOfATest.form, body: "form=form-open").status == 404)
        }
    }

    @Test("a closed control API is explained")
    func closed() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /info"] = ["error": "closed", "message": "The control API is closed."]
            let page = try await console.send(.get, "/")
            #expect(page.status == 403)
            #expect(page.text.contains("--control-token"))
        }
    }
}
