import Cloud
import Federation
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("The user of a JWT")
struct JWTUserTests {
    @Test(
        "is named by the configured claim, else by sub, else by prn (R41, R54, X9)",
        arguments: [
            ("", [:], "alice"), ("usernameAttribute: 'unique_name',", ["unique_name": "alice.a"], "alice.a"),
            ("", ["sub": .null, "prn": "alice.p"], "alice.p"), ("", ["prn": "alice.p"], "alice"),
            ("usernameAttribute: 'unique_name',", [:], nil), ("usernameAttribute: 'roles',", [:], nil),
        ] as [(String, JSONObject, String?)])
    func names(member: String, claims: JSONObject, expected: String?) async throws {
        try await MobileSandbox.runWithIssuer("\(member) \(MobileSandbox.usualIssuer)") { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, claims))
            #expect(answer.status == (expected == nil ? 400 : 200), "\(answer.text)")
            if let expected { #expect(try await mobile.content(of: answer).username == expected) }
        }
    }

    /// Members of the issuer, claims of the token, and the expected roles of the virtual user.
    struct Roles: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var issuer: String
        var claims: JSONObject
        var roles: [String]

        init(_ name: String, _ issuer: String, _ claims: JSONObject, _ roles: [String]) {
            testDescription = name
            self.issuer = issuer
            self.claims = claims
            self.roles = roles
        }

        static let mapped =
            "roleMappings: [{tokenRole: 'field', mappedRoles: ['Technician', 'Staff']}, {tokenRole: 'boss', mappedRoles: ['Manager']}]"
        static let all = [
            Roles("a text is one role (R73)", "roleAttributes: ['roles']", ["roles": "Manager"], ["Manager"]),
            Roles(
                "a list is many (R15, R36, R42, R73)", "roleAttributes: ['roles']", ["roles": ["Manager", "Staff"]], ["Manager", "Staff"]),
            Roles(
                "several claims (R73)", "roleAttributes: ['roles', 'more']", ["roles": "Manager", "more": ["Staff", "Manager"]],
                ["Manager", "Staff"]),
            Roles("a missing claim (R73)", "roleAttributes: ['roles', 'more']", ["roles": .null, "more": "Staff"], ["Staff"]),
            Roles("nothing that is no text (R73)", "roleAttributes: ['roles']", ["roles": [1, ["Manager"], "Staff"]], ["Staff"]),
            Roles("no attribute, no role of the token (R74)", "enabled: true", ["roles": "Manager"], []),
            Roles(
                "mapped ones are replaced (R42, R75, X7)", "roleAttributes: ['roles'], \(mapped)", ["roles": ["field", "boss"]],
                ["Technician", "Staff", "Manager"]),
            Roles(
                "others keep their names (X7)", "roleAttributes: ['roles'], \(mapped)", ["roles": ["Guest", "field"]],
                ["Guest", "Technician", "Staff"]),
            Roles(
                "what is no role of the environment is left out (X7)", "roleAttributes: ['roles']", ["roles": ["root", "Guest"]], ["Guest"]),
            Roles("the default without attributes (R42, R71)", "defaultRoles: ['Guest']", ["roles": "Manager"], ["Guest"]),
            Roles(
                "the default for a missing claim (R71)", "roleAttributes: ['roles'], defaultRoles: ['Guest']", ["roles": .null], ["Guest"]),
            Roles("the default for an empty claim (R71)", "roleAttributes: ['roles'], defaultRoles: ['Guest']", ["roles": []], ["Guest"]),
            Roles("the default for an empty text (R71)", "roleAttributes: ['roles'], defaultRoles: ['Guest']", ["roles": ""], ["Guest"]),
            Roles("no default beside a role (R71)", "roleAttributes: ['roles'], defaultRoles: ['Guest']", ["roles": "Staff"], ["Staff"]),
            Roles(
                "no default beside a claim that leads to no role (R71, X6)", "roleAttributes: ['roles'], defaultRoles: ['Guest']",
                ["roles": "unknown"], []),
            Roles(
                "the issuer's in any case (R42, R72)", "roleAttributes: ['roles'], issuerRoles: ['Staff'], defaultRoles: ['Guest']",
                ["roles": "Manager"], ["Manager", "Staff"]),
            Roles("the issuer's beside the default (R72)", "issuerRoles: ['Staff'], defaultRoles: ['Guest']", [:], ["Guest", "Staff"]),
        ]
    }

    @Test("has the roles that token and configuration assign", arguments: Roles.all)
    func virtualRoles(_ example: Roles) async throws {
        let issuer = "virtualUserEnabled: true, \(MobileSandbox.usualKeys), \(example.issuer)"
        try await MobileSandbox.runWithIssuer(issuer) { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, example.claims))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await mobile.content(of: answer).virtual?.roles == example.roles)
        }
    }

    @Test(
        "is a user of the backend's realm if virtual users are off, found as the issuer configures (R11, R53, R70, R97, R98, R100, X10)",
        arguments: [
            ("", "app", "alice", "alice"), ("userMappingAttribute: 'uid',", "app", "alice", "alice"), ("", "app", "Alice", nil),
            ("", "app", "alice@company.example", nil), ("userMappingAttribute: 'mail',", "app", "alice@company.example", "alice"),
            ("userMappingAttribute: 'mail',", "app", "Alice@Company.example", "alice"),
            ("userMappingAttribute: 'mail',", "app", "alice", nil),
            ("", "partners", "alice", nil), ("", "partners", "petra", "petra"), ("", "app", "nobody", nil),
        ] as [(String, String, String, String?)])
    func provisioned(member: String, backend: String, subject: String, expected: String?) async throws {
        try await MobileSandbox.runWithIssuer("\(member) \(MobileSandbox.usualKeys)") { mobile, _ async throws in
            let token = try ForeignIssuer.token(mobile.cloud, ["sub": .string(subject)])
            let answer = try await mobile.exchange(token, backend: backend)
            if let expected {
                let content = try await mobile.content(of: answer)
                #expect(content.username == expected)
                #expect(content.virtual == nil)
                #expect(content.userID != nil)
            } else {
                let realm = backend == "app" ? "Default" : "Partners"
                let what = member.contains("mail") ? "with the address" : "named"
                #expect(answer.status == 400)
                #expect(answer.refusal == "invalid_grant: The realm \(realm)(1.0) of the backend has no user \(what) \(subject).")
            }
        }
    }

    @Test("of the realm has its own roles, and those of the rules for all users of the issuer (R101)")
    func provisionedRoles() async throws {
        let issuer = "roleAttributes: ['roles'], defaultRoles: ['Guest'], issuerRoles: ['Staff'], \(MobileSandbox.usualKeys)"
        try await MobileSandbox.runWithIssuer(issuer) { mobile, _ async throws in
            let named = try await mobile.content(of: mobile.exchange(ForeignIssuer.token(mobile.cloud)))
            #expect(named.furtherRoles == ["Technician"])
            let usual = try await mobile.content(of: mobile.exchange(ForeignIssuer.token(mobile.cloud, ["roles": .null])))
            #expect(usual.furtherRoles == ["Guest"])
        }
    }

    @Test("is virtual even if the realm has a user of that name, and the mapping says otherwise (R53, R70)")
    func virtualOverMapping() async throws {
        try await MobileSandbox.runWithIssuer("userMappingAttribute: 'mail', \(MobileSandbox.usualIssuer)") { mobile, _ async throws in
            let content = try await mobile.content(of: mobile.exchange(ForeignIssuer.token(mobile.cloud)))
            #expect(content.username == "alice")
            #expect(content.virtual != nil)
        }
    }
}

