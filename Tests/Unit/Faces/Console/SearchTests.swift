import ControlDocuments
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The search of the console")
struct SearchTests {
    private static let user = "arn:aws:iam::000000000000:user/bob"

    private static func prepare(_ console: inout ConsoleOfATest) {
        console.answers["GET /principals"] = [
            "principals": [
                ["kind": "user", "arn": .string(user), "name": "bob", "account": "000000000000", "vendor": "aws"],
                [
                    "kind": "session", "arn": "arn:aws:sts::000000000000:assumed-role/files/bob", "name": "files/bob",
                    "account": "000000000000", "vendor": "aws", "access_key": "ASIA0000000000000001",
                ],
            ]
        ]
        console.answers["GET /buckets"] = ["buckets": [["name": "photos", "vendor": "aws", "account": "000000000000"]]]
        console.answers["GET /journal"] = [
            "entries": [
                ["number": 7, "request_id": "REQ1", "face": "s3", "operation": "GetObject", "target": "/photos/a", "method": "GET"]
            ]
        ]
        console.answers["POST /explain"] = ["decision": "allowed", "principal": .string(user)]
    }

    @Test(
        "finds pages, identities, keys, buckets, objects and requests",
        arguments: [
            ("clock", "/_virga/ui/time"), ("usage", "/_virga/ui/policies/usage"), ("SAML", "/_virga/ui/playground?path=saml"),
            ("user/bob", "/_virga/ui/identity/accounts/000000000000/users/bob"),
            ("ASIA0000000000000001", "/_virga/ui/store?as="),
            ("AKIA0000000000000009", "/_virga/ui/identity/accounts/000000000000/users/bob"),
            ("PHOTOS", "/_virga/ui/store/photos"), ("photos/a%20b", "/_virga/ui/store/photos?key=a%20b"),
            ("arn:aws:s3:::photos/a", "/_virga/ui/store/photos?key=a"), ("REQ1", "/_virga/ui/journal/7"), ("7", "/_virga/ui/journal/7"),
        ])
    func finds(text: String, path: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            Self.prepare(&console)
            let page = try await console.send(.get, "/search?q=\(text.replacing(":", with: "%3A"))")
            #expect(page.status == 200)
            #expect(page.text.contains("<li><a href=\"\(path)"), "\(page.text)")
        }
    }

    @Test("says that nothing was found, and where a token belongs")
    func nothing() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            Self.prepare(&console)
            console.answers["GET /journal"] = ["entries": []]
            let page = try await console.send(.get, "/search?q=no-such-thing").text
            #expect(page.contains("Nothing was found for"))
            #expect(try await console.send(.get, "/search?q=eyJhbGciOiJub25lIn0.e30.").text.contains("looks like a token"))
            #expect(try await console.send(.get, "/search").text.contains("<h1>Search</h1>"))
            #expect(try await console.send(.post, "/search", ConsoleOfATest.form, body: "form=form-open&q=x").status == 404)
        }
    }

    @Test("keeps hostile texts as text, and never calls a path that they name")
    func hostile() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            Self.prepare(&console)
            console.answers["GET /buckets"] = ["buckets": [["name": "<script>x</script>", "vendor": "aws", "account": "0"]]]
            for text in [
                "%3Cscript%3Ex", "%22%3E%3Cimg%20src=x%3E", "..%2F..%2Freset1", "%00%1B%5B31m", "1/../../seed", "%E2%80%AE1", "%",
            ] {
                let page = try await console.send(.get, "/search?q=\(text)").text
                #expect(!page.contains("<script>x"))
                #expect(!page.contains("<img"))
                #expect(!page.contains("\u{0}"))
                #expect(!page.contains("\u{1B}"))
            }
            for call in console.called {
                #expect(["/principals", "/buckets", "/journal?"].contains { call.hasPrefix("GET /_virga\($0)") }, "\(call)")
                #expect(!call.contains("/.."))
            }
        }
    }
}
