import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Userinfo (OpenID Connect Core 1.0 section 5.3, RFC 6750)")
struct UserInfoTests {
    @Test("a client with a registered algorithm gets a signed response (section 5.3.2)", arguments: ["RS256", "ES256"])
    func signed(algorithm: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud) { $0.userinfoSignedResponseAlg = algorithm }
        let token = try await applicant.tokens(visitor).accessToken
        let answer = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"])
        #expect(answer.headers[.contentType] == "application/jwt")
        let signed = try JSONWebToken(parsing: answer.body)
        let keys = try await visitor.get("company/jwks")
        let key = try #require(JSONWebKeySet(parsing: Array(keys.body.utf8))?.keys.first { $0.keyID == signed.keyID })
        try signed.verify(with: key.key)
        #expect(signed.algorithm.rawValue == algorithm)
        #expect(signed.claims["iss"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(signed.claims["aud"] == "app")
        #expect(signed.claims["sub"] == "employee-0001-alice")
        #expect(signed.claims["name"] == "Alice Archer")
    }

    @Test("the token is sent once, in the header or in the form, never in the query (RFC 6750 section 2)")
    func places() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let token = try await applicant.tokens(visitor).accessToken
        let header: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(try await visitor.get("company/userinfo", headers: header).status == 200)
        #expect(try await visitor.send(.post, "company/userinfo", body: nil, headers: header).status == 200)
        #expect(try await visitor.post("company/userinfo", ["access_token": token]).status == 200)
        let twice = try await visitor.post("company/userinfo", ["access_token": token], headers: header)
        #expect(twice.status == 400)
        #expect(twice.error == "invalid_request")
        var repeated: FormFields = ["access_token": token]
        repeated.fields += repeated.fields
        #expect(try await visitor.post("company/userinfo", repeated).error == "invalid_request")
        #expect(try await visitor.get("company/userinfo", ["access_token": token]).status == 401)
    }

    @Test("a body that is not a form has no token, and is ignored with a token in the header (RFC 6750 section 2.2)")
    func otherBodies() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        var headers: HTTPFields = [.contentType: "application/json"]
        #expect(try await visitor.send(.post, "company/userinfo", body: "{}", headers: headers).error == "invalid_request")
        let token = try await applicant.tokens(visitor).accessToken
        headers[.authorization] = "Bearer \(token)"
        #expect(try await visitor.send(.post, "company/userinfo", body: "{}", headers: headers).status == 200)
    }

    @Test("an invalid token and a missing one have different challenges (RFC 6750 section 3.1)")
    func faults() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let unknown = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer unknown"])
        #expect(unknown.status == 401)
        #expect(unknown.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
        let missing = try await visitor.get("company/userinfo")
        #expect(missing.status == 401)
        #expect(missing.headers[.wwwAuthenticate] == "Bearer realm=\"company\"")
    }
}
