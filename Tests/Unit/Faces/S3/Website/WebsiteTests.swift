import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Websites")
struct WebsiteTests {
    static func read(_ inner: String) throws -> WebsiteConfiguration {
        try WebsiteConfiguration(
            try XMLElement(parsing: Array("<WebsiteConfiguration>\(inner)</WebsiteConfiguration>".utf8))
                .holding(WebsiteConfiguration.schema))
    }

    static let index = "<IndexDocument><Suffix>index.html</Suffix></IndexDocument>"

    static func rule(_ inner: String) -> String {
        "\(index)<RoutingRules><RoutingRule>\(inner)</RoutingRule></RoutingRules>"
    }

    /// Recorded from the service by LocalStack (test_s3.py, validate_website_configuration).
    @Test(
        "refuse configurations as S3 does",
        arguments: [
            (
                "", S3Error.Code.invalidArgument,
                "A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty"
            ),
            (
                "<IndexDocument><Suffix>a/b</Suffix></IndexDocument>", .invalidArgument,
                "The IndexDocument Suffix is not well formed"
            ),
            (
                "<RedirectAllRequestsTo><HostName>a</HostName></RedirectAllRequestsTo>" + index, .invalidArgument,
                "RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules."
            ),
            ("<RedirectAllRequestsTo/>", .malformedXML, nil), (index + "<ErrorDocument/>", .malformedXML, nil),
            (index + "<RoutingRules/>", .malformedXML, nil),
            (
                rule("<Redirect><Protocol>ftp</Protocol></Redirect>"), .invalidRequest,
                "Invalid protocol, protocol can be http or https. If not defined the protocol will be selected automatically."
            ),
            (
                rule("<Redirect><ReplaceKeyWith>a</ReplaceKeyWith><ReplaceKeyPrefixWith/></Redirect>"), .invalidRequest,
                "You can only define ReplaceKeyPrefix or ReplaceKey but not both."
            ),
            (
                rule("<Condition/><Redirect><HostName>a</HostName></Redirect>"), .invalidRequest,
                "Condition cannot be empty. To redirect all requests without a condition, the condition element shouldn't be present."
            ),
        ] as [(String, S3Error.Code, String?)])
    func refusals(_ document: String, _ code: S3Error.Code, _ message: String?) throws {
        let error = try #require(throws: S3Error.self) { try Self.read(document) }
        #expect(error.code == code)
        #expect(error.message == message ?? code.message)
    }

    @Test("serve pages, folders and errors")
    func pages() async throws {
        try await S3Sandbox.run { s3 in
            try await s3.open(
                website: Self.index + "<ErrorDocument><Key>error.html</Key></ErrorDocument>", listable: true)
            try await s3.put("index.html", "home", ["Content-Type": "text/html"])
            try await s3.put("folder/index.html", "inside")
            var answer = try await s3.browse("/")
            #expect(answer.status == 200)
            #expect(answer.text == "home")
            #expect(answer["Content-Type"] == "text/html")
            #expect(try await s3.browse("/folder/").text == "inside")
            answer = try await s3.browse("/folder")
            #expect(answer.status == 302)
            #expect(answer["Location"] == "/folder/")
            answer = try await s3.browse("/missing")
            #expect(answer.status == 404)
            #expect(answer["x-amz-error-code"] == "NoSuchKey")
            #expect(answer.text.contains("<h1>404 Not Found</h1>"))
            #expect(answer.text.contains("<li>Key: missing</li>"))
            #expect(answer.text.contains("An Error Occurred While Attempting to Retrieve a Custom Error Document"))
            try await s3.put("error.html", "sorry")
            answer = try await s3.browse("/missing")
            #expect(answer.status == 404)
            #expect(answer.text == "sorry")
            answer = try await s3.browse("/", .post)
            #expect(answer.status == 405)
            #expect(answer["Content-Type"] == "text/html; charset=utf-8")
        }
    }

