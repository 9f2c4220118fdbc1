import Cloud
import Cryptography
import Fixtures
import HTTPTypes
import Seeds
import Testing
import WireFormats

@testable import ObjectServing
@testable import S3Face

@Suite("CORS")
struct CORSTests {
    static func rules(_ inner: String) -> String { "<CORSConfiguration>\(inner)</CORSConfiguration>" }
    static let minimal = "<AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin>"
    static func rule(_ inner: String) -> String { rules("<CORSRule>\(inner)</CORSRule>") }

    static func read(_ document: String) throws -> CORSConfiguration {
        let configuration = CORSConfiguration(try XMLElement(parsing: Array(document.utf8)).holding(CORSConfiguration.schema))
        try configuration.checkRules()
        return configuration
    }

    @Test(
        "refuses what S3 refuses, with its messages",
        arguments: [
            (rules(""), S3Error.Code.malformedXML, nil),
            (rule("<AllowedOrigin>*</AllowedOrigin>"), .malformedXML, nil),
            (rule("<AllowedMethod>GET</AllowedMethod>"), .malformedXML, nil),
            (rule(minimal + "<Colour>red</Colour>"), .malformedXML, nil),
            (rule(minimal + "<MaxAgeSeconds>soon</MaxAgeSeconds>"), .malformedXML, nil),
            (
                rule("<AllowedMethod>PATCH</AllowedMethod><AllowedOrigin>*</AllowedOrigin>"), .invalidRequest,
                "Found unsupported HTTP method in CORS config. Unsupported method is PATCH"
            ),
            (
                rule("<AllowedMethod>GET</AllowedMethod><AllowedOrigin>*a*</AllowedOrigin>"), .invalidRequest,
                "AllowedOrigin \"*a*\" can not have more than one wildcard."
            ),
            (
                rule(minimal + "<AllowedHeader>x-*-*</AllowedHeader>"), .invalidRequest,
                "AllowedHeader \"x-*-*\" can not have more than one wildcard."
            ),
            (
                rule(minimal + "<ExposeHeader>x-*</ExposeHeader>"), .invalidRequest,
                "ExposeHeader \"x-*\" contains wildcard. We currently do not support wildcard for ExposeHeader."
            ),
            (
                rules(String(repeating: "<CORSRule>\(minimal)</CORSRule>", count: 101)), .invalidRequest,
                "The number of CORS rules should not exceed allowed limit of 100 rules."
            ),
        ] as [(String, S3Error.Code, String?)])
    func refusals(_ document: String, _ code: S3Error.Code, _ message: String?) throws {
        let error = try #require(throws: S3Error.self) { try Self.read(document) }
        #expect(error.code == code)
        #expect(error.message == message ?? code.message)
    }

    @Test("parses what it serializes")
    func roundTrip() throws {
        let document = Self.rule(
            "<ID>one</ID><AllowedOrigin>https://a.example</AllowedOrigin><AllowedOrigin>http://*.b</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedHeader>X-*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>3000</MaxAgeSeconds>"
        )
        let configuration = try Self.read(document)
        var xml = XMLWriter()
        xml.element(CORSConfiguration.root, configuration.encode)
        #expect(String(decoding: xml.bytes, as: UTF8.self) == document)
    }

    @Test(
        "matches with one wildcard, which may match nothing",
        arguments: [
            ("foo.suffix", "*suffix", true), ("foo.suffix.get", "*suffix", false), ("startend", "start*end", true),
            ("0start12end", "start*end", false), ("prefix", "prefix*", true), ("a", "a*a", false), ("x", "*", true),
            ("http://a/", "http://a", false),
        ])
    func wildcards(_ text: String, _ pattern: String, _ matches: Bool) {
        #expect(CORSRule.matches(text, pattern) == matches)
    }

    /// As LocalStack recorded it from the service (test_cors_match_origins, test_cors_match_headers).
    @Test("answers a preflight according to the rule")
    func preflight() async throws {
        try await S3Sandbox.run { s3 in
            try await s3.putCORS(
                Self.rule(
                    "<AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedOrigin>https://localhost:4200</AllowedOrigin><AllowedHeader>x-AMZ-*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>3000</MaxAgeSeconds>"
                ))
            let answer = try await s3.send(
                .options, "/files/any",
                [
                    "Origin": "https://localhost:4200", "Access-Control-Request-Method": "PUT",
                    "Access-Control-Request-Headers": "X-Amz-Date,x-amz-acl",
                ], as: .nobody)
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(answer["Access-Control-Allow-Origin"] == "https://localhost:4200")
            #expect(answer["Access-Control-Allow-Methods"] == "GET, PUT")
            #expect(answer["Access-Control-Allow-Headers"] == "x-amz-date, x-amz-acl")
            #expect(answer["Access-Control-Expose-Headers"] == "ETag")
            #expect(answer["Access-Control-Max-Age"] == "3000")
            #expect(answer["Access-Control-Allow-Credentials"] == "true")
            #expect(answer["Vary"] == "Origin, Access-Control-Request-Headers, Access-Control-Request-Method")
        }
    }

