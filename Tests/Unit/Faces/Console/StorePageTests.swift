import Calls
import Cloud
import Fixtures
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The store's pages")
struct StorePageTests {
    private static let buckets: JSONValue = [
        "buckets": [
            [
                "name": "box", "vendor": "aws", "account": "000000000000", "region": "us-east-1", "created": "2026-01-01T00:00:00Z",
                "versioning": "never", "object_lock": false, "shared": false,
            ]
        ]
    ]

    @Test(
        "keep every key in a link",
        arguments: ["a/b", "//a//", "what?", "50%", "a+b c", "ümläut", "line\nbreak", "\u{202E}x", "<&\"'>", "\u{0}"])
    func links(key: String) throws {
        var location = StoreLocation(bucket: "box", identity: "anonymous")
        location.key = key
        location.version = "v&1"
        let path = location.path
        #expect(path.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") })
        let query = try #require(path.split(separator: "?", maxSplits: 1).last.flatMap { FormFields(parsing: String($0)) })
        let read = StoreLocation(bucket: "box", query)
        #expect(read.key == key)
        #expect(read.version == "v&1")
        #expect(read.identity == "anonymous")
        #expect(read.path == path)
        #expect(percentDecoded(String(location.target().dropFirst("/box/".count))) == key)
    }

    @Test("find the folder of a key", arguments: [("a/b/c", "a/b/"), ("a", ""), ("a/", "a/"), ("//a", "//"), ("/", "/")])
    func folders(key: String, folder: String) {
        #expect(StoreLocation(bucket: "box").object(key).parent == folder)
    }

    @Test("list the buckets of all accounts to the root user")
    func list() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /buckets"] = Self.buckets
            let page = try await console.send(.get, "/store")
            #expect(page.text.contains("href=\"/_virga/ui/store/box\""))
            #expect(page.text.contains("Amazon S3"))
            #expect(console.called == ["GET /_virga/principals", "GET /_virga/buckets"])
            console.answers["GET /buckets"] = ["buckets": []]
            #expect(try await console.send(.get, "/store").text.contains("There is no bucket yet."))
        }
    }

    @Test("need the token of a page before an upload is read")
    func uploads() async throws {
        try await ConsoleOfATest.run { console async throws in
            var headers = ConsoleOfATest.form
            headers[.contentType] = "multipart/form-data; boundary=x"
            for token in ["", "cookie-open", "form-other"] {
                let body =
                    "--x\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n\(token)\r\n"
                    + "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\ncontent\r\n--x--\r\n"
                let answer = try await console.send(.post, "/store/box/upload", headers, body: body)
                #expect(answer.status == 403)
                #expect(answer.journal.errorCode == "form_refused")
            }
            #expect(console.called.isEmpty)
            for body in ["", "no form", "--x--\r\n", "--x\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\nform-open"] {
                #expect(try await console.send(.post, "/store/box/upload", headers, body: body).status == 400)
            }
        }
    }

    @Test(
        "show pixel images and texts, and download everything else",
        arguments: [
            ("image/png", "image/png"), ("IMAGE/JPEG; q=1", "image/jpeg"), ("text/html", "text/plain; charset=utf-8"),
            ("application/json", "text/plain; charset=utf-8"), ("image/svg+xml", nil), ("application/xhtml+xml", nil),
            ("application/pdf", nil),
            ("", nil), ("multipart/x-mixed-replace", nil), ("image/png,text/html", "image/png"),
        ] as [(String, String?)])
    func content(stored: String, shown: String?) {
        let response = Response(
            status: .ok, headers: [.contentType: stored, .contentEncoding: "gzip", .refererPolicy: "x"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "x")))
        for isDownload in [false, true] {
            let guarded = ObjectContent.guarded(response, key: "a/<b>\"\r\n.html", isDownload: isDownload)
            let isShown = shown != nil && !isDownload
            #expect(guarded.headers[.contentType] == (isShown ? shown : "application/octet-stream"))
            #expect(guarded.headers[.contentSecurityPolicy] == "sandbox; default-src 'none'")
            #expect(guarded.headers[.xContentTypeOptions] == "nosniff")
            let disposition = guarded.headers[.contentDisposition] ?? ""
            #expect(disposition == "\(isShown ? "inline" : "attachment"); filename*=UTF-8''b.html")
            #expect((guarded.headers[.contentEncoding] == "gzip") == isShown)
            #expect(guarded.headers[.refererPolicy] == nil)
        }
    }

    @Test("keep results for one session and one generation")
    func results() throws {
        let kept = KeptValues<Int>()
        let start = Timestamp(seconds: 1000)
        let first = try kept.keep(1, generation: 1, session: "a", at: start)
        #expect(kept.value(first, generation: 1, session: "a", at: start) == 1)
        #expect(kept.value(first, generation: 1, session: "b", at: start) == nil)
        let others = try (2...51).map { try kept.keep($0, generation: 1, session: "a", at: start + .seconds(Int64($0))) }
        #expect(kept.value(first, generation: 1, session: "a", at: start) == nil, "the oldest is dropped")
        #expect(kept.value(others[1], generation: 1, session: "a", at: start + .seconds(7202)) == 3)
        #expect(kept.value(others[1], generation: 1, session: "a", at: start + .seconds(7203)) == nil, "it has ended")
        let last = try kept.keep(4, generation: 1, session: "a", at: start)
        #expect(kept.value(last, generation: 2, session: "a", at: start) == nil, "a reset ends it")
    }
}

extension HTTPField.Name {
    /// A header of the stored object that is not passed on.
    fileprivate static let refererPolicy = HTTPField.Name(literal: "X-Stored")
}
