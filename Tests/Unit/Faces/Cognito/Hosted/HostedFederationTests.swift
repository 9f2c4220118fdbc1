import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Synchronization
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

/// The answers of an identity provider to a pool's calls. ID tokens are signed with the provider's key in the sandbox.
private final class ProviderOfATest: Sendable {
    struct State: Sendable {
        var tokenStatus = 200
        var claims: JSONObject = [:]
        var profile: JSONObject = [:]
        var requests: [OutboundRequest] = []
    }

    let state = Mutex(State())
    let cloud: Cloud
    let signer: String

    init(_ cloud: Cloud, signer: String = "company") { (self.cloud, self.signer) = (cloud, signer) }

    func send(_ request: OutboundRequest) async throws -> OutboundResponse {
        let now = cloud.clock.now.seconds
        let (status, claims, profile) = state.withLock { state in
            state.requests.append(request)
            return (state.tokenStatus, state.claims, state.profile)
        }
        guard request.method == .post else { return OutboundResponse(status: 200, body: JSONValue.object(profile).serializedBytes()) }
        var whole: JSONObject = ["iat": .integer(now), "exp": .integer(now + 600)]
        for (name, value) in claims.members { whole[name] = value }
        let token = try JSONWebToken.sign(header: [:], claims: whole, key: try await cloud.signingKey(for: signer))
        let body: JSONValue = ["access_token": "at", "id_token": .string(token)]
        return OutboundResponse(status: status, body: body.serializedBytes())
    }
}

