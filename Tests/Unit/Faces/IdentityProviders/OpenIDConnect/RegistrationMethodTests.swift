import HTTPTypes
import Testing

extension RegistrationTests {
    @Test(
        "an unsupported method is answered with the supported ones (RFC 9110 section 15.5.6)",
        arguments: [
            ("token", "POST"), ("par", "POST"), ("register", "POST"), ("register/x", nil), ("introspect", "POST"), ("jwks", "GET"),
            ("userinfo", "GET, POST"), ("authorize", "GET, POST"), ("logout", "GET, POST"), ("sign-in", "POST"),
            (".well-known/openid-configuration", "GET"),
        ] as [(String, String?)])
    func methods(path: String, allowed: String?) async throws {
        let answer = try await Visitor(try await Visitor.sandbox()).send(.patch, "company/\(path)")
        #expect(answer.status == (allowed == nil ? 401 : 405))
        #expect(answer.headers[.allow] == allowed)
    }

    @Test(
        "an application in a browser may call every endpoint for applications",
        arguments: [
            "token", "userinfo", "jwks", "introspect", "revoke", "register", "register/any", "device_authorization",
            ".well-known/openid-configuration",
        ])
    func preflight(path: String) async throws {
        let answer = try await Visitor(try await Visitor.sandbox()).send(.options, "company/\(path)")
        #expect(answer.status == 204)
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.headers[.accessControlAllowHeaders] == "Authorization, Content-Type, DPoP, X-Requested-With, Origin, Accept")
        let methods = answer.headers[.accessControlAllowMethods] ?? ""
        #expect(methods.contains("POST"))
        #expect(methods.contains("DELETE"))
        #expect(methods.contains("PUT"))
    }
}
