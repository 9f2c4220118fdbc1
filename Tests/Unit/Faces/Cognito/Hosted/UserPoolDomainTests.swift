import Cloud
import Directory
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("Domains, resource servers and OAuth settings of user pools")
struct UserPoolDomainTests {
    @Test("C45: a domain is created, described and deleted, and keeps the pool from being deleted")
    func domains() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let made = try await sandbox.admin("CreateUserPoolDomain", ["Domain": "people"])
            #expect(made.body == ["ManagedLoginVersion": 1])
            let described = try await sandbox.call("DescribeUserPoolDomain", ["Domain": "people"], key: ("test", "test"))
            #expect(described["DomainDescription"]?["UserPoolId"] == .string(UserPoolSandbox.pool))
            #expect(described["DomainDescription"]?["Status"] == "ACTIVE")
            #expect(try await sandbox.admin("DescribeUserPool", [:])["UserPool"]?["Domain"] == "people")
            expect(
                try await sandbox.admin("CreateUserPoolDomain", ["Domain": "others"]), "InvalidParameterException",
                "User pool already has domain configured.")
            expect(
                try await sandbox.admin("DeleteUserPool", [:]), "InvalidParameterException",
                "User pool cannot be deleted. It has a domain configured that should be deleted first.")
            let other = try await sandbox.call("CreateUserPool", ["PoolName": "other"], key: ("test", "test"))
            let id = try #require(other["UserPool"]?["Id"])
            expect(
                try await sandbox.admin("CreateUserPoolDomain", ["UserPoolId": id, "Domain": "people"]), "InvalidParameterException",
                "Domain already associated with another user pool.")
            expect(
                try await sandbox.admin("DeleteUserPoolDomain", ["UserPoolId": id, "Domain": "people"]), "InvalidParameterException")
            #expect(try await sandbox.admin("DeleteUserPoolDomain", ["Domain": "people"]).status == 200)
            let gone = try await sandbox.call("DescribeUserPoolDomain", ["Domain": "people"], key: ("test", "test"))
            #expect(gone.body == ["DomainDescription": [:]])
        }
    }

    @Test("C45: a host name of the customer's own has a certificate and stands beside a prefix")
    func customDomain() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let certificate: JSONValue = ["CertificateArn": "arn:aws:acm:us-east-1:111122223333:certificate/one"]
            let name: JSONValue = "sign-in.company.example"
            let made = try await sandbox.admin("CreateUserPoolDomain", ["Domain": name, "CustomDomainConfig": certificate])
            #expect(made["CloudFrontDomain"]?.stringValue?.hasSuffix(".cloudfront.net") == true)
            #expect(try await sandbox.admin("CreateUserPoolDomain", ["Domain": "people"]).status == 200)
            let other: JSONValue = ["CertificateArn": "arn:aws:acm:us-east-1:111122223333:certificate/two"]
            #expect(try await sandbox.admin("UpdateUserPoolDomain", ["Domain": name, "CustomDomainConfig": other]).status == 200)
            let described = try await sandbox.call("DescribeUserPoolDomain", ["Domain": name], key: ("test", "test"))
            #expect(described["DomainDescription"]?["CustomDomainConfig"] == other)
            #expect(try await sandbox.admin("DescribeUserPool", [:])["UserPool"]?["CustomDomain"] == name)
        }
    }

    @Test(
        "C45: names of domains are checked",
        arguments: ["People", "-people", "people-", "peo_ple", "people.example"])
    func names(name: String) async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.admin("CreateUserPoolDomain", ["Domain": .string(name)])
            expect(answer, "InvalidParameterException")
            #expect(answer.message?.hasPrefix("The domain name contains an invalid character.") == true)
        }
    }

    @Test("C45: reserved words and newer pages are refused")
    func reserved() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(
                try await sandbox.admin("CreateUserPoolDomain", ["Domain": "my-cognito"]), "InvalidParameterException",
                "Domain cannot contain reserved word: cognito")
            expect(
                try await sandbox.admin("CreateUserPoolDomain", ["Domain": "people", "ManagedLoginVersion": 2]),
                "UnsupportedOperationException")
        }
    }

    @Test("C43: resource servers are created, listed, changed and deleted")
    func resourceServers() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let members: JSONObject = [
                "Identifier": "orders", "Name": "Orders", "Scopes": [["ScopeName": "read", "ScopeDescription": "Read orders"]],
            ]
            let made = try await sandbox.admin("CreateResourceServer", members)
            #expect(
                made["ResourceServer"] == [
                    "UserPoolId": .string(UserPoolSandbox.pool), "Identifier": "orders", "Name": "Orders",
                    "Scopes": [["ScopeName": "read", "ScopeDescription": "Read orders"]],
                ])
            expect(
                try await sandbox.admin("CreateResourceServer", members), "InvalidParameterException",
                "orders already exists in user pool us-east-1_AbCdEf123.")
            #expect(try await sandbox.admin("CreateResourceServer", ["Identifier": "people", "Name": "People"]).status == 200)
            let page = try await sandbox.admin("ListResourceServers", ["MaxResults": 1])
            #expect(page["ResourceServers"]?.arrayValue?.count == 1)
            let token = try #require(page["NextToken"])
            let rest = try await sandbox.admin("ListResourceServers", ["MaxResults": 1, "NextToken": token])
            #expect(rest["ResourceServers"]?.arrayValue?.first?["Identifier"] == "people")
            #expect(rest["NextToken"] == nil)
            #expect(try await sandbox.admin("DescribeResourceServer", ["Identifier": "orders"])["ResourceServer"] == made["ResourceServer"])
            #expect(try await sandbox.admin("DeleteResourceServer", ["Identifier": "orders"]).isEmpty)
            expect(
                try await sandbox.admin("DescribeResourceServer", ["Identifier": "orders"]), "ResourceNotFoundException",
                "Resource server orders does not exist.")
        }
    }

    @Test(
        "C43: OAuth settings of apps are checked in the words of the service",
        arguments: [
            (
                ["AllowedOAuthFlowsUserPoolClient": true], "InvalidParameterException",
                "AllowedOAuthFlows and AllowedOAuthScopes are required if user pool client is allowed to use OAuth flows."
            ),
            (["AllowedOAuthScopes": ["Cognito"]], "ScopeDoesNotExistException", "Invalid scope requested: Cognito"),
            (
                ["AllowedOAuthFlows": ["token"]], "InvalidParameterException",
                """
                1 validation error detected: Value '[token]' at 'allowedOAuthFlows' failed to satisfy constraint: Member must satisfy \
                constraint: [Member must satisfy enum value set: [implicit, client_credentials, code]]
                """
            ),
            (
                ["AllowedOAuthFlows": ["client_credentials"], "AllowedOAuthScopes": ["openid"], "GenerateSecret": true],
                "InvalidOAuthFlowException", "openid is not supported with client_credentials flow"
            ),
            (
                ["AllowedOAuthFlows": ["client_credentials"]], "InvalidOAuthFlowException",
                "client_credentials flow can not be selected if client does not have a client secret"
            ),
            (
                ["SupportedIdentityProviders": ["Google"]], "InvalidParameterException",
                "The provider Google does not exist for User Pool us-east-1_AbCdEf123."
            ),
            (
                ["CallbackURLs": ["http://app.example/"]], "InvalidParameterException",
                "http://app.example/ cannot use the HTTP protocol."
            ),
            (["CallbackURLs": ["/callback"]], "InvalidParameterException", "/callback is not an absolute URL."),
            (["LogoutURLs": ["https://app.example/#x"]], "InvalidParameterException", "https://app.example/#x cannot have a fragment."),
            (["CallbackURLs": ["javascript:x"]], "InvalidParameterException", "javascript:x cannot use the javascript scheme."),
            (["CallbackURLs": ["http://localhost.evil.example/"]], "InvalidParameterException", nil),
            (["DefaultRedirectURI": "https://app.example/"], "InvalidParameterException", nil),
        ] as [(JSONObject, String, String?)])
    func clientSettings(settings: JSONObject, code: String, message: String?) async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            var members = settings
            members["ClientName"] = "app"
            expect(try await sandbox.admin("CreateUserPoolClient", members), code, message)
        }
    }

    @Test("C43: OAuth settings are returned, and an update that omits them clears them")
    func returnsSettings() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            #expect(
                try await sandbox.admin(
                    "CreateResourceServer",
                    ["Identifier": "orders", "Name": "Orders", "Scopes": [["ScopeName": "read", "ScopeDescription": "Read"]]]
                ).status == 200)
            let settings: JSONObject = [
                "AllowedOAuthFlowsUserPoolClient": true, "AllowedOAuthFlows": ["client_credentials"],
                "AllowedOAuthScopes": ["orders/read"], "CallbackURLs": ["https://app.example/", "com.example.app://callback"],
                "LogoutURLs": ["http://localhost:3000/"], "DefaultRedirectURI": "https://app.example/",
                "SupportedIdentityProviders": ["COGNITO"],
            ]
            var members = settings
            (members["ClientName"], members["GenerateSecret"]) = ("app", true)
            let made = try #require(try await sandbox.admin("CreateUserPoolClient", members)["UserPoolClient"])
            for (name, value) in settings.members { #expect(made[name] == value, "\(name)") }
            let changed = try await sandbox.admin("UpdateUserPoolClient", ["ClientId": try #require(made["ClientId"])])
            #expect(changed["UserPoolClient"]?["AllowedOAuthFlowsUserPoolClient"] == false)
            #expect(changed["UserPoolClient"]?["CallbackURLs"] == nil)
        }
    }
}
