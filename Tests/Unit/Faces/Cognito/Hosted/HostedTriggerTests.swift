import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Triggers at the domain of a user pool")
struct HostedTriggerTests {
    private static func claims(_ answer: UserPoolSandbox.HostedAnswer, _ name: String) throws -> JSONObject {
        try JSONWebToken(parsing: try #require(answer[name]?.stringValue)).claims
    }

    private static func run(
        _ points: [String], _ functions: FunctionsOfATest, _ test: (UserPoolSandbox) async throws -> Void
    ) async throws {
        let seed = UserPoolSandbox.seed(
            pool: UserPoolSandbox.hosted + FunctionsOfATest.triggers(points), client: UserPoolSandbox.web)
        try await UserPoolSandbox.run(seed, functions: functions.functions, test)
    }

    @Test("C37, C40: pages call the functions of a sign-in, and the token endpoint that of tokens")
    func signsIn() async throws {
        let functions = FunctionsOfATest { source, _ in
            guard source.hasPrefix("TokenGeneration") else { return nil }
            return [
                "claimsAndScopeOverrideDetails": [
                    "accessTokenGeneration": ["claimsToAddOrOverride": ["tenant": "t1"], "scopesToSuppress": ["email"]]
                ]
            ]
        }
        try await Self.run(["PreAuthentication", "PostAuthentication", "PreTokenGenerationV2"], functions) { sandbox async throws in
            let code = try await HostedBrowser(sandbox).code()
            #expect(functions.sources == ["PreAuthentication_Authentication", "PostAuthentication_Authentication"])
            let tokens = try await sandbox.redeem(code)
            #expect(functions.sources.last == "TokenGeneration_HostedAuth")
            #expect(functions.event("TokenGeneration_HostedAuth")?["request"]?["scopes"] == ["openid", "email"])
            let access = try Self.claims(tokens, "access_token")
            #expect(access["tenant"] == "t1")
            #expect(access["scope"] == "openid")
            #expect(try Self.claims(tokens, "id_token")["at_hash"] != nil)
            let form: FormFields = [
                "grant_type": "refresh_token", "client_id": "app", "refresh_token": try #require(tokens["refresh_token"]?.stringValue),
            ]
            let refreshed = try await sandbox.hosted(.post, "/oauth2/token", form)
            #expect(functions.sources.last == "TokenGeneration_RefreshTokens")
            #expect(try Self.claims(refreshed, "access_token")["scope"] == "openid")
        }
    }

    @Test("C37, C40: the implicit grant calls the function of tokens")
    func implicit() async throws {
        let functions = FunctionsOfATest()
        try await Self.run(["PreTokenGeneration"], functions) { sandbox async throws in
            let request = HostedBrowser.request.replacing("response_type=code", with: "response_type=token")
            #expect(try await HostedBrowser(sandbox).signIn(request).location?.contains("access_token=") == true)
            #expect(functions.sources == ["TokenGeneration_HostedAuth"])
        }
    }

    @Test("C37, C40: pages and the token endpoint show why a function refuses")
    func refuses() async throws {
        let functions = FunctionsOfATest { source, event in
            guard source.hasPrefix("TokenGeneration") || event["userName"] == "new" else { return nil }
            throw FunctionsOfATest.Refusal(message: "no")
        }
        try await Self.run(["PreAuthentication", "PreTokenGeneration"], functions) { sandbox async throws in
            let page = try await HostedBrowser(sandbox).signIn(name: "new", password: "Temp0rary!")
            #expect(page.text.contains("PreAuthentication failed with error no."))
            let answer = try await sandbox.redeem(try await HostedBrowser(sandbox).code())
            #expect(answer.status == 400)
            #expect(answer["error"] == "invalid_request")
            #expect(answer["error_description"] == "PreTokenGeneration failed with error no.")
        }
    }

    @Test("C37, C40: a person whom a function confirms at sign-up is signed in")
    func confirms() async throws {
        let functions = FunctionsOfATest { source, _ in source == "PreSignUp_SignUp" ? ["autoConfirmUser": true] : nil }
        try await Self.run(["PreSignUp", "PostConfirmation", "PostAuthentication"], functions) { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.open("/signup?" + HostedBrowser.request)
            let answer = try await browser.submit(
                page, ["username": "carol", "requiredAttributes[email]": "carol@company.example", "password": "Passw0rd!"])
            #expect(answer.location?.contains("?code=") == true)
            #expect(
                functions.sources == ["PreSignUp_SignUp", "PostConfirmation_ConfirmSignUp", "PostAuthentication_Authentication"])
        }
    }

    @Test("C37, C43: only functions with the third version are called for tokens of apps", arguments: [2, 3])
    func machines(version: Int) async throws {
        let functions = FunctionsOfATest { _, _ in
            ["claimsAndScopeOverrideDetails": ["accessTokenGeneration": ["claimsToAddOrOverride": ["tenant": "t1"]]]]
        }
        let app = #"{id: "machine", name: "machine", secret: "shared", \#(UserPoolSandbox.machine)}"#
        let pool = UserPoolSandbox.hosted + FunctionsOfATest.triggers(["PreTokenGenerationV\(version)"])
        let seed = UserPoolSandbox.seed(pool: pool).replacing("clients: [", with: "clients: [\(app),")
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            let form: FormFields = [
                "grant_type": "client_credentials", "client_id": "machine", "client_secret": "shared",
                "aws_client_metadata": #"{"from": "test"}"#,
            ]
            let answer = try await sandbox.hosted(.post, "/oauth2/token", form)
            let tenant = try Self.claims(answer, "access_token")["tenant"]
            guard version == 3 else {
                #expect(tenant == nil)
                #expect(functions.sources.isEmpty)
                return
            }
            #expect(tenant == "t1")
            let event = try #require(functions.event("TokenGeneration_ClientCredentials"))
            #expect(event["version"] == "3")
            #expect(event["request"]?["clientMetadata"] == ["from": "test"])
            #expect(event["request"]?["scopes"] == ["https://orders.example/read", "https://orders.example/write"])
        }
    }

    @Test("C40: a code of a second factor that is sent by e-mail is asked for on a page")
    func mailFactor() async throws {
        try await UserPoolSandbox.runHosted(pool: #"multiFactor: "ON", messageFactors: ["EMAIL_OTP"],"#) { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.signIn()
            #expect(page.text.contains("Type the code that was sent to your e-mail address."))
            let code = try #require(try sandbox.user("alice").codes.first).code
            #expect(try await browser.submit(page, ["code": code]).location?.contains("?code=") == true)
        }
    }
}