    @Test("serve only public objects")
    func privacy() async throws {
        try await S3Sandbox.run { s3 in
            try await s3.configure("website", "<WebsiteConfiguration>\(Self.index)</WebsiteConfiguration>")
            let answer = try await s3.browse("/public/hello.txt")
            #expect(answer.status == 403)
            #expect(answer["x-amz-error-code"] == "AccessDenied")
            #expect(try await s3.browse("/public/hello.txt", bucket: "foreign")["x-amz-error-code"] == "NoSuchWebsiteConfiguration")
            #expect(try await s3.browse("/", bucket: "nowhere")["x-amz-error-code"] == "NoSuchBucket")
        }
    }

    @Test("redirect by rules, by objects and as a whole")
    func redirects() async throws {
        try await S3Sandbox.run { s3 in
            let rules = """
                <RoutingRules>
                <RoutingRule><Condition><KeyPrefixEquals>docs/</KeyPrefixEquals></Condition>\
                <Redirect><ReplaceKeyPrefixWith>documents/</ReplaceKeyPrefixWith></Redirect></RoutingRule>
                <RoutingRule><Condition><HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals></Condition>\
                <Redirect><Protocol>https</Protocol><HostName>elsewhere.example</HostName><HttpRedirectCode>307</HttpRedirectCode>\
                </Redirect></RoutingRule></RoutingRules>
                """
            try await s3.open(website: Self.index + rules, listable: true)
            try await s3.put("moved", "", ["x-amz-website-redirect-location": "https://example.com/"])
            var answer = try await s3.browse("/docs/a%20b")
            #expect(answer.status == 301)
            #expect(answer["Location"] == "http://\(S3Sandbox.authority)/documents/a%20b")
            answer = try await s3.browse("/gone/away")
            #expect(answer.status == 307)
            #expect(answer["Location"] == "https://elsewhere.example/gone/away")
            answer = try await s3.browse("/moved")
            #expect(answer.status == 301)
            #expect(answer["Location"] == "https://example.com/")
            try await s3.open(
                website: "<RedirectAllRequestsTo><HostName>example.com</HostName></RedirectAllRequestsTo>", listable: false)
            answer = try await s3.browse("/a?b=c")
            #expect(answer.status == 301)
            #expect(answer["Location"] == "http://example.com/a?b=c")
        }
    }

    @Test("are put, returned and deleted")
    func operations() async throws {
        try await S3Sandbox.run { s3 in
            #expect(try await s3.send(.get, "/files?website").code == "NoSuchWebsiteConfiguration")
            try await s3.configure("website", "<WebsiteConfiguration>\(Self.index)</WebsiteConfiguration>")
            #expect(try await s3.send(.get, "/files?website").text.hasSuffix("\(Self.index)</WebsiteConfiguration>"))
            #expect(try await s3.send(.delete, "/files?website").status == 204)
            #expect(try await s3.send(.get, "/files?website").status == 404)
        }
    }
}

extension S3Sandbox {
    /// Puts a website on the bucket `files` and makes it public.
    fileprivate func open(website: String, listable: Bool) async throws {
        try await configure("website", "<WebsiteConfiguration>\(website)</WebsiteConfiguration>")
        let bucket = try #require(cloud.objects.bucket(named: "files"))
        var statements = [
            #"{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::files/*"}"#
        ]
        if listable {
            statements.append(
                #"{"Effect":"Allow","Principal":"*","Action":"s3:ListBucket","Resource":"arn:aws:s3:::files"}"#)
        }
        let policy = #"{"Version":"2012-10-17","Statement":[\#(statements.joined(separator: ","))]}"#
        try await cloud.objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
            configuration.publicAccessBlock = nil
            configuration.documents[.policy] = policy
        }
    }

    fileprivate func browse(
        _ target: String, _ method: HTTPRequest.Method = .get, bucket: String = "files"
    ) async throws -> FaceAnswer {
        let head = HTTPRequest(method: method, scheme: "http", authority: Self.authority, path: target, headerFields: [:])
        let call = Call(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer())), peer: nil, isSecure: false, cloud: cloud,
            names: HostNames())
        let response = await face.respondAsWebsite(to: call, bucket: bucket)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }
}
