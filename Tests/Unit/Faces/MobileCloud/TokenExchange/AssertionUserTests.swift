import Cloud
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("The user of an assertion")
struct AssertionUserTests {
    private static func detail(_ answer: MobileAnswer) -> String { answer["detail"] ?? "-" }

    /// The issuer's rules, the attributes of the assertion, and the expected roles of the virtual user.
    struct Rules: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rules: String
        var attributes: [String: [String]]
        var roles: [String]

        init(_ name: String, _ rules: String, _ attributes: [String: [String]], _ roles: [String]) {
            testDescription = name
            self.rules = rules
            self.attributes = attributes
            self.roles = roles
        }

        static let mapped =
            "roleMappings: [{tokenRole: 'field', mappedRoles: ['Technician', 'Staff']}, {tokenRole: 'boss', mappedRoles: ['Manager']}]"
        static let all = [
            Rules(
                "roles of an attribute (R15, R19, R23)", "roleAttributes: ['roles']", ["roles": ["Manager", "Staff"]], ["Manager", "Staff"]),
            Rules(
                "roles of several attributes (R23)", "roleAttributes: ['a', 'b']", ["a": ["Manager"], "b": ["Staff"]], ["Manager", "Staff"]),
            Rules(
                "mapped roles (R15, R24)", "roleAttributes: ['roles'], \(mapped)", ["roles": ["boss", "field", "Guest"]],
                ["Manager", "Technician", "Staff", "Guest"]),
            Rules("no rule, no role", "enabled: true", ["roles": ["Manager"]], []),
            Rules("the certificate's (R15, R25)", "defaultRoles: ['Guest', 'Staff']", ["roles": ["Manager"]], ["Guest", "Staff"]),
            Rules(
                "no default beside others (R25)", "roleAttributes: ['roles'], defaultRoles: ['Guest']", ["roles": ["Manager"]], ["Manager"]),
            Rules("the default where no attribute is there (R25)", "roleAttributes: ['roles'], defaultRoles: ['Guest']", [:], ["Guest"]),
            Rules(
                "the default where no role came of the attributes (R25, X6)", "roleAttributes: ['roles'], defaultRoles: ['Guest']",
                ["roles": ["unknown"]], ["Guest"]),
        ]
    }

    @Test("has the roles that the issuer's rules assign, if virtual (R22)", arguments: Rules.all)
    func rules(_ example: Rules) async throws {
        try await MobileSandbox.runWithAssertions("virtualUserEnabled: true, \(example.rules)") { mobile async throws in
            var assertion = ForeignAssertion(mobile.cloud)
            assertion.attributes = example.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            let answer = try await mobile.exchangeAssertion(assertion.token())
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await mobile.content(of: answer).virtual?.roles == example.roles)
        }
    }

    @Test("is named by the attribute of the user mapping rule (R22)")
    func userAttribute() async throws {
        try await MobileSandbox.runWithAssertions("virtualUserEnabled: true, userAttribute: 'mail'") { mobile async throws in
            var assertion = ForeignAssertion(mobile.cloud)
            assertion.attributes = [("mail", ["alice@company.example"])]
            #expect(try await mobile.content(of: mobile.exchangeAssertion(assertion.token())).username == "alice@company.example")
            for values in [[], ["a", "b"], [""]] {
                assertion.attributes = [("mail", values)]
                let answer = try await mobile.exchangeAssertion(assertion.token())
                #expect(answer.status == 401)
                #expect(
                    Self.detail(answer)
                        == "The assertion of issuer https://saml.company.example/idp must name one user in the attribute mail.")
            }
        }
    }

    @Test("must be a user of the backend's realm if virtual users are off (R11, R97-R99, R101)")
    func provisioned() async throws {
        try await MobileSandbox.runWithAssertions("roleAttributes: ['roles'], defaultRoles: ['Guest']") { mobile async throws in
            var assertion = ForeignAssertion(mobile.cloud)
            let content = try await mobile.content(of: mobile.exchangeAssertion(assertion.token()))
            #expect(content.username == "alice")
            #expect(content.virtual == nil)
            #expect(content.furtherRoles == ["Technician"])
            assertion.attributes = []
            #expect(try await mobile.content(of: mobile.exchangeAssertion(assertion.token())).furtherRoles == ["Guest"])
            let elsewhere = try await mobile.exchangeAssertion(assertion.token(), backend: "partners")
            #expect(elsewhere.status == 403)
            #expect(elsewhere.errorCode == MobileErrorKind.forbidden.code)
            #expect(Self.detail(elsewhere) == "The realm Partners(1.0) of the backend has no user named alice.")
            // The user is found by name, not by email address.
            assertion.subject = "alice@company.example"
            #expect(try await mobile.exchangeAssertion(assertion.token()).status == 403)
        }
    }
}
