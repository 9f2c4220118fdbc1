import Cloud
import Directory
import Testing
import WireFormats

@testable import AlibabaIdentityFaces

@Suite("Identity management of Alibaba Cloud")
struct IMSTests {
    @Test("users are named by their principal names, and are the users of RAM")
    func users() async throws {
        try await RAMSandbox.run { ram async throws in
            let carol = "carol@\(RAMSandbox.account).onaliyun.com"
            let made = try await ram.call("CreateUser", ["UserPrincipalName": carol, "DisplayName": "Carol"], of: .ims)
            #expect(made.text("User", "UserPrincipalName") == carol)
            #expect(made["User"]?["UserName"] == nil)
            let id = try #require(made.text("User", "UserId"))
            #expect(try await ram.call("GetUser", ["UserName": "carol"]).text("User", "UserId") == id)
            #expect(try await ram.call("GetUser", ["UserId": id], of: .ims).text("User", "DisplayName") == "Carol")
            let key = try await ram.call("CreateAccessKey", ["UserPrincipalName": carol], of: .ims)
            let keyID = try #require(key.text("AccessKey", "AccessKeyId"))
            #expect(try await ram.call("GetUser", ["UserAccessKeyId": keyID], of: .ims).text("User", "UserId") == id)
            try await ram.call("SetAccountAlias", ["AccountAlias": "harbour"])
            let listed = try await ram.call("ListUsers", of: .ims)
            #expect(listed.texts("Users", "UserPrincipalName").contains("carol@harbour.onaliyun.com"))
            try await ram.call("DeleteAccessKey", ["UserPrincipalName": carol, "UserAccessKeyId": keyID], of: .ims)
            try await ram.call("DeleteUser", ["UserId": id], of: .ims)
            #expect(try await ram.refusal("GetUser", ["UserName": "carol"]) == "404 EntityNotExist.User")
        }
    }

    @Test(
        "invalid parameters",
        arguments: [
            ("CreateUser", ["UserPrincipalName": "x@1234567890123456.onaliyun.com"], "400 MissingDisplayName"),
            ("CreateUser", ["UserPrincipalName": "x", "DisplayName": "X"], "400 InvalidParameter.UserPrincipalName.Format"),
            (
                "CreateUser", ["UserPrincipalName": "x@other.onaliyun.com", "DisplayName": "X"],
                "400 InvalidParameter.UserPrincipalName.Format"
            ),
            ("GetUser", ["UserId": "1"], "404 EntityNotExist.User"),
            (
                "CreateOIDCProvider", ["OIDCProviderName": "-x", "IssuerUrl": "https://a.example"],
                "400 InvalidParameter.OIDCProviderName.InvalidChars"
            ),
            ("CreateOIDCProvider", ["OIDCProviderName": "x", "IssuerUrl": "http://a.example"], "400 InvalidParameter.IssuerUrl.Format"),
            ("CreateOIDCProvider", ["OIDCProviderName": "x", "IssuerUrl": "https://a.example?q"], "400 InvalidParameter.IssuerUrl.Format"),
            ("CreateOIDCProvider", ["OIDCProviderName": "x"], "400 MissingIssuerUrl"),
            (
                "CreateOIDCProvider", ["OIDCProviderName": "x", "IssuerUrl": "https://a.example", "IssuanceLimitTime": "169"],
                "400 InvalidParameter.IssuanceLimitTime"
            ),
            (
                "CreateOIDCProvider", ["OIDCProviderName": "x", "IssuerUrl": "https://a.example", "ClientIds": "a,-b"],
                "400 InvalidParameter.ClientIds.InvalidChars"
            ),
            ("GetOIDCProvider", ["OIDCProviderName": "x"], "404 EntityNotExist.OIDCProvider"),
            ("GetSAMLProvider", ["SAMLProviderName": "x"], "404 EntityNotExist.SAMLProvider"),
            (
                "CreateSAMLProvider", ["SAMLProviderName": "x", "EncodedSAMLMetadataDocument": "eA=="],
                "400 InvalidParameter.EncodedSAMLMetadataDocument.Format"
            ),
            ("CreateRole", [:], "404 InvalidAction.NotFound"),
        ] as [(String, [String: String], String)])
    func refusals(action: String, parameters: [String: String], refusal: String) async throws {
        try await RAMSandbox.run { ram async throws in
            #expect(try await ram.refusal(action, parameters, of: .ims) == refusal)
        }
    }