@Suite("Sign-in at a user pool with identity providers")
struct HostedFederationTests {
    private static func run(
        pool: String = "", providers accepted: String = #"["COGNITO", "Company", "Google"]"#, signer: String = "company",
        functions: UserPoolFunctions = .absent, _ test: (UserPoolSandbox, ProviderOfATest) async throws -> Void
    ) async throws {
        let web = UserPoolSandbox.web.replacing(#"["COGNITO"]"#, with: accepted)
        let seed = UserPoolSandbox.seed(pool: UserPoolSandbox.hosted + UserPoolSandbox.federation + pool, client: web)
            .replacing("{accounts:", with: "{\(UserPoolSandbox.providers) accounts:")
        try await UserPoolSandbox.run(seed, functions: functions) { sandbox async throws in
            let provider = ProviderOfATest(sandbox.cloud, signer: signer)
            var federated = sandbox
            federated.outbound = { try await provider.send($0) }
            try await test(federated, provider)
        }
    }

    /// Goes to a provider and returns with its answer.
    private static func signIn(
        _ browser: HostedBrowser, _ provider: ProviderOfATest, request: String = HostedBrowser.request + "&identity_provider=Company",
        client: String = "pool", claims: JSONObject = ["sub": "1"], profile: JSONObject = ["sub": "1", "email": "ann@company.example"],
        answer: String = "code=c1"
    ) async throws -> UserPoolSandbox.HostedAnswer {
        let start = try await browser.open("/oauth2/authorize?" + request)
        let fields = try HostedBrowser.parameters(start.location)
        let nonce = try #require(fields["nonce"])
        var whole: JSONObject = ["aud": .string(client), "nonce": .string(nonce)]
        for (name, value) in claims.members { whole[name] = value }
        let signed = whole
        provider.state.withLock { ($0.claims, $0.profile) = (signed, profile) }
        return try await browser.open("/oauth2/idpresponse?state=\(try #require(fields["state"]))&\(answer)")
    }

    @Test("C37, C46: functions are called at the first sign-in and at later ones")
    func triggers() async throws {
        let functions = FunctionsOfATest { source, _ in source == "PreSignUp_ExternalProvider" ? ["autoVerifyEmail": true] : nil }
        let points = FunctionsOfATest.triggers(["PreSignUp", "PostConfirmation", "PreAuthentication", "PostAuthentication"])
        try await Self.run(pool: points, functions: functions.functions) { sandbox, provider async throws in
            _ = try await Self.signIn(HostedBrowser(sandbox), provider)
            #expect(functions.sources == ["PreSignUp_ExternalProvider", "PostConfirmation_ConfirmSignUp"])
            #expect(functions.event("PreSignUp_ExternalProvider")?["userName"] == "Company_1")
            #expect(try sandbox.user("Company_1").isVerified("email"))
            _ = try await Self.signIn(HostedBrowser(sandbox), provider)
            #expect(functions.sources.dropFirst(2) == ["PostAuthentication_Authentication"])
        }
    }

    @Test("C37, C46: a function refuses a new person of a provider")
    func refusedByFunction() async throws {
        let functions = FunctionsOfATest { _, _ in throw FunctionsOfATest.Refusal(message: "no") }
        let points = FunctionsOfATest.triggers(["PreSignUp"])
        try await Self.run(pool: points, functions: functions.functions) { sandbox, provider async throws in
            let answer = try await Self.signIn(HostedBrowser(sandbox), provider)
            let fields = try HostedBrowser.parameters(answer.location)
            #expect(fields["error"] == "invalid_request")
            #expect(fields["error_description"] == "PreSignUp failed with error no.")
            #expect(try await sandbox.admin("AdminGetUser", ["Username": "Company_1"]).code == "UserNotFoundException")
        }
    }

    @Test("C46, C48: a person of a provider becomes a user of the pool, with mapped attributes")
    func signsIn() async throws {
        try await Self.run { sandbox, provider async throws in
            let browser = HostedBrowser(sandbox)
            let start = try await browser.open("/oauth2/authorize?\(HostedBrowser.request)&identity_provider=Company")
            #expect(start.status == 302)
            #expect(start.location?.hasPrefix("http://localhost:4566/idp/company/authorize?response_type=code&client_id=pool&") == true)
            let asked = try HostedBrowser.parameters(start.location)
            #expect(asked["redirect_uri"] == "http://localhost:4566/us-east-1_AbCdEf123/oauth2/idpresponse")
            #expect(asked["scope"] == "openid email")
            let request = "client_id=app&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=openid&state=s1"
            let answer = try await Self.signIn(
                browser, provider, request: request + "&identity_provider=Company",
                profile: ["sub": "1", "email": "ann@company.example", "team": "blue"])
            let fields = try HostedBrowser.parameters(answer.location)
            #expect(fields["state"] == "s1")
            let tokens = try await sandbox.redeem(try #require(fields["code"]))
            let claims = try JSONWebToken(parsing: try #require(tokens["id_token"]?.stringValue)).claims
            #expect(claims["cognito:username"] == "Company_1")
            #expect(claims["email"] == "ann@company.example")
            #expect(claims["email_verified"] == false)
            #expect(claims["custom:team"] == "blue")
            #expect(claims["cognito:groups"] == ["us-east-1_AbCdEf123_Company"])
            let identity = try #require(claims["identities"]?.arrayValue?.first)
            #expect(identity["userId"] == "1")
            #expect(identity["providerName"] == "Company")
            #expect(identity["providerType"] == "OIDC")
            #expect(identity["primary"] == "true")
            let user = try await sandbox.admin("AdminGetUser", ["Username": "Company_1"])
            #expect(user["UserStatus"] == "EXTERNAL_PROVIDER")
            let calls = provider.state.withLock { $0.requests }
            #expect(calls.map(\.url) == ["https://login.company.example/token", "https://login.company.example/userinfo"])
            #expect(String(decoding: calls[0].body, as: UTF8.self).contains("client_secret=pool-secret"))
            // Attributes are mapped anew, and the person is the same one.
            let again = try await Self.signIn(HostedBrowser(sandbox), provider, profile: ["sub": "1", "email": "new@company.example"])
            #expect(again.location?.contains("?code=") == true)
            #expect(try sandbox.user("Company_1")[attribute: "email"] == "new@company.example")
            #expect(try sandbox.user("Company_1").sub == claims["sub"]?.stringValue)
        }
    }

    @Test("C46: an e-mail address of Google is verified if that is mapped")
    func google() async throws {
        try await Self.run(signer: "google") { sandbox, provider async throws in
            let answer = try await Self.signIn(
                HostedBrowser(sandbox), provider, request: HostedBrowser.request + "&identity_provider=Google", client: "google-pool",
                claims: ["sub": "110"], profile: ["sub": "110", "email": "ann@gmail.example", "email_verified": true])
            #expect(answer.location?.contains("?code=") == true)
            #expect(try sandbox.user("Google_110").isVerified("email"))
            let calls = provider.state.withLock { $0.requests }
            #expect(calls.map(\.url) == ["https://oauth2.googleapis.com/token", "https://openidconnect.googleapis.com/v1/userinfo"])
        }
    }

    @Test(
        "C47: a provider's name, its identifier and an only provider skip the login page",
        arguments: [
            (#"["COGNITO", "Company"]"#, "&identity_provider=Company", true),
            (#"["COGNITO", "Company"]"#, "&idp_identifier=company.example", true), (#"["Company"]"#, "", true),
            (#"["COGNITO", "Company"]"#, "", false), (#"["Company", "Google"]"#, "", false),
            (#"["COGNITO", "Company"]"#, "&identity_provider=COGNITO", false),
        ])
    func skips(providers: String, more: String, isSkipped: Bool) async throws {
        try await Self.run(providers: providers) { sandbox, _ async throws in
            let answer = try await sandbox.hosted(.get, "/oauth2/authorize?\(HostedBrowser.request)\(more)")
            #expect(answer.location?.hasPrefix("http://localhost:4566/idp/company/authorize?") == isSkipped)
            guard !isSkipped else { return }
            let page = try await sandbox.hosted(.get, "/login?" + HostedBrowser.request)
            #expect(page.text.contains("identity_provider=Company"))
            #expect(page.text.contains("name=\"password\"") == providers.contains("COGNITO"))
        }
    }

    @Test("C47: a provider that the app does not accept, or that does not exist, is refused")
    func unknownProvider() async throws {
        try await Self.run(providers: #"["COGNITO", "Company"]"#) { sandbox, _ async throws in
            for more in ["&identity_provider=Google", "&identity_provider=Nobody", "&idp_identifier=nobody.example"] {
                let answer = try await sandbox.hosted(.get, "/oauth2/authorize?\(HostedBrowser.request)\(more)")
                #expect(answer.location == "https://app.example/callback?error=invalid_request&state=s1")
            }
        }
    }

    @Test("C48: a required attribute that is not mapped, and a fixed one that would change, fail")
    func requiredAttributes() async throws {
        try await Self.run { sandbox, provider async throws in
            let pool = try #require(sandbox.cloud.directory.userPools.pool(UserPoolSandbox.pool))
            var changed = pool
            changed.changedAttributes = [UserPoolAttribute(name: "email", isMutable: false, isRequired: true)]
            let strict = changed
            try await sandbox.cloud.edit { directory in directory.put(inUserPools: .pool(strict)) }
            let missing = try await Self.signIn(HostedBrowser(sandbox), provider, profile: ["sub": "1"])
            let fields = try HostedBrowser.parameters(missing.location)
            #expect(fields["error"] == "invalid_request")
            #expect(fields["error_description"] == "attributes required: [email]")
            #expect(try await Self.signIn(HostedBrowser(sandbox), provider).location?.contains("?code=") == true)
            let fixed = try await Self.signIn(HostedBrowser(sandbox), provider, profile: ["sub": "1", "email": "new@company.example"])
            #expect(try HostedBrowser.parameters(fixed.location)["error_description"] == "user.email: Attribute cannot be updated.")
        }
    }

    @Test("C48: a user who signed up with the name of a person of a provider is not that person")
    func takenName() async throws {
        try await Self.run { sandbox, provider async throws in
            _ = try await sandbox.call(
                "SignUp", ["ClientId": "app", "Username": "Company_1", "Password": .string(UserPoolSandbox.password)])
            let answer = try await Self.signIn(HostedBrowser(sandbox), provider)
            #expect(try HostedBrowser.parameters(answer.location)["error_description"] == "User already exists")
        }
    }

    @Test("C49: a linked person is the user of the pool, at most five times")
    func links() async throws {
        try await Self.run { sandbox, provider async throws in
            func link(_ subject: String, attribute: String = "Cognito_Subject") async throws -> UserPoolSandbox.Answer {
                try await sandbox.admin(
                    "AdminLinkProviderForUser",
                    [
                        "DestinationUser": ["ProviderName": "Cognito", "ProviderAttributeValue": "alice"],
                        "SourceUser": [
                            "ProviderName": "Company", "ProviderAttributeName": .string(attribute),
                            "ProviderAttributeValue": .string(subject),
                        ],
                    ])
            }
            #expect(try await link("1").status == 200)
            let answer = try await Self.signIn(HostedBrowser(sandbox), provider, profile: ["sub": "1", "team": "green"])
            let code = try #require(try HostedBrowser.parameters(answer.location)["code"])
            let tokens = try await sandbox.redeem(code)
            let claims = try JSONWebToken(parsing: try #require(tokens["id_token"]?.stringValue)).claims
            #expect(claims["cognito:username"] == "alice")
            #expect(try sandbox.user("alice")[attribute: "custom:team"] == "green")
            let merging = "Merging is not currently supported, provide a SourceUser that has not been signed up in order to link"
            expect(try await link("1"), "InvalidParameterException", merging)
            for subject in ["2", "3", "4", "5"] { #expect(try await link(subject).status == 200) }
            expect(try await link("6"), "LimitExceededException")
            expect(try await link("7", attribute: "email"), "UnsupportedOperationException")
            let unlinked = try await sandbox.admin(
                "AdminDisableProviderForUser",
                ["User": ["ProviderName": "Company", "ProviderAttributeName": "Cognito_Subject", "ProviderAttributeValue": "1"]])
            #expect(unlinked.status == 200)
            let later = try await Self.signIn(HostedBrowser(sandbox), provider)
            #expect(later.location?.contains("?code=") == true)
            #expect(try sandbox.user("Company_1").status == .externalProvider)
        }
    }

    @Test("C50: errors of a provider reach the app")
    func errors() async throws {
        try await Self.run { sandbox, provider async throws in
            let denied = try await Self.signIn(
                HostedBrowser(sandbox), provider, answer: "error=access_denied&error_description=No")
            #expect(denied.location == "https://app.example/callback?error=access_denied&error_description=No&state=s1")
            provider.state.withLock { $0.tokenStatus = 401 }
            let refused = try await Self.signIn(HostedBrowser(sandbox), provider)
            let fields = try HostedBrowser.parameters(refused.location)
            #expect(fields["error"] == "invalid_request")
            #expect(fields["error_description"] == "Company Error - 401 error getting token")
        }
    }

    @Test(
        "C50: an ID token for another client, nonce or user signs nobody in",
        arguments: [
            (["aud": "other", "sub": "1"], "the ID token is for another client"),
            (["nonce": "other", "sub": "1"], "the ID token has another nonce"), (["sub": "2"], "user info is about another user"),
            (["exp": 1, "sub": "1"], "the ID token has expired"),
        ] as [(JSONObject, String)])
    func wrongTokens(claims: JSONObject, message: String) async throws {
        try await Self.run { sandbox, provider async throws in
            let answer = try await Self.signIn(HostedBrowser(sandbox), provider, claims: claims)
            #expect(try HostedBrowser.parameters(answer.location)["error_description"] == "Company Error - \(message)")
            #expect(sandbox.cloud.directory.userPools.user(linkedTo: "Company", subject: "1", in: UserPoolSandbox.pool) == nil)
        }
    }

    @Test("C50: an ID token that another issuer signed signs nobody in")
    func foreignKey() async throws {
        try await Self.run(signer: "google") { sandbox, provider async throws in
            let answer = try await Self.signIn(HostedBrowser(sandbox), provider)
            #expect(try HostedBrowser.parameters(answer.location)["error_description"] == "Company Error - the ID token is not verified")
        }
    }

    @Test("C46: the answer of a provider is accepted in the browser that was sent there, once and for five minutes")
    func boundState() async throws {
        try await Self.run { sandbox, provider async throws in
            let browser = HostedBrowser(sandbox)
            let start = try await browser.open("/oauth2/authorize?\(HostedBrowser.request)&identity_provider=Company")
            let state = try #require(try HostedBrowser.parameters(start.location)["state"])
            let target = "/oauth2/idpresponse?code=c1&state=\(state)"
            // Another browser, one with a form of its own, and an unknown state.
            #expect(try await sandbox.hosted(.get, target).status == 400)
            let other = HostedBrowser(sandbox)
            _ = try await other.open("/login?" + HostedBrowser.request)
            #expect(try await other.open(target).text.contains("Invalid state"))
            #expect(try await browser.open("/oauth2/idpresponse?code=c1&state=none").text.contains("Invalid state"))
            let first = try await Self.signIn(browser, provider)
            #expect(first.location?.contains("?code=") == true)
            #expect(try await browser.open(target).status == 302)
            #expect(try await browser.open(target).text.contains("Invalid state"))
            let late = try await HostedBrowser(sandbox).open("/oauth2/authorize?\(HostedBrowser.request)&identity_provider=Company")
            #expect(late.status == 302)
            let slow = HostedBrowser(sandbox)
            let begun = try await slow.open("/oauth2/authorize?\(HostedBrowser.request)&identity_provider=Company")
            let old = try #require(try HostedBrowser.parameters(begun.location)["state"])
            try await sandbox.cloud.age(by: .seconds(301))
            #expect(try await slow.open("/oauth2/idpresponse?code=c1&state=\(old)").text.contains("Invalid state"))
        }
    }

    @Test("C46: identity providers are created, changed, listed and deleted; other types and issuers are refused by name")
    func administration() async throws {
        try await Self.run { sandbox, _ async throws in
            let details: JSONValue = ["client_id": "1234", "client_secret": "s", "authorize_scopes": "public_profile"]
            let members: JSONObject = ["ProviderName": "Facebook", "ProviderType": "Facebook", "ProviderDetails": details]
            let made = try await sandbox.admin("CreateIdentityProvider", members)
            #expect(made["IdentityProvider"]?["AttributeMapping"] == ["username": "id"])
            expect(
                try await sandbox.admin("CreateIdentityProvider", members), "DuplicateProviderException",
                "A provider with the name Facebook already exists in User Pool us-east-1_AbCdEf123.")
            expect(
                try await sandbox.admin(
                    "CreateIdentityProvider", ["ProviderName": "Other", "ProviderType": "Facebook", "ProviderDetails": details]),
                "InvalidParameterException", "Provider Other cannot be of type Facebook.")
            expect(
                try await sandbox.admin(
                    "CreateIdentityProvider",
                    ["ProviderName": "Office", "ProviderType": "SAML", "ProviderDetails": ["MetadataURL": "https://idp.example/"]]),
                "UnsupportedOperationException")
            let foreign: JSONValue = [
                "client_id": "1", "authorize_scopes": "openid", "oidc_issuer": "https://elsewhere.example",
                "attributes_request_method": "GET",
            ]
            expect(
                try await sandbox.admin(
                    "CreateIdentityProvider", ["ProviderName": "Other", "ProviderType": "OIDC", "ProviderDetails": foreign]),
                "UnsupportedOperationException")
            let changed = try await sandbox.admin(
                "UpdateIdentityProvider", ["ProviderName": "Facebook", "IdpIdentifiers": ["facebook.example"]])
            #expect(changed["IdentityProvider"]?["ProviderDetails"] == details)
            let found = try await sandbox.admin("GetIdentityProviderByIdentifier", ["IdpIdentifier": "facebook.example"])
            #expect(found["IdentityProvider"]?["ProviderName"] == "Facebook")
            let list = try await sandbox.admin("ListIdentityProviders", [:])
            #expect(list["Providers"]?.arrayValue?.compactMap { $0["ProviderName"]?.stringValue } == ["Company", "Facebook", "Google"])
            #expect(try await sandbox.admin("DeleteIdentityProvider", ["ProviderName": "Facebook"]).isEmpty)
            expect(
                try await sandbox.admin("DescribeIdentityProvider", ["ProviderName": "Facebook"]), "ResourceNotFoundException",
                "Identity provider Facebook does not exist.")
        }
    }
}
