import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import IdentityProviders
import NIOCore
import Testing
import WireFormats

@Suite("WebFinger (OpenID Connect Discovery 1.0 section 2, RFC 7033)")
struct WebFingerTests {
    private static let relation = "http://openid.net/specs/connect/1.0/issuer"

    private func ask(
        _ cloud: Cloud, _ query: FormFields, method: HTTPRequest.Method = .get
    ) async throws -> (status: Int, type: String?, headers: HTTPFields, json: JSONValue) {
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "localhost:4566", path: "\(WellKnownPath.webFinger)?\(query.encoded)"),
            body: RequestBody(buffer: ByteBuffer()))
        let call = Call(request: request, peer: nil, isSecure: false, cloud: cloud, names: HostNames())
        let response = IdentityProviderFace(applications: .unreachable).respondToWebFinger(call)
        let body = try await response.body.collected(upTo: 1 << 20)
        return (response.status.code, response.headers[.contentType], response.headers, (try? JSONValue(parsing: body)) ?? .null)
    }

    @Test(
        "a resource leads to the issuer of its user or host",
        arguments: [
            "acct:alice@localhost:4566", "acct:alice@localhost", "ACCT:alice@virga", "acct:alice@login.company.example",
            "acct:alice@company.example", "mailto:Alice@Company.example", "https://login.company.example",
            "https://login.company.example/alice", "http://localhost:4566/idp/company", "http://localhost:4566/idp/company/alice",
            "http://127.0.0.1/realms/company", "http://localhost:4566", "http://localhost:4566/",
        ])
    func found(resource: String) async throws {
        let cloud = try await Visitor.sandbox()
        let answer = try await ask(cloud, ["resource": resource, "rel": Self.relation])
        #expect(answer.status == 200)
        #expect(answer.type == "application/jrd+json")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        let link: JSONValue = ["rel": .string(Self.relation), "href": .string("\(Visitor.origin)/idp/company")]
        #expect(answer.json == ["subject": .string(resource), "links": [link]], "\(answer.json)")
    }

    @Test(
        "an unknown resource is not found (RFC 7033 section 4.2)",
        arguments: ["acct:nobody@localhost", "acct:alice@elsewhere.example", "https://elsewhere.example/", "http://localhost:4566/other"])
    func unknown(resource: String) async throws {
        let answer = try await ask(try await Visitor.sandbox(), ["resource": resource])
        #expect(answer.status == 404, "\(answer.json)")
        #expect(answer.headers[.accessControlAllowOrigin] == "*", "\(answer.json)")
    }

    @Test("another relation has no links, and a request has one resource")
    func queries() async throws {
        let cloud = try await Visitor.sandbox()
        let resource: FormFields = ["resource": "acct:alice@localhost"]
        #expect(try await ask(cloud, resource.with(["rel": "http://webfinger.net/rel/avatar"])).json["links"] == [])
        var both = resource.with(["rel": "http://webfinger.net/rel/avatar"])
        both.fields.append(.init(name: "rel", value: Self.relation))
        #expect(try await ask(cloud, both).json["links"]?.arrayValue?.count == 1)
        #expect(try await ask(cloud, resource).json["links"]?.arrayValue?.count == 1)
        for query in [[:], ["resource": ""], ["resource": "alice"], ["resource": ":"]] as [FormFields] {
            #expect(try await ask(cloud, query).status == 400)
        }
        var twice = resource
        twice.fields += resource.fields
        #expect(try await ask(cloud, twice).status == 400)
        let posted = try await ask(cloud, resource, method: .post)
        #expect(posted.status == 405)
        #expect(posted.headers[.allow] == "GET")
        #expect(try await ask(cloud, resource, method: .options).status == 204)
    }

    @Test("the link is the configured name of the issuer")
    func fixedName() async throws {
        let cloud = try await Visitor.sandbox()
        try await Company.change(cloud) { $0.origins = IssuerOrigins(issuer: "http://virga:4566") }
        let answer = try await ask(cloud, ["resource": "acct:alice@localhost"])
        #expect(answer.json["links"]?.arrayValue?.first?["href"] == "http://virga:4566/idp/company")
    }
}
