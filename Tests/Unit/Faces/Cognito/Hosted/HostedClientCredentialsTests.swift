import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Tokens of apps themselves at the domain of a user pool")
struct HostedClientCredentialsTests {
    private static let form: FormFields = ["grant_type": "client_credentials", "client_id": "machine", "client_secret": "shared"]
    private static let basic: HTTPFields = [.authorization: "Basic " + Array("machine:shared".utf8).base64]

    private static func run(_ test: (UserPoolSandbox) async throws -> Void) async throws {
        let app = #"{id: "machine", name: "machine", secret: "shared", \#(UserPoolSandbox.machine)}"#
        let seed = UserPoolSandbox.seed(pool: UserPoolSandbox.hosted).replacing("clients: [", with: "clients: [\(app),")
        try await UserPoolSandbox.run(seed, test)
    }

    @Test("C43: the token has the scopes that the app asks for, or all of its own, and no user")
    func scopes() async throws {
        try await Self.run { sandbox async throws in
            let answer = try await sandbox.hosted(.post, "/oauth2/token", Self.form)
            #expect(answer.status == 200)
            #expect(answer.json.objectValue?.names.sorted() == ["access_token", "expires_in", "token_type"])
            #expect(answer["token_type"] == "Bearer")
            #expect(answer["expires_in"] == 3600)
            #expect(answer.headers[.cacheControl] == "no-store")
            let text = try #require(answer["access_token"]?.stringValue)
            let token = try await VerifiedUserPoolToken(text, use: .access, in: sandbox.cloud)
            #expect(token.claims["sub"] == "machine")
            #expect(token.claims["client_id"] == "machine")
            #expect(token.claims["username"] == nil)
            #expect(token.scopes == ["https://orders.example/read", "https://orders.example/write"])
            var form = Self.form
            form.fields.append(.init(name: "scope", value: "https://orders.example/write"))
            let one = try await sandbox.hosted(.post, "/oauth2/token", form)
            let claims = try JSONWebToken(parsing: try #require(one["access_token"]?.stringValue)).claims
            #expect(claims["scope"] == "https://orders.example/write")
        }
    }

    @Test("C42: both forms of credentials are accepted")
    func authentication() async throws {
        try await Self.run { sandbox async throws in
            let form: FormFields = ["grant_type": "client_credentials"]
            #expect(try await sandbox.hosted(.post, "/oauth2/token", form, fields: Self.basic).status == 200)
            let named: FormFields = ["grant_type": "client_credentials", "client_id": "machine"]
            #expect(try await sandbox.hosted(.post, "/oauth2/token", named, fields: Self.basic).status == 200)
        }
    }

    @Test(
        "C42: refusals have a code and nothing else",
        arguments: [
            ("client_id=machine&client_secret=shared", "invalid_request"),
            ("grant_type=client_credentials", "invalid_request"),
            ("grant_type=client_credentials&grant_type=client_credentials&client_id=machine&client_secret=shared", "invalid_request"),
            ("grant_type=client_credentials&client_id=machine&client_secret=wrong", "invalid_client"),
            ("grant_type=client_credentials&client_id=machine", "invalid_client"),
            ("grant_type=client_credentials&client_id=none&client_secret=shared", "invalid_client"),
            ("grant_type=client_credentials&client_id=app&client_secret=shared", "invalid_client"),
            ("grant_type=client_credentials&client_id=secret&client_secret=shared", "invalid_grant"),
            ("grant_type=password&client_id=machine&client_secret=shared", "unsupported_grant_type"),
            ("grant_type=client_credentials&client_id=machine&client_secret=shared&scope=openid", "invalid_scope"),
            ("grant_type=client_credentials&client_id=machine&client_secret=shared&scope=https://orders.example/delete", "invalid_scope"),
        ])
    func refused(form: String, code: String) async throws {
        try await Self.run { sandbox async throws in
            let answer = try await sandbox.hosted(.post, "/oauth2/token", try #require(FormFields(parsing: form)))
            #expect(answer.status == 400)
            #expect(answer.json == ["error": .string(code)])
        }
    }

    @Test("C42: the endpoint takes forms by POST only, also from pages of other origins")
    func methods() async throws {
        try await Self.run { sandbox async throws in
            let get = try await sandbox.hosted(.get, "/oauth2/token")
            #expect(get.status == 405)
            #expect(get.headers[.allow] == "POST")
            let page: HTTPFields = [.origin: "https://app.example"]
            let answer = try await sandbox.hosted(.post, "/oauth2/token", Self.form, fields: page)
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
            #expect(try await sandbox.hosted(.options, "/oauth2/token", fields: page).status == 204)
            #expect(try await sandbox.hosted(.post, "/oauth2/token", fields: [.contentType: "text/plain"])["error"] == "invalid_request")
        }
    }

    @Test("C43: a scope that its resource server has lost is left out silently")
    func lostScope() async throws {
        try await Self.run { sandbox async throws in
            let changed = try await sandbox.admin(
                "UpdateResourceServer",
                [
                    "Identifier": "https://orders.example", "Name": "orders",
                    "Scopes": [["ScopeName": "read", "ScopeDescription": "Read orders"]],
                ])
            #expect(changed["ResourceServer"]?["Scopes"] == [["ScopeName": "read", "ScopeDescription": "Read orders"]])
            let answer = try await sandbox.hosted(.post, "/oauth2/token", Self.form)
            let claims = try JSONWebToken(parsing: try #require(answer["access_token"]?.stringValue)).claims
            #expect(claims["scope"] == "https://orders.example/read")
            #expect(try await sandbox.admin("DeleteResourceServer", ["Identifier": "https://orders.example"]).isEmpty)
            #expect(try await sandbox.hosted(.post, "/oauth2/token", Self.form)["error"] == "invalid_scope")
        }
    }

    @Test(
        "C45: the domain is at its host names, and below the pool at other hosts",
        arguments: [nil, "people.auth.us-east-1.amazoncognito.com", "sign-in.company.example"] as [String?])
    func places(host: String?) async throws {
        try await Self.run { sandbox async throws in
            #expect(try await sandbox.hosted(.post, "/oauth2/token", Self.form, host: host).status == 200)
        }
    }

    @Test("C45: a pool without a domain has no endpoints")
    func withoutDomain() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            #expect(try await sandbox.hosted(.post, "/oauth2/token", Self.form)["error"] == "invalid_request")
        }
    }

    @Test(
        "C45: only the endpoints belong to the pool",
        arguments: [
            ("/us-east-1_AbCdEf123/oauth2/token", true), ("/us-east-1_AbCdEf123/login", true),
            ("/us-east-1_AbCdEf123/oauth2/token/x", false), ("/us-east-1_AbCdEf123", false),
            ("/bucket/oauth2/token", false), ("/my_bucket/oauth2/token", false), ("/oauth2/token", false),
        ])
    func paths(path: String, isOfPool: Bool) { #expect((HostedPages.place(of: path) != nil) == isOfPool) }
}
