import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

@Suite("Web pages that use a bucket of OSS")
struct OSSBrowserAccessTests {
    static let rules = """
        <CORSConfiguration><CORSRule><AllowedOrigin>http://www.example.com</AllowedOrigin><AllowedMethod>put</AllowedMethod>\
        <AllowedMethod>POST</AllowedMethod><AllowedHeader>X-OSS-*</AllowedHeader><ExposeHeader>x-oss-meta-a</ExposeHeader>\
        <MaxAgeSeconds>100</MaxAgeSeconds></CORSRule><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>\
        </CORSRule><ResponseVary>true</ResponseVary></CORSConfiguration>
        """

    @Test("are allowed by the first matching CORS rule, at the preflight and at the request")
    func cors() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?cors").code == "NoSuchCORSConfiguration")
            let question: KeyValuePairs = [
                "Origin": "http://www.example.com", "Access-Control-Request-Method": "PUT",
                "Access-Control-Request-Headers": "x-oss-test2",
            ]
            let bad = OSSSandbox.Signer.key("LTAIunknown", secret: "x", token: nil)
            let none = try await oss.send(.options, "/files/key", question, as: bad)
            #expect(none.status == 403)
            #expect(none.code == "AccessForbidden")
            #expect(try await oss.send(.put, "/files?cors", document: Self.rules).status == 200)
            let kept = try await oss.send(.get, "/files?cors")
            #expect(kept.element("CORSRule", "AllowedMethod") == "PUT")
            #expect(kept.element("CORSRule", "AllowedHeader") == "x-oss-*")
            #expect(kept.element("ResponseVary") == "true")
            let asked = try await oss.send(.options, "/files/key", question, as: .nobody)
            #expect(asked.status == 200)
            #expect(asked["Access-Control-Allow-Origin"] == "http://www.example.com")
            #expect(asked["Access-Control-Allow-Methods"] == "PUT, POST")
            #expect(asked["Access-Control-Allow-Headers"] == "x-oss-test2")
            #expect(asked["Access-Control-Expose-Headers"] == "x-oss-meta-a")
            #expect(asked["Access-Control-Max-Age"] == "100")
            let other = try await oss.send(
                .options, "/files/key", ["Origin": "http://b.example", "Access-Control-Request-Method": "PUT"], as: .nobody)
            #expect(other.status == 403)
            #expect(other.code == "AccessForbidden")
            let actual = try await oss.send(.get, "/files/public/hello.txt", ["Origin": "http://b.example"])
            #expect(actual["Access-Control-Allow-Origin"] == "*")
            #expect(actual["Vary"]?.contains("Origin") == true)
            let refused = try await oss.send(.get, "/files/nothing", ["Origin": "http://b.example"])
            #expect(refused.status == 404)
            #expect(refused["Access-Control-Allow-Origin"] == "*")
            #expect(try await oss.send(.get, "/files/public/hello.txt")["Vary"]?.contains("Origin") == true)
            #expect(try await oss.send(.options, "/files/key", as: .nobody).status == 400)
            #expect(try await oss.send(.delete, "/files?cors").status == 204)
            #expect(try await oss.send(.delete, "/files?cors").status == 204)
        }
    }

    @Test(
        "have valid CORS rules",
        arguments: [
            ("<CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule>", "MalformedXML"), ("", "MalformedXML"),
            ("<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PATCH</AllowedMethod></CORSRule>", "InvalidArgument"),
            ("<CORSRule><AllowedOrigin>*.*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>", "InvalidArgument"),
            (
                "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><ExposeHeader>*</ExposeHeader></CORSRule>",
                "InvalidArgument"
            ),
        ])
    func badRules(_ rules: String, _ code: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.put, "/files?cors", document: "<CORSConfiguration>\(rules)</CORSConfiguration>")
            #expect(answer.status == 400)
            #expect(answer.code == code)
        }
    }

    @Test("can read its objects if the lists of referers allow them")
    func referers() async throws {
        try await OSSSandbox.run { oss async throws in
            _ = try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read"])
            let lists = """
                <RefererConfiguration><AllowEmptyReferer>false</AllowEmptyReferer><RefererList><Referer>http://www.example.com</Referer>\
                <Referer>https://*.example.org/a?c/*</Referer></RefererList><RefererBlacklist><Referer>http://www.example.com/bad</Referer>\
                </RefererBlacklist></RefererConfiguration>
                """
            #expect(try await oss.send(.put, "/files?referer", document: lists).status == 200)
            for (referer, status) in [
                ("http://www.example.com/page?x=1", 200), ("http://www.example.com", 200), ("http://www.example.com.evil.org/", 403),
                ("https://files.example.org/abc/x", 200), ("https://files.example.org/ac/x", 403), ("http://www.example.com/bad/x", 403),
                ("http://other.example", 403),
            ] {
                let answer = try await oss.send(.get, "/files/public/hello.txt", ["Referer": referer], as: .nobody)
                #expect(answer.status == status, "\(referer)")
            }
            let bare = try await oss.send(.get, "/files/public/hello.txt", as: .nobody)
            #expect(bare.code == "AccessDenied")
            #expect(bare.element("Message") == "You are denied by bucket referer policy.")
            #expect(try await oss.get(presigned: "/files/public/hello.txt").status == 403)
            #expect(try await oss.get(presigned: "/files/public/hello.txt", [.referer: "http://www.example.com/"]).status == 200)
            // A request with signed headers does not come from a page.
            #expect(try await oss.send(.get, "/files/public/hello.txt", ["Referer": "http://other.example"]).status == 200)
        }
    }

    @Test("are compared with referers as the configuration says")
    func refererMatching() throws {
        func lets(_ referer: String?, _ members: String) throws -> Bool {
            try RefererConfiguration(XMLElement(parsing: Array("<R>\(members)</R>".utf8))).allows(referer)
        }
        let list = "<RefererList><Referer>http://a.example/x?y=1</Referer></RefererList>"
        #expect(try !lets("http://a.example/x?y=1", list))
        #expect(try lets("http://a.example/x?y=1", "<AllowTruncateQueryString>false</AllowTruncateQueryString>" + list))
        let host = "<TruncatePath>true</TruncatePath><RefererList><Referer>http://a.example</Referer></RefererList>"
        #expect(try lets("http://a.example/deep/page", host))
        #expect(try !lets("http://b.example/", host))
        #expect(try lets("https://a.example/x", "<RefererList><Referer>a.example/x</Referer></RefererList>"))
        #expect(try lets(nil, ""))
        #expect(try lets("anything", ""))
        #expect(try !lets(nil, "<AllowEmptyReferer>false</AllowEmptyReferer>"))
    }

    static let website = """
        <WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix><SupportSubDir>true</SupportSubDir><Type>0</Type></IndexDocument>\
        <ErrorDocument><Key>error.html</Key><HttpStatus>404</HttpStatus></ErrorDocument><RoutingRules><RoutingRule><RuleNumber>2</RuleNumber>\
        <Condition><KeyPrefixEquals>lost/</KeyPrefixEquals><HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals></Condition><Redirect>\
        <RedirectType>External</RedirectType><Protocol>https</Protocol><HostName>found.example</HostName><ReplaceKeyWith>p/${key}.x</ReplaceKeyWith>\
        <HttpRedirectCode>301</HttpRedirectCode><PassQueryString>true</PassQueryString></Redirect></RoutingRule><RoutingRule><RuleNumber>1</RuleNumber>\
        <Condition><KeyPrefixEquals>old/</KeyPrefixEquals></Condition><Redirect><RedirectType>Internal</RedirectType>\
        <ReplaceKeyPrefixWith>docs/</ReplaceKeyPrefixWith><EnableReplacePrefix>true</EnableReplacePrefix></Redirect></RoutingRule>\
        </RoutingRules></WebsiteConfiguration>
        """

    @Test("are served a website at the bucket's host name")
    func websites() async throws {
        try await OSSSandbox.run { oss async throws in
            for (key, text) in [("index.html", "home"), ("error.html", "sorry"), ("docs/index.html", "docs"), ("docs/a", "a")] {
                try await oss.store(key, text)
            }
            _ = try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read"])
            func see(_ path: String) async throws -> OSSAnswer {
                try await oss.send(.get, path, as: .nobody, bucketFromHost: "files", authority: "files.oss.localhost")
            }
            #expect(try await see("/").status == 403)
            #expect(try await oss.send(.put, "/files?website", document: Self.website).status == 200)
            #expect(try await see("/").text == "home")
            #expect(try await see("/docs/").text == "docs")
            #expect(try await see("/old/a").text == "a")
            let folder = try await see("/docs")
            #expect(folder.status == 302)
            #expect(folder["Location"] == "/docs/")
            // An index that is not public is treated as missing.
            try await oss.put("secret/index.html", "secret", ["x-oss-object-acl": "private"])
            let secret = try await see("/secret")
            #expect(secret.status == 404)
            #expect(secret.text == "sorry")
            #expect(secret["Location"] == nil)
            #expect(try await see("/secret/").status == 403)
            let missing = try await see("/nothing")
            #expect(missing.status == 404)
            #expect(missing.text == "sorry")
            // Conditions and ranges do not apply to the error page.
            for (name, value) in [("Range", "bytes=0-1"), ("If-None-Match", "*"), ("If-Match", "\"00\"")] {
                let page = try await oss.send(
                    .get, "/nothing", [name: value], as: .nobody, bucketFromHost: "files", authority: "files.oss.localhost")
                #expect(page.status == 404)
                #expect(page.text == "sorry")
                #expect(page["Content-Range"] == nil)
            }
            let lost = try await see("/lost/x?a=1")
            #expect(lost.status == 301)
            #expect(lost["Location"] == "https://found.example/p/lost/x.x?a=1")
            // A signed request calls the API.
            let signed = try await oss.send(.get, "/", bucketFromHost: "files", authority: "files.oss.localhost")
            #expect(try signed.xml.name == "ListBucketResult")
            #expect(try await oss.send(.get, "/files/docs/").text == "docs", "but for the index of a folder")
            #expect(try await oss.send(.get, "/files/nowhere/").code == "NoSuchKey")
            #expect(try await oss.send(.get, "/files/nothing", as: .nobody).code == "NoSuchKey")
            _ = try await oss.send(.put, "/files?acl", ["x-oss-acl": "private"])
            #expect(try await oss.send(.get, "/files/docs/", as: .reader).status == 403)
            try await oss.put("docs/", "itself")
            #expect(try await oss.send(.get, "/files/docs/").text == "itself")
        }
    }
}