    @Test("OpenID Connect providers are created, changed and removed, which affects the account's tokens at once")
    func openIDConnect() async throws {
        try await RAMSandbox.run { ram async throws in
            let made = try await ram.call(
                "CreateOIDCProvider",
                [
                    "OIDCProviderName": "company", "IssuerUrl": "https://login.example", "ClientIds": "web,cli", "Fingerprints": "ab12",
                    "Description": "d",
                ],
                of: .ims)
            let arn = "acs:ram::\(RAMSandbox.account):oidc-provider/company"
            #expect(made.text("OIDCProvider", "Arn") == arn)
            #expect(made.text("OIDCProvider", "ClientIds") == "web,cli")
            #expect(made.text("OIDCProvider", "IssuanceLimitTime") == "12")
            #expect(ram.cloud.directory.trusts[arn]?.clientIDs == ["web", "cli"])
            let same = ["OIDCProviderName": "company", "IssuerUrl": "https://other.example"]
            #expect(try await ram.refusal("CreateOIDCProvider", same, of: .ims) == "409 EntityAlreadyExists.OIDCProvider")
            let issuer = ["OIDCProviderName": "other", "IssuerUrl": "https://login.example"]
            #expect(try await ram.refusal("CreateOIDCProvider", issuer, of: .ims) == "409 EntityAlreadyExists.OIDCProvider.IssuerUrl")
            try await ram.call("AddClientIdToOIDCProvider", ["OIDCProviderName": "company", "ClientId": "app"], of: .ims)
            try await ram.call("RemoveClientIdFromOIDCProvider", ["OIDCProviderName": "company", "ClientId": "web"], of: .ims)
            try await ram.call("AddFingerprintToOIDCProvider", ["OIDCProviderName": "company", "Fingerprint": "cd34"], of: .ims)
            try await ram.call("RemoveFingerprintFromOIDCProvider", ["OIDCProviderName": "company", "Fingerprint": "ab12"], of: .ims)
            let told = try await ram.call("GetOIDCProvider", ["OIDCProviderName": "company"], of: .ims)
            #expect(told.text("OIDCProvider", "ClientIds") == "cli,app")
            #expect(told.text("OIDCProvider", "Fingerprints") == "cd34")
            try await ram.call(
                "UpdateOIDCProvider", ["OIDCProviderName": "company", "ClientIds": "web", "NewDescription": "e", "IssuanceLimitTime": "1"],
                of: .ims)
            let listed = try await ram.call("ListOIDCProviders", of: .ims)
            #expect(listed.texts("OIDCProviders", "ClientIds") == ["web"])
            #expect(listed.texts("OIDCProviders", "Description") == ["e"])
            try await ram.call("DeleteOIDCProvider", ["OIDCProviderName": "company"], of: .ims)
            #expect(ram.cloud.directory.trusts[arn] == nil)
        }
    }

