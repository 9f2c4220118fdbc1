import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import WireFormats

@testable import AlibabaIdentityFaces

@Suite("STS of Alibaba Cloud")
struct STSTests {
    @Test("returns the caller")
    func callerIdentity() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let root = try await sandbox.call("GetCallerIdentity", as: .root).json
            #expect(root["IdentityType"] == "Account")
            #expect(root["Arn"] == "acs:ram::1234567890123456:root")
            #expect(root["AccountId"] == "1234567890123456")
            #expect(root["PrincipalId"] == "1234567890123456")
            let user = try await sandbox.call("GetCallerIdentity", as: .bob).json
            #expect(user["IdentityType"] == "RAMUser")
            #expect(user["Arn"] == "acs:ram::1234567890123456:user/bob")
            #expect(user["UserId"] == user["PrincipalId"])
            #expect(user["UserId"]?.stringValue?.isEmpty == false)
            let session = try await sandbox.call("GetCallerIdentity", as: sandbox.assumeRole("app-user", as: .app).keys).json
            #expect(session["IdentityType"] == "AssumedRoleUser")
            #expect(session["Arn"] == "acs:ram::1234567890123456:assumed-role/app-user/alice-001")
            let role = try #require(sandbox.cloud.directory.role("app-user", in: RPCSandbox.account)).role
            #expect(session["RoleId"] == .string(role.id))
            #expect(session["PrincipalId"] == .string("\(role.id):alice-001"))
        }
    }

    @Test("lets a user assume a role that trusts the account")
    func assumeRole() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let before = sandbox.cloud.clock.now.seconds
            let answer = try await sandbox.assumeRole("app-user", as: .app, ["SourceIdentity": "Alice"])
            #expect(answer.status == 200, "\(answer.text)")
            let json = try answer.json
            let role = try #require(sandbox.cloud.directory.role("app-user", in: RPCSandbox.account)).role
            // The ARN differs from that of GetCallerIdentity.
            #expect(json["AssumedRoleUser"]?["Arn"] == "acs:ram::1234567890123456:role/app-user/alice-001")
            #expect(json["AssumedRoleUser"]?["AssumedRoleId"] == .string("\(role.id):alice-001"))
            #expect(json["SourceIdentity"] == "Alice")
            let keys = try answer.keys
            #expect(keys.id.hasPrefix("STS."))
            #expect(keys.token?.hasPrefix("CAIS") == true)
            let end = try #require(json["Credentials"]?["Expiration"]?.stringValue)
            let expiration = try #require(Timestamp(iso8601: end))
            #expect(end.utf8.count == 20)
            #expect((before + 3600...sandbox.cloud.clock.now.seconds + 3600).contains(expiration.seconds))
        }
    }

    @Test("limits sessions to a quarter of an hour at least and the role's maximum at most")
    func durations() async throws {
        try await RPCSandbox.run { sandbox async throws in
            for (text, isAllowed) in [
                ("900", true), ("7200", true), ("7201", false), ("899", false), ("x", false), ("-1", false), ("+900", false),
            ] {
                let answer = try await sandbox.assumeRole("app-user", as: .app, ["DurationSeconds": text])
                #expect(answer.status == (isAllowed ? 200 : 400), "\(text)")
                if !isAllowed { #expect(answer.code == "InvalidParameter.DurationSeconds") }
            }
            let answer = try await sandbox.assumeRole("app-user", as: .app, ["DurationSeconds": "7201"])
            #expect(answer.message == "The Min/Max value of DurationSeconds is 15min/2hr.")
        }
    }

    @Test("expires temporary keys, and refuses the token of another key")
    func expiry() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let keys = try await sandbox.assumeRole("app-user", as: .app, ["DurationSeconds": "900"]).keys
            let other = try await sandbox.assumeRole("app-user", as: .app).keys
            var mixed = keys
            mixed.token = other.token
            #expect(try await sandbox.call("GetCallerIdentity", as: mixed).code == "InvalidSecurityToken.MismatchWithAccessKey")
            try await sandbox.cloud.age(by: .seconds(901))
            #expect(try await sandbox.call("GetCallerIdentity", as: keys).code == "InvalidSecurityToken.Expired")
            #expect(try await sandbox.call("GetCallerIdentity", as: other).status == 200)
        }
    }

    static let refusals: [(String, String, FormFields, Int, String)] = [
        ("no role", "app-user", ["RoleArn": ""], 400, "MissingRoleArn"),
        ("no session name", "app-user", ["RoleSessionName": ""], 400, "MissingRoleSessionName"),
        ("a role of AWS", "app-user", ["RoleArn": "arn:aws:iam::123456789012:role/app"], 400, "InvalidParameter.RoleArn"),
        ("a user", "app-user", ["RoleArn": "acs:ram::1234567890123456:user/bob"], 400, "InvalidParameter.RoleArn"),
        ("a short name", "app-user", ["RoleSessionName": "a"], 400, "InvalidParameter.RoleSessionName"),
        ("a name with a blank", "app-user", ["RoleSessionName": "a b"], 400, "InvalidParameter.RoleSessionName"),
        ("a long name", "app-user", ["RoleSessionName": String(repeating: "a", count: 65)], 400, "InvalidParameter.RoleSessionName"),
        ("no policy", "app-user", ["Policy": "{}"], 400, "InvalidParameter.PolicyGrammar"),
        (
            "a policy of AWS", "app-user",
            ["Policy": #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#], 400,
            "InvalidParameter.PolicyGrammar"
        ),
        ("a long policy", "app-user", ["Policy": String(repeating: " ", count: 2049)], 400, "InvalidParameter.PolicySize"),
        ("a wrong external id", "app-user", ["ExternalId": "a*"], 400, "InvalidParameter.ExternalId"),
        ("a wrong source", "app-user", ["SourceIdentity": "a b"], 400, "InvalidParameter.SourceIdentity"),
        ("a missing role", "nowhere", [:], 404, "EntityNotExist.Role"),
        ("a role that trusts somebody else", "bobs", [:], 403, "NoPermission"),
        ("a role that trusts another account", "outside", [:], 403, "NoPermission"),
        ("a role that wants an external id", "external", [:], 403, "NoPermission"),
        ("a role that wants another external id", "external", ["ExternalId": "abc-2"], 403, "NoPermission"),
    ]

    @Test("refuses", arguments: refusals)
    func refuses(what: String, role: String, more: FormFields, status: Int, code: String) async throws {
        try await RPCSandbox.run { sandbox async throws in
            let answer = try await sandbox.assumeRole(role, as: .app, more)
            #expect(answer.status == status, "\(what): \(answer.text)")
            #expect(answer.code == code, "\(what): \(answer.text)")
            guard status == 403 else { return }
            #expect(answer.message?.hasPrefix("No permission perform sts:AssumeRole on this Role.") == true)
        }
    }

    @Test("evaluates the caller's own policies and the trust policy, and refuses the root user")
    func bothSides() async throws {
        try await RPCSandbox.run { sandbox async throws in
            #expect(try await sandbox.assumeRole("external", as: .app, ["ExternalId": "abc-1"]).status == 200)
            // The role trusts bob by name, but no policy of his allows the call.
            let bob = try await sandbox.assumeRole("bobs", as: .bob)
            #expect(bob.status == 403)
            #expect(bob.code == "NoPermission")
            #expect(bob.message == "You are not authorized to do this action. You should be authorized by RAM.")
            let root = try await sandbox.assumeRole("app-user", as: .root)
            #expect(root.status == 403)
            #expect(root.code == "NoPermission")
            #expect(root.message == "Roles may not be assumed by root accounts.")
            // Calls across accounts need both policies as well.
            #expect(try await sandbox.assumeRole("outside", as: .zoe).status == 200)
            #expect(try await sandbox.assumeRole("app-user", as: .zoe).code == "NoPermission")
        }
    }

    @Test("limits a session by its policy, also if a session assumes the role")
    func sessionPolicies() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let free = try await sandbox.assumeRole("app-user", as: .app).keys
            #expect(try await sandbox.assumeRole("app-user", as: free).status == 200)
            let policy = #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"oss:*","Resource":"*"}]}"#
            let limited = try await sandbox.assumeRole("app-user", as: .app, ["Policy": policy]).keys
            #expect(try await sandbox.assumeRole("app-user", as: limited).code == "NoPermission")
            #expect(try await sandbox.call("GetCallerIdentity", as: limited).status == 200)
        }
    }

    private func assume(_ sandbox: RPCSandbox, oidc token: String, _ more: FormFields = [:]) async throws -> RPCAnswer {
        var parameters: FormFields = [
            "OIDCProviderArn": RPCSandbox.oidcProvider, "RoleArn": RPCSandbox.arn("oidc"), "OIDCToken": token,
            "RoleSessionName": "alice-001",
        ]
        for field in more.fields {
            parameters.fields.removeAll { $0.name == field.name }
            parameters.fields.append(field)
        }
        return try await sandbox.call("AssumeRoleWithOIDC", parameters, as: nil, method: .get)
    }

    @Test("accepts the token of an OpenID Connect provider, without a signature")
    func oidc() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let answer = try await assume(sandbox, oidc: sandbox.token())
            #expect(answer.status == 200, "\(answer.text)")
            let info = try #require(try answer.json["OIDCTokenInfo"])
            #expect(info["Subject"] == "employee-1")
            #expect(info["Issuer"] == "https://login.company.example")
            #expect(info["ClientIds"] == "web")
            #expect(info["ExpirationTime"]?.stringValue.flatMap { Timestamp(iso8601: $0) } != nil)
            #expect(info["VerificationInfo"] == "Success")
            #expect(answer.journal.caller == "\(RPCSandbox.oidcProvider):employee-1")
            let identity = try await sandbox.call("GetCallerIdentity", as: answer.keys).json
            #expect(identity["Arn"] == "acs:ram::1234567890123456:assumed-role/oidc/alice-001")
        }
    }

    @Test("reports the effective times of an aged token")
    func agedToken() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let token = try await sandbox.token()
            func times() async throws -> [Timestamp] {
                let info = try #require(try await assume(sandbox, oidc: token).json["OIDCTokenInfo"])
                return try ["IssuanceTime", "ExpirationTime"].map { name in
                    try #require(info[name]?.stringValue.flatMap { Timestamp(iso8601: $0) })
                }
            }
            let before = try await times()
            try await sandbox.cloud.age(by: .seconds(600))
            #expect(try await times() == before.map { $0 - .seconds(600) })
        }
    }

    @Test("refuses tokens for another account, and tokens that are no longer valid")
    func oidcRefusals() async throws {
        try await RPCSandbox.run { sandbox async throws in
            func refusal(_ token: String, _ more: FormFields = [:]) async throws -> String {
                let answer = try await assume(sandbox, oidc: token, more)
                return "\(answer.status) \(answer.code ?? "")"
            }
            let prefix = "401 AuthenticationFail.OIDCToken."
            #expect(try await refusal(sandbox.token(fault: .expired)) == prefix + "Expired")
            #expect(try await refusal(sandbox.token(fault: .flippedSignatureBit)) == prefix + "InvalidSignature")
            #expect(try await refusal(sandbox.token(fault: .unknownKeyID)) == prefix + "InvalidSignature")
            #expect(try await refusal(sandbox.token(client: "other")) == prefix + "AudienceNotMatch")
            #expect(try await refusal(sandbox.token(provider: "stranger")) == prefix + "Invalid")
            #expect(try await refusal("a.b.c") == prefix + "Invalid")
            #expect(try await refusal("abc") == "400 InvalidParameter.OIDCToken")
            let nobody = ["OIDCProviderArn": "acs:ram::1234567890123456:oidc-provider/nobody"] as FormFields
            #expect(try await refusal(sandbox.token(), nobody) == "401 AuthenticationFail.NoPermission")
            // The role trusts another user or another client.
            #expect(try await refusal(sandbox.token("bob")) == "403 NoPermission")
            #expect(try await refusal(sandbox.token(), ["RoleArn": RPCSandbox.arn("oidc-cli")]) == "403 NoPermission")
            #expect(try await refusal(sandbox.token(client: "cli"), ["RoleArn": RPCSandbox.arn("oidc-cli")]) == "200 ")
            #expect(try await refusal(sandbox.token(), ["RoleArn": RPCSandbox.arn("nowhere")]) == "404 EntityNotExist.Role")
            #expect(try await refusal(sandbox.token(), ["RoleArn": RPCSandbox.arn("app-user")]) == "403 NoPermission")
            #expect(try await refusal(sandbox.token(), ["OIDCProviderArn": ""]) == "400 MissingOIDCProviderArn")
        }
    }

    @Test("accepts tokens up to twelve hours old, unless the account configures another age")
    func issuanceLimit() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let token = try await sandbox.token(lifetime: 86_400)
            try await sandbox.cloud.age(by: .seconds(11 * 3600))
            #expect(try await assume(sandbox, oidc: token).status == 200)
            try await sandbox.cloud.age(by: .seconds(2 * 3600))
            #expect(try await assume(sandbox, oidc: token).code == "AuthenticationFail.OIDCToken.Invalid")
            let longer: FormFields = ["OIDCProviderName": "company", "IssuanceLimitTime": "24"]
            #expect(try await sandbox.call("UpdateOIDCProvider", longer, as: .root, version: "2019-08-15").status == 200)
            #expect(try await assume(sandbox, oidc: token).status == 200)
        }
    }

    private func assume(_ sandbox: RPCSandbox, saml assertion: String, role: String = "saml", _ more: FormFields = [:]) async throws
        -> RPCAnswer
    {
        var parameters: FormFields = [
            "SAMLProviderArn": RPCSandbox.samlProvider, "RoleArn": RPCSandbox.arn(role), "SAMLAssertion": assertion,
        ]
        parameters.fields += more.fields
        return try await sandbox.call("AssumeRoleWithSAML", parameters, as: nil)
    }

    @Test("accepts the assertion of a SAML provider, which names the session")
    func saml() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let answer = try await assume(sandbox, saml: sandbox.assertion())
            #expect(answer.status == 200, "\(answer.text)")
            let info = try #require(try answer.json["SAMLAssertionInfo"])
            #expect(info["Recipient"] == "https://signin.aliyun.com/saml-role/sso")
            #expect(info["Issuer"] == "https://login.company.example/saml")
            #expect(info["Subject"]?.stringValue?.isEmpty == false)
            let identity = try await sandbox.call("GetCallerIdentity", as: answer.keys).json
            #expect(identity["Arn"] == "acs:ram::1234567890123456:assumed-role/saml/alice")
            let duration = [(name: "https://www.aliyun.com/SAML-Role/Attributes/SessionDuration", values: ["1200"])]
            let before = sandbox.cloud.clock.now.seconds
            let short = try await assume(sandbox, saml: sandbox.assertion(more: duration)).json
            let end = try #require(short["Credentials"]?["Expiration"]?.stringValue.flatMap { Timestamp(iso8601: $0) })
            #expect((before + 1200...sandbox.cloud.clock.now.seconds + 1200).contains(end.seconds))
        }
    }

    @Test("refuses assertions that are invalid or have another audience")
    func samlRefusals() async throws {
        try await RPCSandbox.run { sandbox async throws in
            func refusal(_ assertion: String, role: String = "saml") async throws -> String {
                let answer = try await assume(sandbox, saml: assertion, role: role)
                return "\(answer.status) \(answer.code ?? "")"
            }
            let invalid = "401 AuthenticationFail.SAMLAssertion.Invalid"
            for defect in AssertionDefect.allCases {
                let expected =
                    switch defect {
                    case .expired: "401 AuthenticationFail.SAMLAssertion.Expired"
                    default: invalid
                    }
                #expect(try await refusal(sandbox.assertion(defect: defect)) == expected, "\(defect)")
            }
            #expect(try await refusal(sandbox.assertion(for: "urn:elsewhere")) == invalid)
            #expect(try await refusal(sandbox.assertion(for: "https://signin.aliyun.com/saml-role/sso")) == invalid)
            #expect(try await refusal(sandbox.assertion(roles: ["oidc"])) == invalid)
            #expect(try await refusal(sandbox.assertion(sessionName: [])) == invalid)
            #expect(try await refusal(sandbox.assertion(sessionName: ["a", "b"])) == invalid)
            #expect(try await refusal(sandbox.assertion(sessionName: ["a b"])) == invalid)
            #expect(try await refusal("!!!!") == invalid)
            #expect(try await refusal("abc") == "400 InvalidParameter.SAMLAssertion")
            let elsewhere = try await sandbox.assertion(roles: ["saml-elsewhere", "nowhere"])
            #expect(try await refusal(elsewhere, role: "saml-elsewhere") == "403 NoPermission")
            #expect(try await refusal(elsewhere, role: "nowhere") == "404 EntityNotExist.Role")
            let nobody = try await sandbox.call(
                "AssumeRoleWithSAML",
                [
                    "SAMLProviderArn": "acs:ram::1234567890123456:saml-provider/nobody", "RoleArn": RPCSandbox.arn("saml"),
                    "SAMLAssertion": sandbox.assertion(),
                ], as: nil)
            #expect(nobody.status == 404)
            #expect(nobody.code == "EntityNotExist.SAMLProvider")
        }
    }
}