@Suite("The audience of a JWT")
struct JWTAudienceTests {
    @Test(
        "may be the base URL or a path up to the exchange, under every host name of this process (R39, R51, R52)",
        arguments: [
            "", "/", "/mobile", "/mobile/", "/mobile/platform", "/mobile/platform/", "/mobile/platform/auth", "/mobile/platform/auth/",
            "/mobile/platform/auth/token", "/mobile/platform/auth/token/",
        ])
    func own(path: String) async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            var mobile = mobile
            mobile.names = HostNames(publicURL: nil, aliases: ["mcs.company.example"])
            for origin in [
                "http://localhost:4566", "http://127.0.0.1:4566", "http://virga:4566", "http://mcs.company.example:4566",
                "http://MCS.company.example:4566",
            ] {
                let token = try ForeignIssuer.token(mobile.cloud, ["aud": .string(origin + path)])
                #expect(try await mobile.exchange(token).status == 200, "\(origin)")
                #expect(try await mobile.exchange(token, authority: "mcs.company.example:4566").status == 200, "\(origin)")
            }
            let among = try ForeignIssuer.token(
                mobile.cloud, ["aud": ["https://elsewhere.example", .string("http://localhost:4566" + path)]])
            #expect(try await mobile.exchange(among).status == 200)
        }
    }

    @Test(
        "is refused if it is any other URL (R51, R52)",
        arguments: [
            "http://localhost:4566/mobile/platform/sso/exchange-token", "http://localhost:4566/mobile/platform/auth/token?x=1",
            "http://localhost:4567/mobile", "https://localhost:4566/mobile", "http://elsewhere.example:4566/mobile", "/mobile",
            "localhost:4566",
            "http://localhost:4566//", "http://localhost:4566/MOBILE", "", "http://localhost/mobile",
        ])
    func others(audience: String) async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["aud": .string(audience)]))
            #expect(answer.status == 400)
            #expect(answer.refusal == "invalid_grant: The token from issuer https://issuer.example is for another audience: \(audience).")
        }
    }

    @Test("may contain the scheme's default port, or be the public URL of this process")
    func ports() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let token = try ForeignIssuer.token(mobile.cloud, ["aud": "http://localhost:80/mobile"])
            #expect(try await mobile.exchange(token, authority: "localhost").status == 200)
            let bare = try ForeignIssuer.token(mobile.cloud, ["aud": "http://localhost/mobile"])
            #expect(try await mobile.exchange(bare, authority: "localhost:80").status == 200)
            var mobile = mobile
            mobile.names = HostNames(publicURL: "https://cloud.company.example")
            let token2 = try ForeignIssuer.token(mobile.cloud, ["aud": "https://cloud.company.example/mobile/platform/auth/token"])
            #expect(try await mobile.exchange(token2).status == 200)
        }
    }

    @Test("is not accepted from the request's own Host (R52)")
    func host() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let token = try ForeignIssuer.token(mobile.cloud, ["aud": "http://evil.example/mobile/platform/auth/token"])
            #expect(try await mobile.exchange(token, authority: "evil.example").status == 400)
        }
    }

    @Test("may be absent, unless the environment requires it (X8)")
    func missing() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["aud": .null])).status == 200)
            try await mobile.setPolicy("Virga_RequireTokenAudience", "true")
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["aud": .null]))
            #expect(answer.status == 400)
            #expect(answer["error"] == "invalid_grant")
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
        }
    }

    @Test(
        "must be one of the issuer's if it has some (R40, R50)",
        arguments: [
            ("web", true), ("app", true), (["x", "app"], true), ("WEB", false), ("web ", false), ([], false), (["x"], false), (1, false),
            ("http://localhost:4566/mobile", false),
        ] as [(JSONValue, Bool)])
    func configured(audience: JSONValue, isTaken: Bool) async throws {
        try await MobileSandbox.runWithIssuer("audience: ['web', 'app'], \(MobileSandbox.usualIssuer)") { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["aud": audience]))
            #expect(answer.status == (isTaken ? 200 : 400), "\(answer.text)")
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["aud": .null])).status == 200)
        }
    }

    @Test("is compared with the URLs if the issuer's list is empty (R51)")
    func emptyList() async throws {
        try await MobileSandbox.runWithIssuer("audience: [], \(MobileSandbox.usualIssuer)") { mobile, _ async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["aud": "web"])).status == 400)
        }
    }
}

