import Cloud
import Directory
import Federation
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("The configuration of token exchange")
struct ConfigurationTests {
    private static func configuration(_ text: String) -> AuthTokenConfiguration { AuthTokenConfiguration(parsing: text) }

    private static func issuer(_ members: String) throws -> TrustedIssuer {
        try configuration("{\"issuers\": [{\"issuerName\": \"i\", \(members)}]}")
            .issuer("i", directory: Directory(), names: HostNames())
    }

    private static func keys(_ members: String) throws -> PublishedKeys {
        let issuer = try issuer("\"jwks\": {\"discoveryUri\": \"https://i/d\", \(members)}")
        guard case .published(let keys) = issuer.keys else { throw Unexpected() }
        return keys
    }

    private struct Unexpected: Error {}

    @Test("requires only an issuer's name, and has the documented defaults (R43-R49, R53-R55, R57, R61-R63, R68, R70)")
    func usualValues() throws {
        let configuration = Self.configuration("{\"issuers\": [{\"issuerName\": \"i\"}]}")
        #expect(configuration.policyReload == ReloadInterval(least: 10, most: 120))
        #expect(configuration.certificatesReload == ReloadInterval(least: 10, most: 300))
        let issuer = try configuration.issuer("i", directory: Directory(), names: HostNames())
        #expect(issuer.isEnabled)
        #expect(issuer.requiresClientAuthentication)
        #expect(!issuer.enablesVirtualUsers)
        #expect(issuer.audiences.isEmpty)
        #expect(issuer.filters.isEmpty)
        #expect(issuer.allowedBackends == nil)
        #expect(issuer.usernameAttribute == nil)
        #expect(issuer.clientIDAttribute == nil)
        #expect(issuer.userMapping == .uid)
        #expect(issuer.tokenTimeout == nil)
        #expect(issuer.timeoutPolicy == nil)
        #expect(issuer.keys == .nowhere)
        #expect(issuer.issuerRoles.isEmpty)
        #expect(issuer.roles.attributes.isEmpty)
    }

    @Test("has the documented members for keys (R76, R80-R85)")
    func usualKeys() throws {
        let keys = try Self.keys("\"allowHttp\": false")
        #expect(!keys.allowsHTTP)
        #expect(keys.reload == ReloadInterval(least: 60, most: 28_800))
        #expect(keys.connectTimeout == 30)
        #expect(keys.readTimeout == 60)
        #expect(keys.tlsVersions == .tls11 ... .tls12)
        #expect(keys.keySet == nil)
        #expect(keys.authorization(for: "https://i") == nil)
    }

    @Test("has configurable intervals (R44-R47, R81, R82)")
    func intervals() throws {
        let configuration = Self.configuration(
            """
            {"issuers": [], "policyMinReloadInterval": 1, "policyMaxReloadInterval": 2, "certificatesMinReloadInterval": 3,
             "certificatesMaxReloadInterval": 4}
            """)
        #expect(configuration.policyReload == ReloadInterval(least: 1, most: 2))
        #expect(configuration.certificatesReload == ReloadInterval(least: 3, most: 4))
        let keys = try Self.keys("\"minReloadInterval\": 5, \"maxReloadInterval\": 6, \"connectTimeout\": 7, \"readTimeout\": 8")
        #expect(keys.reload == ReloadInterval(least: 5, most: 6))
        #expect(keys.connectTimeout == 7)
        #expect(keys.readTimeout == 8)
    }

    @Test(
        "supports the named versions of TLS, and none of SSL (R85)",
        arguments: [
            ("[\"TLSv1.2\"]", .tls12 ... .tls12), ("[\"TLSv1\", \"TLSv1.1\"]", .tls1 ... .tls11), ("[\"TLS\"]", .tls1 ... .tls13),
            ("[\"SSLv3\", \"TLSv1.1\"]", .tls11 ... .tls11), ("[\"SSL\", \"SSLv2\", \"SSLv3\"]", nil), ("[]", nil),
            ("[\"TLSv1\", \"TLSv1.2\"]", .tls12 ... .tls12),
        ] as [(String, ClosedRange<OutboundRequest.TLSVersion>?)])
    func versions(names: String, expected: ClosedRange<OutboundRequest.TLSVersion>?) throws {
        #expect(try Self.keys("\"tlsVersions\": \(names)").tlsVersions == expected)
    }

