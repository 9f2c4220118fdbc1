import Calls
import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import MobileCloudFace

@Suite("The exchange of JWTs")
struct JWTExchangeTests {
    @Test("returns a token of the mobile cloud, with its type and lifetime (R10, R16, R34, R39, R89, R90, R93, R96)")
    func answers() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.fields[.contentType]?.hasPrefix("application/json") == true)
            #expect(answer.fields[.cacheControl] == "no-store")
            #expect(answer.fields[.pragma] == "no-cache")
            #expect(answer["token_type"] == "Bearer")
            #expect(answer.json["id_token"] == .null)
            #expect(answer.json.objectValue?.names.contains("id_token") == true)
            // The default of the environment's policy (X1).
            #expect(answer.json["expires_in"] == 21_600)
            #expect(answer.entry.operation == "exchangeToken")
            #expect(answer.entry.caller == "alice")
            let content = try await mobile.content(of: answer)
            #expect(content.username == "alice")
            #expect(content.virtual?.issuer == ForeignIssuer.name)
            #expect(content.virtual?.roles == ["Technician"])
            #expect(content.method == .jwtBearer)
            #expect(try content.backendID == mobile.backend().id)
            #expect(content.expires.seconds - content.issued.seconds == 21_600)
        }
    }

    @Test(
        "accepts the client's ID and secret in the header, as Basic and as the documentation prints it (R91, R92, X2)",
        arguments: ["Basic", "basic", "Bearer"])
    func header(scheme: String) async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let backend = try mobile.backend("other")
            let key = Array("\(backend.clientID):\(backend.clientSecret)".utf8).base64
            let answer = try await mobile.exchange(
                ForeignIssuer.token(mobile.cloud), ["client_id": "", "client_secret": ""], fields: [.authorization: "\(scheme) \(key)"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await mobile.content(of: answer).backendID == backend.id)
        }
    }

    @Test("accepts a token of client credentials as client authentication (R95, X12)")
    func clientAssertion() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let proof = try await mobile.clientToken("other")
            let form: FormFields = [
                "client_id": "", "client_secret": "", "client_assertion": proof,
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            ]
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), form)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await mobile.content(of: answer).backendID == mobile.backend("other").id)
            // The token of one client cannot be used with another client's ID.
            let named = try await mobile.exchange(
                ForeignIssuer.token(mobile.cloud), FormFields(form, ["client_id": mobile.backend("app").clientID]))
            #expect(named.status == 401)
            #expect(named.refusal == "invalid_client: client_assertion is of another client than client_id.")
            let untyped = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), FormFields(form, ["client_assertion_type": ""]))
            #expect(untyped.status == 400)
            #expect(untyped["error"] == "invalid_request")
            let missing = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), FormFields(form, ["client_assertion": ""]))
            #expect(missing.status == 400)
            #expect(missing.refusal == "invalid_request: client_assertion is missing.")
            let twice = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), FormFields(form, ["client_secret": "s"]))
            #expect(twice.status == 400)
            #expect(twice["error"] == "invalid_request")
            // Tokens of users do not authenticate the client.
            let user = try await mobile.content(of: answer)
            #expect(user.username == "alice")
            let users = FormFields(form, ["client_assertion": answer["access_token"] ?? ""])
            let refused = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), users)
            #expect(refused.status == 401)
            #expect(refused.refusal == "invalid_client: client_assertion must be a token that was given on client credentials.")
            try await mobile.cloud.age(by: .seconds(604_801))
            let expired = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), form)
            #expect(expired.status == 401)
            #expect(expired.refusal == "invalid_client: The token has expired.")
        }
    }

    @Test("requires the client's secret unless the issuer does not (R55, R94)")
    func secret() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), ["client_secret": ""])
            #expect(answer.status == 401)
            #expect(answer.refusal == "invalid_client: The issuer of the token requires client authentication.")
            #expect(answer.fields[.wwwAuthenticate]?.hasPrefix("Basic") == true)
            #expect(answer.entry.errorCode == "invalid_client")
        }
        try await MobileSandbox.runWithIssuer("requireClientAuth: false, \(MobileSandbox.usualIssuer)") { mobile, _ async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud), ["client_secret": ""]).status == 200)
            // The client ID is required, and a secret in the request must be right.
            let nobody = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), ["client_secret": "", "client_id": ""])
            #expect(nobody.status == 401)
            #expect(nobody["error"] == "invalid_client")
            let unknown = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), ["client_secret": "", "client_id": "nobody"])
            #expect(unknown.status == 401)
            #expect(unknown["error"] == "invalid_client")
            let wrong = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), ["client_secret": "wrong"])
            #expect(wrong.status == 401)
            #expect(wrong["error"] == "invalid_client")
        }
    }

    @Test("refuses requests that are not an exchange (R89, R90, R92)")
    func requests() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let token = try ForeignIssuer.token(mobile.cloud)
            let cases: [(FormFields, Int, String)] = [
                (["grant_type": ""], 400, "invalid_request"), (["grant_type": "password"], 400, "unsupported_grant_type"),
                (["assertion": ""], 400, "invalid_request"), (["client_secret": "wrong"], 401, "invalid_client"),
                (["client_id": "nobody"], 401, "invalid_client"), (["client_id": ""], 401, "invalid_client"),
            ]
            for (form, status, error) in cases {
                let answer = try await mobile.exchange(token, form)
                #expect(answer.status == status, "\(form.encoded): \(answer.text)")
                #expect(answer["error"] == error, "\(form.encoded): \(answer.text)")
                #expect(answer.fields[.cacheControl] == "no-store")
            }
            var repeated: FormFields = ["grant_type": MobileSandbox.jwtBearer, "assertion": token]
            repeated.fields.append(repeated.fields[1])
            #expect(try await mobile.post("/mobile/platform/auth/token", repeated)["error"] == "invalid_request")
            let json = try await mobile.send(.post, "/mobile/platform/auth/token", "{}", fields: [.contentType: "application/json"])
            #expect(json.status == 400)
            #expect(json["error"] == "invalid_request")
            let get = try await mobile.get("/mobile/platform/auth/token")
            #expect(get.status == 405)
            #expect(get.fields[.allow]?.contains("POST") == true)
            #expect(try await mobile.post("/mobile/platform/auth/tokens", [:]).status == 404)
            let wrongHeader = try await mobile.exchange(
                token, ["client_id": "", "client_secret": ""], fields: [.authorization: "Bearer \(token)"])
            #expect(wrongHeader.status == 401)
            #expect(wrongHeader["error"] == "invalid_client")
            let both = try await mobile.exchange(token, fields: [.authorization: "Basic \(Array("a:b".utf8).base64)"])
            #expect(both.status == 400)
            #expect(both["error"] == "invalid_request")
        }
    }

    @Test(
        "requires a backend with HTTP Basic and OAuth on, and without Facebook Login (R34, X13)",
        arguments: ["basic", "consumer", "social"])
    func backends(name: String) async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), backend: name)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer["error"] == "unauthorized_client", "\(answer.text)")
        }
    }

    /// A fault of a token, and the expected error.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var claims: JSONObject = [:]
        var refusal: String

        init(_ name: String, _ claims: JSONObject, _ refusal: String) {
            testDescription = name
            self.claims = claims
            self.refusal = refusal
        }

        static let all = [
            Fault("an expired one", ["iat": 1000, "exp": 2000], "User assertion from issuer https://issuer.example has expired."),
            Fault(
                "one without an end (X25)", ["exp": .null],
                "The token from issuer https://issuer.example has no exp."),
            Fault("an end that is no time", ["exp": "tomorrow"], "The token's exp is not a time."),
            Fault("an end beyond all times", ["exp": .integer(.max)], "The token's exp is not a time."),
            Fault("an end that is a number beyond all others", ["exp": 1e300], "The token's exp is not a time."),
            Fault("one of the future", ["nbf": 9_999_999_999], "The token from issuer https://issuer.example is not valid yet."),
            Fault(
                "one issued in the future", ["iat": 9_999_999_999, "exp": 99_999_999_999],
                "The token from issuer https://issuer.example was issued in the future."),
            Fault("one without an issuer", ["iss": .null], "The token does not name its issuer in iss."),
            Fault(
                "one of another issuer (R44, R48)", ["iss": "https://elsewhere.example"],
                "Issuer https://elsewhere.example has not been configured."),
            Fault(
                "an issuer in another spelling (R48)", ["iss": "https://issuer.example/"],
                "Issuer https://issuer.example/ has not been configured."),
            Fault(
                "one for somebody else (R51, R52)", ["aud": "https://elsewhere.example"],
                "The token from issuer https://issuer.example is for another audience: https://elsewhere.example."),
            Fault("one for nobody (R52)", ["aud": []], "The token from issuer https://issuer.example is for another audience: ."),
            Fault(
                "one without a user (R54)", ["sub": .null], "The token from issuer https://issuer.example does not name the user in sub."),
            Fault("a user without a name", ["sub": ""], "The token from issuer https://issuer.example does not name the user in sub."),
            Fault("a user that is a number", ["sub": 7], "The token from issuer https://issuer.example does not name the user in sub."),
        ]
    }

    @Test("refuses a token with a fault, and names the fault", arguments: Fault.all)
    func faults(_ fault: Fault) async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, fault.claims))
            #expect(answer.status == 400)
            #expect(answer.refusal == "invalid_grant: \(fault.refusal)")
            #expect(answer.entry.errorCode == "invalid_grant")
        }
    }

    @Test("refuses tokens with another signature, none, or a shared secret")
    func signatures() async throws {
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            let good = try ForeignIssuer.token(mobile.cloud)
            let wrong = "invalid_grant: The signature of the token from issuer https://issuer.example is wrong."
            let keyID = try ForeignIssuer.key.get().keyID
            let forged = try ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey, header: ["kid": .string(keyID)])
            #expect(try await mobile.exchange(forged).refusal == wrong)
            let parts = good.split(separator: ".")
            let other = try ForeignIssuer.token(mobile.cloud, ["sub": "mallory"]).split(separator: ".")
            #expect(try await mobile.exchange("\(parts[0]).\(other[1]).\(parts[2])").refusal == wrong)
            let claims = try JSONWebToken(parsing: good).claims
            let unsigned = JSONWebToken.unsigned(claims: claims)
            #expect(try await mobile.exchange(unsigned).refusal == "invalid_grant: The token is signed with none, which is not accepted.")
            let secret = try Array(ForeignIssuer.key.get().verificationKey.pem.utf8)
            let shared = try JSONWebToken.sign(header: ["kid": .string(keyID)], claims: claims, secret: secret)
            #expect(try await mobile.exchange(shared).refusal == "invalid_grant: The token is signed with HS256, which is not accepted.")
            #expect(try await mobile.exchange("a.b").refusal == "invalid_grant: The token is not a JSON Web Token.")
            #expect(try await mobile.exchange(good).status == 200)
        }
    }

    @Test("refuses every token of a disabled issuer (R49)")
    func disabled() async throws {
        try await MobileSandbox.runWithIssuer("enabled: false, \(MobileSandbox.usualIssuer)") { mobile, issuer async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
            #expect(answer.status == 400)
            #expect(answer.refusal == "invalid_grant: Issuer https://issuer.example is disabled.")
            #expect(issuer.asked.isEmpty)
        }
    }

    @Test("checks a token's times against the sandbox's clock")
    func aging() async throws {
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            try await mobile.freeze()
            let token = try ForeignIssuer.token(mobile.cloud)
            try await mobile.pass(598)
            #expect(try await mobile.exchange(token).status == 200)
            try await mobile.pass(2)
            #expect(
                try await mobile.exchange(token).refusal
                    == "invalid_grant: User assertion from issuer https://issuer.example has expired.")
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
        }
    }

    @Test("refuses client tokens as users' if the issuer configures a claim for client names (R56, R57)")
    func clientTokens() async throws {
        try await MobileSandbox.runWithIssuer("clientIdAttribute: 'client_id', \(MobileSandbox.usualIssuer)") { mobile, _ async throws in
            let client = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["sub": "web", "client_id": "web"]))
            #expect(client.status == 400)
            #expect(
                client.refusal
                    == "invalid_grant: The token from issuer https://issuer.example is a client's, which must not become a user's.")
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["client_id": "web"])).status == 200)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
        }
        try await MobileSandbox.runWithIssuer { mobile, _ async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["sub": "web", "client_id": "web"])).status == 200)
        }
    }

    @Test("applies every filter of the issuer (R63-R67)")
    func filters() async throws {
        let filters = "filters: [{name: 'mail', values: ['*@company.example']}, {name: 'level', type: 'exclude', values: ['0']}]"
        try await MobileSandbox.runWithIssuer("\(filters), \(MobileSandbox.usualIssuer)") { mobile, _ async throws in
            let refusal = "invalid_grant: The token from issuer https://issuer.example does not satisfy the issuer's filters."
            let cases: [(JSONObject, Bool)] = [
                (["mail": "a@company.example"], true), (["mail": "a@company.example", "level": 1], true),
                (["mail": "a@company.example", "level": 0], false), (["mail": "a@elsewhere.example"], false), ([:], false),
            ]
            for (claims, isTaken) in cases {
                let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, claims))
                #expect(answer.status == (isTaken ? 200 : 400), "\(claims)")
                #expect((isTaken || answer.refusal == refusal), "\(claims)")
            }
        }
    }

    @Test(
        "issues tokens only for the backends that the issuer allows (R68, R69)",
        arguments: [
            ("", ["app", "other"]), ("allowedMbes: [{name: 'app', version: '1.0'}],", ["app"]),
            ("allowedMbes: [{name: 'app', version: '2.0'}],", []), ("allowedMbes: [{name: 'app'}],", []), ("allowedMbes: [],", []),
            ("allowedMbes: [{clientId: 'CLIENT'}],", ["other"]),
            ("allowedMbes: [{name: 'app', version: '1.0'}, {clientId: 'CLIENT'}],", ["app", "other"]),
            ("allowedMbes: [{name: 'app', clientId: 'CLIENT'}],", []),
        ])
    func allowedBackends(member: String, expected: [String]) async throws {
        let client = "6e0d"
        try await MobileSandbox.runWithIssuer(
            "\(member.replacing("CLIENT", with: client)) \(MobileSandbox.usualIssuer)"
        ) { mobile, _ async throws in
            try await mobile.cloud.edit { directory in
                guard var backend = directory.mobile.backends["other(1.0)"] else { return }
                backend.clientID = client
                directory.put(.mobile(.backend(backend)))
            }
            for backend in ["app", "other"] {
                let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud), backend: backend)
                let isAllowed = expected.contains(backend)
                let refusal = "invalid_grant: Tokens from issuer https://issuer.example must not be used with the backend \(backend)(1.0)."
                #expect(answer.status == (isAllowed ? 200 : 400), "\(backend): \(answer.text)")
                #expect((isAllowed || answer.refusal == refusal), "\(backend): \(answer.text)")
            }
        }
    }

    @Test("reports an invalid configuration (R38)")
    func malformedConfiguration() async throws {
        try await MobileSandbox.runWithIssuer("enabled: 'yes'") { mobile, _ async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
            #expect(answer.status == 400)
            #expect(
                answer.refusal == "invalid_grant: Issuer https://issuer.example has not been configured. "
                    + "Security_AuthTokenConfiguration: issuers[0].enabled must be true or false.")
        }
        try await MobileSandbox.run(
            "backends: [{name: 'app'}], realms: [{name: 'Default'}], policies: {Security_AuthTokenConfiguration: 'no JSON'}"
        ) { mobile async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
            #expect(
                answer.refusal == "invalid_grant: Issuer https://issuer.example has not been configured. "
                    + "Security_AuthTokenConfiguration: Security_AuthTokenConfiguration must be a JSON object.")
        }
    }

    @Test("accepts a configuration on a single line, as the policy has it (R35, R38)")
    func singleLine() async throws {
        let line =
            "{\"issuers\":[{\"issuerName\":\"\(ForeignIssuer.name)\",\"jwks\":{\"discoveryUri\":\"\(ForeignIssuer.discovery)\"},"
            + "\"virtualUserEnabled\":true,\"roleAttributes\":[\"roles\"]}]}"
        try await MobileSandbox.run(
            "backends: [{name: 'app'}], realms: [{name: 'Default'}], policies: {Security_AuthTokenConfiguration: '\(line)'}"
        ) { mobile async throws in
            let issuer = try ForeignIssuer()
            var mobile = mobile
            mobile.outbound = issuer.answer
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
        }
    }

    @Test("reloads the configuration if an issuer is missing or after the interval (R44, R45)")
    func reload() async throws {
        let root = ", policyMinReloadInterval: 20, policyMaxReloadInterval: 60"
        try await MobileSandbox.runWithIssuer(root: root) { mobile, issuer async throws in
            let token = { @Sendable (name: String) throws in try ForeignIssuer.token(mobile.cloud, ["iss": .string(name)]) }
            let second = "https://second.example"
            try await mobile.freeze()
            #expect(try await mobile.exchange(token(ForeignIssuer.name)).status == 200)
            let entry: JSONValue = [
                "issuerName": .string(second), "virtualUserEnabled": true, "jwks": ["jwksUri": .string(ForeignIssuer.keySet)],
            ]
            // The new configuration has only the second issuer. The relay misses that one, and reloads after 20 seconds.
            try await mobile.configure(["issuers": [entry]])
            #expect(
                try await mobile.exchange(token(second)).refusal == "invalid_grant: Issuer \(second) has not been configured.")
            #expect(try await mobile.exchange(token(ForeignIssuer.name)).status == 200)
            try await mobile.pass(19)
            #expect(try await mobile.exchange(token(second)).status == 400)
            try await mobile.pass(2)
            #expect(try await mobile.exchange(token(ForeignIssuer.name)).status == 200)
            #expect(try await mobile.exchange(token(second)).status == 200)
            #expect(
                try await mobile.exchange(token(ForeignIssuer.name)).refusal
                    == "invalid_grant: Issuer \(ForeignIssuer.name) has not been configured.")
            // The second configuration has the default intervals, so it is kept for two minutes.
            try await mobile.configure(nil)
            try await mobile.pass(120)
            #expect(try await mobile.exchange(token(second)).status == 200)
            try await mobile.pass(2)
            #expect(
                try await mobile.exchange(token(second)).refusal == "invalid_grant: Issuer \(second) has not been configured.")
        }
    }
}