@Suite("The lifetime of a token that is issued for a JWT")
struct TokenTimeoutTests {
    /// Members of the issuer, policies of the environment, and the lifetime of a token for a JWT of ten minutes, in seconds.
    static let examples: [(issuer: String, policies: String, lifetime: Int64)] = [
        ("", "", 21_600),
        ("", ", Security_TokenExchangeTimeoutSecs: null", 28_800),
        ("", ", Security_TokenExchangeTimeoutSecs: '120'", 120),
        ("tokenTimeoutSeconds: 90,", ", Security_TokenExchangeTimeoutSecs: '120'", 90),
        ("tokenTimeoutSeconds: 90, tokenTimeoutPolicy: 'FromTimeoutSecs',", "", 90),
        ("tokenTimeoutSeconds: 90, tokenTimeoutPolicy: 'FromExternalToken',", "", 600),
        ("tokenTimeoutSeconds: 90, tokenTimeoutPolicy: 'FromExternalTokenLimitedByTimeoutSecs',", "", 90),
        ("tokenTimeoutSeconds: 9000, tokenTimeoutPolicy: 'FromExternalTokenLimitedByTimeoutSecs',", "", 600),
        ("", ", Security_TokenExchangeTimeoutPolicy: 'FromExternalToken'", 600),
        ("", ", Security_TokenExchangeTimeoutPolicy: 'FromExternalTokenLimitedByTimeoutSecs', Security_TokenExchangeTimeoutSecs: '60'", 60),
        ("tokenTimeoutPolicy: 'FromTimeoutSecs',", ", Security_TokenExchangeTimeoutPolicy: 'FromExternalToken'", 21_600),
    ]