    @Test(
        "refuses an invalid issuer, names the place, and accepts the others (R48, R77)",
        arguments: [
            ("\"enabled\": \"yes\"", "issuers[0].enabled must be true or false."),
            ("\"audience\": \"a\"", "issuers[0].audience must be a list of strings."),
            ("\"audience\": [1]", "issuers[0].audience must be a list of strings."),
            ("\"virtualUserEnabled\": 1", "issuers[0].virtualUserEnabled must be true or false."),
            ("\"requireClientAuth\": 0", "issuers[0].requireClientAuth must be true or false."),
            ("\"tokenTimeoutSeconds\": 0", "issuers[0].tokenTimeoutSeconds must be a whole number of seconds, 1 or more."),
            ("\"tokenTimeoutSeconds\": \"60\"", "issuers[0].tokenTimeoutSeconds must be a whole number of seconds, 1 or more."),
            (
                "\"tokenTimeoutPolicy\": \"Never\"",
                "issuers[0].tokenTimeoutPolicy must be one of FromTimeoutSecs, FromExternalToken, FromExternalTokenLimitedByTimeoutSecs."
            ),
            ("\"userMappingAttribute\": \"cn\"", "issuers[0].userMappingAttribute must be one of uid, mail."),
            ("\"jwks\": []", "issuers[0].jwks must be an object."),
            ("\"jwks\": {}", "issuers[0].jwks.jwksUri must be present if discoveryUri is absent."),
            ("\"jwks\": {\"jwksUri\": 1}", "issuers[0].jwks.jwksUri must be a string."),
            (
                "\"jwks\": {\"jwksUri\": \"https://i\", \"minReloadInterval\": -1}",
                "issuers[0].jwks.minReloadInterval must be a whole number of seconds, 0 or more."
            ),
            (
                "\"jwks\": {\"jwksUri\": \"https://i\", \"tlsVersions\": [\"TLSv2\"]}",
                "issuers[0].jwks.tlsVersions must be a list of some of SSL, SSLv2, SSLv3, TLS, TLSv1, TLSv1.1, TLSv1.2."
            ),
            (
                "\"jwks\": {\"jwksUri\": \"https://i\", \"authorizationHeader\": \"a\\nb\"}",
                "issuers[0].jwks.authorizationHeader must be the value of a header field."
            ),
            ("\"filters\": {}", "issuers[0].filters must be a list."),
            ("\"allowedMbes\": \"app\"", "issuers[0].allowedMbes must be a list."),
            ("\"roleMappings\": [{\"mappedRoles\": []}]", "issuers[0].roleMappings[0].tokenRole must be a string."),
            ("\"roleMappings\": [{\"tokenRole\": \"a\"}]", "issuers[0].roleMappings[0].mappedRoles must be a list of strings."),
        ])
    func malformedIssuer(members: String, expected: String) throws {
        let configuration = Self.configuration("{\"issuers\": [{\"issuerName\": \"i\", \(members)}, {\"issuerName\": \"j\"}]}")
        let refusal = #expect(throws: AuthTokenConfiguration.Refusal.self) {
            try configuration.issuer("i", directory: Directory(), names: HostNames())
        }
        guard case .malformed(let fault) = refusal else {
            Issue.record("another refusal")
            return
        }
        #expect(fault.text == expected)
        #expect(try configuration.issuer("j", directory: Directory(), names: HostNames()).name == "j")
    }

    @Test(
        "is treated as empty if it is malformed as a whole, and has an error message (R38, R43, R44)",
        arguments: [
            ("nothing", "Security_AuthTokenConfiguration must be a JSON object."),
            ("[]", "Security_AuthTokenConfiguration must be a JSON object."),
            ("{}", "issuers must be a list of issuers."), ("{\"issuers\": {}}", "issuers must be a list."),
            (
                "{\"issuers\": [{\"issuerName\": \"i\"}], \"policyMinReloadInterval\": \"1\"}",
                "policyMinReloadInterval must be a whole number of seconds, 0 or more."
            ),
        ])
    func malformedRoot(text: String, expected: String) {
        let configuration = Self.configuration(text)
        #expect(configuration.lacks("i", directory: Directory(), names: HostNames()))
        #expect(configuration.faults.map(\.text) == [expected])
    }

    @Test("refuses issuers without a name, and both of two with the same name (R48)")
    func names() {
        let configuration = Self.configuration("{\"issuers\": [{\"enabled\": true}, {\"issuerName\": \"i\"}, {\"issuerName\": \"i\"}]}")
        #expect(configuration.faults.map(\.text) == ["issuers[0].issuerName must be a string."])
        #expect(throws: AuthTokenConfiguration.Refusal.self) {
            try configuration.issuer("i", directory: Directory(), names: HostNames())
        }
    }

    @Test("treats null as absent")
    func null() throws {
        let issuer = try Self.issuer("\"audience\": null, \"enabled\": null, \"jwks\": null, \"allowedMbes\": null")
        #expect(issuer.audiences.isEmpty)
        #expect(issuer.isEnabled)
        #expect(issuer.keys == .nowhere)
        #expect(issuer.allowedBackends == nil)
    }
}

@Suite("Filters of claims")
struct ClaimFilterTests {
    private static func isSatisfied(_ filter: String, _ claims: JSONObject) throws -> Bool {
        ClaimFilter(try JSONValue(parsing: filter)).isSatisfied(by: claims)
    }

