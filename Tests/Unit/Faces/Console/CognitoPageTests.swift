import Calls
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The pages of Amazon Cognito")
struct CognitoPageTests {
    private static let hostile = "<script>x</script>\"'\u{202E}"

    /// A console whose cloud returns one document to every call.
    private static func prepare(_ console: inout ConsoleOfATest, status: JSONValue = 200, _ document: JSONValue) {
        let info: JSONObject = [
            "version": "1", "sandbox": "default", "generation": 1,
            "clock": ["now": "2026-01-01T00:00:00.000Z", "mode": "running", "ages": []],
            "accounts": [["id": "000000000000", "vendor": "aws", "name": "", "root": "arn:aws:iam::000000000000:root"]],
            "services": [], "providers": [], "faults": 0, "counts": [:],
        ]
        console.answers["GET /info"] = .object(info)
        console.answers["POST /send"] = [
            "request": ["method": "POST", "target": "/", "host": "localhost:4566", "headers": [], "body": ["text": "{}"]],
            "response": ["status": status, "headers": [], "body": ["text": .string(document.serialized())]], "curl": "curl",
        ]
        console.answers["GET /user-pools/codes"] = [
            "codes": [
                [
                    "pool": "us-east-1_Pool", "user": .string(hostile), "purpose": "signUp", "medium": "EMAIL",
                    "destination": .string(hostile), "code": "123456", "sent": "2026-01-01T00:00:00Z", "expires": "2026-01-02T00:00:00Z",
                ]
            ]
        ]
    }

    private static let pages = [
        "/identity/cognito", "/identity/user-pools/000000000000/us-east-1_Pool",
        "/identity/user-pools/000000000000/us-east-1_Pool/people/ann", "/identity/identity-pools/000000000000/us-east-1:1",
    ]

    @Test("show what the services return, and escape it", arguments: pages)
    func escaping(path: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            let text: JSONValue = .string(Self.hostile)
            let attributes: JSONValue = [["Name": "email", "Value": text], ["Name": text, "Value": text]]
            var document: JSONObject = ["PaginationToken": text, "NextToken": text, "UserStatus": text, "UserAttributes": attributes]
            document["UserPools"] = [["Id": text, "Name": text, "CreationDate": 1]]
            document["IdentityPools"] = [["IdentityPoolId": text, "IdentityPoolName": text]]
            document["UserPool"] = ["Name": text, "Arn": text, "UsernameAttributes": [text], "MfaConfiguration": text]
            document["Users"] = [
                ["Username": text, "UserStatus": text, "Attributes": attributes, "Enabled": false, "UserCreateDate": 1e300]
            ]
            document["Groups"] = [["GroupName": text, "Description": text, "RoleArn": text, "Precedence": 1]]
            document["UserPoolClients"] = [["ClientId": text, "ClientName": text]]
            document["UserMFASettingList"] = [text]
            document["IdentityPoolName"] = text
            document["DeveloperProviderName"] = text
            document["SupportedLoginProviders"] = .object([Self.hostile: "x"])
            document["OpenIdConnectProviderARNs"] = [text]
            document["Roles"] = ["authenticated": text]
            document["Identities"] = [["IdentityId": text, "Logins": [text], "CreationDate": 1_767_225_600.5]]
            Self.prepare(&console, .object(document))
            let page = try await console.send(.get, path)
            #expect(page.status == 200)
            #expect(page.text.contains("&lt;script&gt;"))
            #expect(!page.text.contains("<script>x"))
            #expect(!page.text.contains("\u{202E}"))
            let calls = console.calls.with { $0.filter { $0.target == "/_virga/send" } }
            #expect(!calls.isEmpty)
            for call in calls {
                let order = try JSONValue(parsing: await call.body.collectedText)
                #expect(order["record"] == false)
                #expect(order["region"] == "us-east-1")
            }
        }
    }

    @Test("show the code of an error of a service with AWS JSON", arguments: pages)
    func refusal(path: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            Self.prepare(&console, status: 400, ["__type": "com.amazonaws#ResourceNotFoundException", "message": "No such pool."])
            let page = try await console.send(.get, path).text
            #expect(page.contains("✗ <bdi>ResourceNotFoundException</bdi>"))
            #expect(page.contains("No such pool."))
        }
    }

    @Test("exist for accounts of AWS only")
    func accounts() async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.get, "/identity/cognito").text.contains("The seed has no account of AWS."))
            #expect(try await console.send(.get, "/identity/user-pools/1/us-east-1_Pool").status == 404)
            #expect(try await console.send(.get, "/identity/user-pools/1/us-east-1_Pool/other/x").status == 404)
        }
    }
}