    @Test("SAML providers are created, changed and removed")
    func saml() async throws {
        try await RAMSandbox.run { ram async throws in
            let metadata = """
                <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example"><md:IDPSSODescriptor \
                protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo \
                xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>\(Self.certificate)</ds:X509Certificate>\
                </ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService \
                Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/sso"/></md:IDPSSODescriptor>\
                </md:EntityDescriptor>
                """
            let encoded = Array(metadata.utf8).base64
            let made = try await ram.call(
                "CreateSAMLProvider", ["SAMLProviderName": "company", "EncodedSAMLMetadataDocument": encoded, "Description": "d"], of: .ims)
            #expect(made.text("SAMLProvider", "Arn") == "acs:ram::\(RAMSandbox.account):saml-provider/company")
            let told = try await ram.call("GetSAMLProvider", ["SAMLProviderName": "company"], of: .ims)
            #expect(told.text("SAMLProvider", "EncodedSAMLMetadataDocument") == encoded)
            #expect(try await ram.refusal("UpdateSAMLProvider", ["SAMLProviderName": "company"], of: .ims) == "400 MissingNewDescription")
            try await ram.call("UpdateSAMLProvider", ["SAMLProviderName": "company", "NewDescription": "e"], of: .ims)
            #expect(try await ram.call("ListSAMLProviders", of: .ims).texts("SAMLProviders", "Description") == ["e"])
            try await ram.call("DeleteSAMLProvider", ["SAMLProviderName": "company"], of: .ims)
            #expect(try await ram.call("ListSAMLProviders", of: .ims).texts("SAMLProviders", "Arn").isEmpty)
        }
    }

    /// A self-signed certificate of no particular subject.
    private static let certificate = """
        MIIDDzCCAfegAwIBAgIUOui2wsQ/hzj64t114BqYeUTf67wwDQYJKoZIhvcNAQELBQAwFjEUMBIGA1UEAwwLaWRwLmV4YW1wbGUwIBcNMjYxMT\
        IyMTIwOTM4WhgPMjEyNjEwMjkxMjA5MzhaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\
        rIw28wObPP6pzYwMmxzvggRGKoNRiUAQYNnX/ZMe/vMLKgZSduChgxhpS6kkLYVWHPA015F46Stn0n6xfJOb+YrgVLYAGD8/MGvTT1A7sNKlGx\
        cBvEQSUpvMf8/vqMtZA8FKddlmJh9HhbuJxfF15H6kVasYldb2codWF0tx6dhz3QEzMc61x6UMYXmz/IF069hAH2cIWp784+z+ymFC9ucPIhTC\
        pVdamceUwyZzWSyL4D2mxeB8TkFLDSaFm+6E8Rjw87JSDEDSV15AQOr48CBgrO/38dQdsJ0/w377584JJl6LGHiEwr5L2gUqSLqk/WB+UGvMiK\
        6X7158xVLlFwIDAQABo1MwUTAdBgNVHQ4EFgQUI+02XUWQTUmjXNmZe+aUI+oBmqIwHwYDVR0jBBgwFoAUI+02XUWQTUmjXNmZe+aUI+oBmqIw\
        DwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAdFu+hg4c19Di/Qar2Hrre1/RobCYjv8NaEh6aN+95d6kJX/0+diydGIUWPibfI\
        PZMDmjtszP86JdFxzPstVDHa7c5ohc+6RLj7UpSveXmqCIMJsdrQEVEefHVCMar8EVIMCz9KwYgZreLU3U8vycYAh9U8uDt6lERJGICKonk/dt\
        aKqX+o2MfSy7fAzxSBb0X3UZXNS1qyb3hUVowYi05fAhb7PIgl1gYEccDX/ZJ1xgEGyzyLXuO0iWx8de+kE36KVsI+mV4UzIvNpc4GCatzlxKR\
        lyaUKNNmzYu8Z6P1LbTt/sC7P+a3tdAgy3eJ07WMQmo/JHdwaebfldt/FXZA==
        """

    @Test("the account summary contains counts and quotas")
    func summary() async throws {
        try await RAMSandbox.run { ram async throws in
            let summary = try await ram.call("GetAccountSummary", of: .ims)
            #expect(summary.text("SummaryMap", "Users") == "2")
            #expect(summary.text("SummaryMap", "Roles") == "1")
            #expect(summary.text("SummaryMap", "AccessKeysPerUserQuota") == "2")
        }
    }
}