    @Test(
        "match the values of a claim, each in the form in which it is written (R63-R66, X24)",
        arguments: [
            (["a": "x"], true), (["a": "y"], false), (["a": ["y", "x"]], true), (["a": []], false), (["b": "x"], false), ([:], false),
            (["a": "X"], false), (["a": ["n": "x"]], false), (["a": nil], false),
        ] as [(JSONObject, Bool)])
    func include(claims: JSONObject, expected: Bool) throws {
        #expect(try Self.isSatisfied("{\"name\": \"a\", \"values\": [\"x\", \"z\"]}", claims) == expected)
        #expect(try Self.isSatisfied("{\"name\": \"a\", \"type\": \"include\", \"values\": [\"x\", \"z\"]}", claims) == expected)
        #expect(try Self.isSatisfied("{\"name\": \"a\", \"type\": \"exclude\", \"values\": [\"x\", \"z\"]}", claims) == !expected)
    }

    @Test("compare numbers and booleans as texts (X24)")
    func scalars() throws {
        let claims: JSONObject = ["level": 3, "part": 1.5, "member": true, "levels": [1, 2]]
        #expect(try Self.isSatisfied("{\"name\": \"level\", \"values\": [\"3\"]}", claims))
        #expect(try Self.isSatisfied("{\"name\": \"part\", \"values\": [\"1.5\"]}", claims))
        #expect(try Self.isSatisfied("{\"name\": \"member\", \"values\": [\"true\"]}", claims))
        #expect(try Self.isSatisfied("{\"name\": \"levels\", \"values\": [\"2\"]}", claims))
        #expect(try !Self.isSatisfied("{\"name\": \"level\", \"values\": [\"33\"]}", claims))
    }

    @Test(
        "never match if they are malformed (R67)",
        arguments: [
            "{\"values\": [\"x\"]}", "{\"name\": \"\", \"values\": [\"x\"]}", "{\"name\": \"a\", \"type\": \"maybe\", \"values\": [\"x\"]}",
            "{\"name\": \"a\"}", "{\"name\": \"a\", \"values\": []}", "{\"name\": \"a\", \"values\": \"x\"}",
            "{\"name\": \"a\", \"values\": [\"x\", 1]}", "{\"name\": \"a\", \"type\": 1, \"values\": [\"x\"]}", "{}", "[]", "\"a\"",
            "{\"type\": \"exclude\", \"name\": \"b\", \"values\": []}", "{\"type\": \"exclude\", \"values\": [\"x\"]}",
        ])
    func malformed(filter: String) throws {
        #expect(try !Self.isSatisfied(filter, ["a": "x"]))
    }

    @Test(
        "support a star for any characters (R64)",
        arguments: [
            ("*", "", true), ("*", "anything", true), ("a*", "a", true), ("a*", "abc", true), ("a*", "ba", false), ("*c", "abc", true),
            ("*c", "abcd", false), ("a*c", "abcbc", true), ("a*b*c", "a--b--c", true), ("a*b*c", "a--c--b", false), ("**", "x", true),
            ("a?c", "abc", false), ("*@company.example", "alice@company.example", true), ("", "", true), ("", "a", false),
            ("*aab", "aaaab", true), ("grüße*", "grüße an alle", true),
        ])
    func wildcards(pattern: String, text: String, expected: Bool) {
        #expect(StarPattern(pattern).matches(text) == expected)
    }
}

@Suite("Subject names of certificates")
struct DistinguishedNameTests {
    @Test(
        "are equal in any spelling (R62)",
        arguments: [
            ("CN=a,O=b", "cn=A, o = B"), ("CN=a,O=b", "2.5.4.3=a,OID.2.5.4.10=b"), ("O=Acme\\, Inc.", "O=\"Acme, Inc.\""),
            ("O=Acme\\, Inc.", "O=Acme\\2C Inc."), ("CN=a+OU=b", "OU=b+CN=a"), ("CN=a  b", "CN= a b "),
            ("emailAddress=a@b", "E=a@b"), ("ST=x", "S=x"), ("CN=Hügel", "CN=H\\C3\\BCgel"), ("CN=a\\+b", "CN=a\\2Bb"),
            ("CN=x=y", "CN=x\\=y"),
        ])
    func equal(one: String, other: String) throws {
        #expect(try #require(DistinguishedName(one)) == #require(DistinguishedName(other)))
    }

    @Test(
        "differ by their values, their types and the order of their parts",
        arguments: ["CN=a", "CN=b,O=b", "O=b,CN=a", "CN=a,OU=b", "CN=a,O=b,C=c"])
    func different(other: String) throws {
        #expect(try #require(DistinguishedName("CN=a,O=b")) != #require(DistinguishedName(other)))
    }

    @Test("are not parsed from malformed text", arguments: ["", "a", "=a", "CN", "CN=a,", "CN=a,b", "CN=\"a", "CN=a\\", "/CN=a"])
    func malformed(text: String) {
        #expect(DistinguishedName(text) == nil)
    }
}