    @Test("refuses a preflight with S3's messages")
    func preflightRefusals() async throws {
        try await S3Sandbox.run { s3 in
            let origin = ["Origin": "https://a"]
            var answer = try await s3.send(.options, "/files/a", as: .nobody)
            #expect(answer.status == 400)
            #expect(answer.code == "BadRequest")
            #expect(answer.detail("Message") == "Insufficient information. Origin request header needed.")
            answer = try await s3.send(.options, "/nowhere", origin, as: .nobody)
            #expect(answer.status == 403)
            #expect(answer.detail("Message") == "CORSResponse: Bucket not found")
            #expect(answer.detail("Method") == "OPTIONS")
            #expect(answer.detail("ResourceType") == "BUCKET")
            answer = try await s3.send(
                .options, "/files/a", ["Origin": "https://a", "Access-Control-Request-Method": "PUT"], as: .nobody)
            #expect(answer.detail("Message") == "CORSResponse: CORS is not enabled for this bucket.")
            #expect(answer.detail("Method") == "PUT")
            #expect(answer.detail("ResourceType") == "BUCKET")
            try await s3.putCORS(Self.rule(Self.minimal))
            answer = try await s3.send(.options, "/files", origin, as: .nobody)
            #expect(answer.status == 400)
            #expect(answer.detail("Message") == "Invalid Access-Control-Request-Method: null")
            answer = try await s3.send(
                .options, "/files/a", ["Origin": "https://a", "Access-Control-Request-Method": "PUT"], as: .nobody)
            #expect(answer.status == 403)
            #expect(answer.code == "AccessForbidden")
            #expect(answer.detail("ResourceType") == "OBJECT")
        }
    }

    @Test("adds its headers to successes and errors for the allowed page only")
    func actualRequests() async throws {
        try await S3Sandbox.run { s3 in
            try await s3.putCORS(Self.rule(Self.minimal))
            for (target, status) in [("/files/public/hello.txt", 200), ("/files/missing", 404)] {
                let answer = try await s3.send(.get, target, ["Origin": "https://a"])
                #expect(answer.status == status)
                #expect(answer["Access-Control-Allow-Origin"] == "*")
                #expect(answer["Access-Control-Allow-Credentials"] == nil)
            }
            let head = try await s3.send(.head, "/files/public/hello.txt", ["Origin": "https://a"])
            #expect(head.status == 200)
            #expect(head["Access-Control-Allow-Origin"] == nil)
            #expect(try await s3.send(.get, "/files/public/hello.txt")["Vary"] == nil)
        }
    }

    @Test("is put, returned and deleted")
    func operations() async throws {
        try await S3Sandbox.run { s3 in
            var answer = try await s3.send(.get, "/files?cors")
            #expect(answer.status == 404)
            #expect(answer.code == "NoSuchCORSConfiguration")
            #expect(answer.detail("BucketName") == "files")
            answer = try await s3.send(.put, "/files?cors", body: Array(Self.rule(Self.minimal).utf8))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidRequest")
            try await s3.putCORS(Self.rule(Self.minimal))
            answer = try await s3.send(.get, "/files?cors")
            #expect(try answer.xml.child("CORSRule")?.child("AllowedMethod")?.text == "GET")
            #expect(try await s3.send(.get, "/files?cors", as: .other).status == 403)
            #expect(try await s3.send(.delete, "/files?cors").status == 204)
            #expect(try await s3.send(.get, "/files?cors").status == 404)
            #expect(try await s3.send(.delete, "/files?cors").status == 204)
        }
    }
}

extension S3Sandbox {
    func putCORS(_ document: String) async throws { try await configure("cors", document) }

    /// Puts a configuration of the bucket `files`, with the digest that some of them require.
    func configure(_ subResource: String, _ document: String, _ fields: [String: String] = [:]) async throws {
        let answer = try await putConfiguration(subResource, document, fields)
        #expect(answer.status == 200, "\(answer.text)")
    }

    func putConfiguration(
        _ subResource: String, _ document: String, _ fields: [String: String] = [:]
    ) async throws -> FaceAnswer {
        let body = Array(document.utf8)
        return try await send(
            .put, "/files?\(subResource)", fields.merging(["Content-MD5": MD5.hash(body).base64]) { $1 }, body: body)
    }
}