    @Test("depends on issuer, policies and the JWT (R58-R60, R96, X1)", arguments: examples)
    func lifetime(issuer: String, policies: String, lifetime: Int64) async throws {
        try await MobileSandbox.runWithIssuer("\(issuer) \(MobileSandbox.usualIssuer)", policies: policies) { mobile, _ async throws in
            // The clock is frozen, so that the duration of the test does not matter.
            try await mobile.freeze()
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
            #expect(answer.json["expires_in"] == .integer(lifetime), "\(answer.text)")
            let content = try await mobile.content(of: answer)
            #expect(content.expires.seconds - content.issued.seconds == lifetime)
        }
    }

    @Test("ends with the JWT, however old the JWT is (R59)")
    func rest() async throws {
        try await MobileSandbox.runWithIssuer("tokenTimeoutPolicy: 'FromExternalToken', \(MobileSandbox.usualIssuer)") {
            mobile, _ async throws in
            try await mobile.freeze()
            let token = try ForeignIssuer.token(mobile.cloud)
            try await mobile.pass(400)
            #expect(try await mobile.exchange(token).json["expires_in"] == 200)
        }
    }

    @Test(
        "is an error if a policy is malformed",
        arguments: [
            (
                ", Security_TokenExchangeTimeoutSecs: 'soon'",
                "The policy Security_TokenExchangeTimeoutSecs must be a number of seconds, and is soon."
            ),
            (
                ", Security_TokenExchangeTimeoutSecs: '0'",
                "The policy Security_TokenExchangeTimeoutSecs must be a number of seconds, and is 0."
            ),
            (
                ", Security_TokenExchangeTimeoutPolicy: 'Never'",
                "The policy Security_TokenExchangeTimeoutPolicy must be one of FromTimeoutSecs, FromExternalToken, "
                    + "FromExternalTokenLimitedByTimeoutSecs, and is Never."
            ),
        ])
    func malformed(policies: String, expected: String) async throws {
        try await MobileSandbox.runWithIssuer(policies: policies) { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
            #expect(answer.status == 400)
            #expect(answer.refusal == "invalid_grant: \(expected)")
        }
    }
}
