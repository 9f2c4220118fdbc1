import Cloud
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("IAM identity providers")
struct ProviderTests {
    private static let arn = "arn:aws:iam::000000000000:oidc-provider/login.example/a"

    private func create(_ iam: RolesSandbox) async throws -> STSAnswer {
        try await iam.call(
            "CreateOpenIDConnectProvider",
            [
                "Url": "https://login.example/a", "ClientIDList.member.1": "web", "ClientIDList.member.2": "web",
                "ThumbprintList.member.1": String(repeating: "a", count: 40),
            ])
    }

    @Test("of OpenID Connect are created, changed and removed")
    func openIDConnect() async throws {
        try await RolesSandbox.run { iam async throws in
            #expect(try await create(iam)["OpenIDConnectProviderArn"] == Self.arn)
            let again = try await create(iam)
            #expect(again.status == 409)
            #expect(again.message == "Provider with url https://login.example/a already exists.")
            let provider: FormFields = ["OpenIDConnectProviderArn": Self.arn]
            func with(_ more: FormFields) -> FormFields {
                var all = provider
                all.fields += more.fields
                return all
            }
            try await iam.done("AddClientIDToOpenIDConnectProvider", with(["ClientID": "cli"]))
            try await iam.done("AddClientIDToOpenIDConnectProvider", with(["ClientID": "cli"]))
            try await iam.done("RemoveClientIDFromOpenIDConnectProvider", with(["ClientID": "web"]))
            try await iam.done("RemoveClientIDFromOpenIDConnectProvider", with(["ClientID": "nothing"]))
            try await iam.done("TagOpenIDConnectProvider", with(["Tags.member.1.Key": "k", "Tags.member.1.Value": "v"]))
            let found = try await iam.done("GetOpenIDConnectProvider", provider)
            #expect(found["Url"] == "login.example/a")
            #expect(found.element("ClientIDList")?.children.map(\.text) == ["cli"])
            #expect(found["Key"] == "k")
            let six: FormFields = .init(
                dictionaryLiteral: ("ThumbprintList.member.1", String(repeating: "1", count: 40)),
                ("ThumbprintList.member.2", String(repeating: "2", count: 40)),
                ("ThumbprintList.member.3", String(repeating: "3", count: 40)),
                ("ThumbprintList.member.4", String(repeating: "4", count: 40)),
                ("ThumbprintList.member.5", String(repeating: "5", count: 40)),
                ("ThumbprintList.member.6", String(repeating: "6", count: 40)))
            let many = try await iam.call("UpdateOpenIDConnectProviderThumbprint", with(six))
            #expect(many.code == "InvalidInput")
            #expect(many.message == "Thumbprint list must contain fewer than 5 entries.")
            let none = try await iam.call("UpdateOpenIDConnectProviderThumbprint", with(["ThumbprintList": ""]))
            #expect(none.code == "InvalidInput")
            #expect(none.message == "Thumbprint list must contain at least one entry.")
            #expect(try await iam.done("ListOpenIDConnectProviders").all("Arn") == [Self.arn])
            try await iam.done("DeleteOpenIDConnectProvider", provider)
            let gone = try await iam.call("GetOpenIDConnectProvider", provider)
            #expect(gone.status == 404)
            #expect(gone.message == "OpenIDConnect Provider not found for arn \(Self.arn)")
            for action in ["DeleteOpenIDConnectProvider", "ListOpenIDConnectProviderTags"] {
                #expect(
                    try await iam.call(action, provider).message == "OpenId connect Provider \(Self.arn) cannot be found.", "\(action)")
            }
        }
    }

    @Test(
        "of OpenID Connect map each claim to a key of its own",
        arguments: [("b", true), ("TEAM", false), ("team", false), (nil, true)] as [(String?, Bool)])
    func contextKeys(target: String?, isTaken: Bool) async throws {
        try await RolesSandbox.run { iam async throws in
            let list = "ContextProvider.KeyDefinitionList.member"
            var parameters: FormFields = [
                "Url": "https://login.example/a", "ThumbprintList.member.1": String(repeating: "a", count: 40),
                "ContextProvider.SubjectSourceKey": "sub", "\(list).1.SourceKey": "a",
                "\(list).1.TargetKey": "team", "\(list).2.SourceKey": "b",
            ]
            if let target { parameters.fields.append(.init(name: "\(list).2.TargetKey", value: target)) }
            let answer = try await iam.call("CreateOpenIDConnectProvider", parameters)
            #expect(answer.code == (isTaken ? nil : "InvalidInput"), "\(answer.message ?? "")")
        }
    }

    @Test("of OpenID Connect are stored without port 443 and with lowercase thumbprints")
    func normalization() async throws {
        try await RolesSandbox.run { iam async throws in
            let upper = String(repeating: "AB", count: 20)
            let parameters: FormFields = ["Url": "https://login.example:443/a", "ThumbprintList.member.1": upper]
            #expect(try await iam.done("CreateOpenIDConnectProvider", parameters)["OpenIDConnectProviderArn"] == Self.arn)
            let found = try await iam.done("GetOpenIDConnectProvider", ["OpenIDConnectProviderArn": Self.arn])
            #expect(found["Url"] == "login.example/a")
            #expect(found.element("ThumbprintList")?.children.map(\.text) == [upper.lowercased()])
            #expect(found.element("ClientIDList")?.children.isEmpty == true)
            #expect(found.element("Tags")?.children.isEmpty == true)
            let update: FormFields = [
                "OpenIDConnectProviderArn": Self.arn, "ThumbprintList.member.1": String(repeating: "CD", count: 20),
            ]
            try await iam.done("UpdateOpenIDConnectProviderThumbprint", update)
            let updated = try await iam.done("GetOpenIDConnectProvider", ["OpenIDConnectProviderArn": Self.arn])
            #expect(updated.element("ThumbprintList")?.children.map(\.text) == [String(repeating: "cd", count: 20)])
        }
    }

    @Test(
        "have https URLs without port and query, unless the sandbox allows others",
        arguments: [
            ("https://a.example", true, true), ("https://a.example/b/c", true, true), ("http://a.example", false, true),
            ("https://a.example:8443", false, true), ("http://localhost:9000/realms/x", false, true), ("https://", false, false),
            ("https://a.example?x=1", false, false), ("https://a.example#x", false, false), ("https://u@a.example", false, false),
            ("ftp://a.example", false, false), ("a.example", false, false), ("https://a b", false, false),
        ])
    func urls(url: String, strictly: Bool, overHTTP: Bool) async throws {
        for (isTaken, setting) in [(strictly, false), (overHTTP, true)] {
            try await RolesSandbox.run(overHTTP: setting) { iam async throws in
                let answer = try await iam.call("CreateOpenIDConnectProvider", ["Url": url])
                #expect((answer.status == 200) == isTaken)
                if !isTaken { #expect(answer.message?.hasPrefix("Invalid Open ID Connect Provider URL") == true) }
            }
        }
    }

    @Test(
        "are refused for an invalid URL with one of three messages",
        arguments: [
            ("a.example", "ValidationError", ""), ("https://", "ValidationError", ""),
            ("http://a.example", "InvalidInput", ". The URL must begin with https://."), ("https://a.example?x=1", "InvalidInput", "."),
            ("https://a.example#x", "InvalidInput", "."), ("https://u:p@a.example", "InvalidInput", "."),
            ("https://a.example:8443", "InvalidInput", "."),
        ])
    func wrongURL(_ url: String, _ code: String, _ end: String) async throws {
        try await RolesSandbox.run { iam async throws in
            let answer = try await iam.call("CreateOpenIDConnectProvider", ["Url": url])
            #expect(answer.status == 400)
            #expect(answer.code == code)
            #expect(answer.message == "Invalid Open ID Connect Provider URL" + end)
        }
    }

    @Test("of SAML need the metadata of a provider that signs")
    func saml() async throws {
        try await RolesSandbox.run { iam async throws in
            let metadata = Metadata.document(Metadata.rsa1024)
            let made = try await iam.done("CreateSAMLProvider", ["Name": "idp", "SAMLMetadataDocument": metadata])
            let arn = "arn:aws:iam::000000000000:saml-provider/idp"
            #expect(made["SAMLProviderArn"] == arn)
            let found = try await iam.done("GetSAMLProvider", ["SAMLProviderArn": arn])
            #expect(found["SAMLMetadataDocument"] == metadata)
            #expect(found["ValidUntil"] != nil)
            #expect(
                try await iam.call("CreateSAMLProvider", ["Name": "idp", "SAMLMetadataDocument": metadata]).code == "EntityAlreadyExists")
            let until = Metadata.document(Metadata.rsa1024, #" validUntil="2040-01-02T03:04:05Z""#)
            try await iam.done("UpdateSAMLProvider", ["SAMLProviderArn": arn, "SAMLMetadataDocument": until])
            #expect(try await iam.done("ListSAMLProviders")["ValidUntil"] == "2040-01-02T03:04:05Z")
            try await iam.done("TagSAMLProvider", ["SAMLProviderArn": arn, "Tags.member.1.Key": "k", "Tags.member.1.Value": "v"])
            #expect(try await iam.done("ListSAMLProviderTags", ["SAMLProviderArn": arn]).all("Key") == ["k"])
            try await iam.done("DeleteSAMLProvider", ["SAMLProviderArn": arn])
            let gone = try await iam.call("GetSAMLProvider", ["SAMLProviderArn": arn])
            #expect(gone.status == 404)
            #expect(gone.message == "Manifest not found for arn \(arn)")
        }
    }

    @Test("of SAML are refused without a valid signing certificate", arguments: Metadata.faulty)
    func faultyMetadata(metadata: String) async throws {
        try await RolesSandbox.run { iam async throws in
            let answer = try await iam.call("CreateSAMLProvider", ["Name": "idp", "SAMLMetadataDocument": metadata])
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidInput")
            #expect(answer.message == "Could not parse metadata")
            let short = try await iam.call("CreateSAMLProvider", ["Name": "idp", "SAMLMetadataDocument": "<x/>"])
            #expect(short.code == "ValidationError")
        }
    }
}

/// Metadata of identity providers for these tests.
private enum Metadata {
    static let rsa1024 = """
        MIIB+jCCAWOgAwIBAgIUalDSgWDAeMnzNQ+Y/n8memwq0uswDQYJKoZIhvcNAQELBQAwDjEMMAoGA1UEAwwDaWRwMCAXDTI2MTEyMjAyMzYxM1oYDzIxMjYx
        MDI5MDIzNjEzWjAOMQwwCgYDVQQDDANpZHAwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAPVzqQGzTCuhy1ax0JOcDbVoBPKcJddN2Kd/6i/GcNV7f2dq
        oKWHJjOzt152zEpMywPz26oGcCuFVUfvNBPgqOmc4IA7iS9gAjJDyIJ48xCYKbcBvoxLvzjRwE9bm/BOd/7Jzm8y3k3RD5LOlZ3+qAOqoMD0qciGfL0Ja5I7
        c5YvAgMBAAGjUzBRMB0GA1UdDgQWBBRwb5YJxRA1EojvrK0CmQtDWvLkXzAfBgNVHSMEGDAWgBRwb5YJxRA1EojvrK0CmQtDWvLkXzAPBgNVHRMBAf8EBTAD
        AQH/MA0GCSqGSIb3DQEBCwUAA4GBACuW+RwVgwx44yf8+NVPRW2dAt/B2BOVk80dKIq2PP5PDpTmWdij/BcoRSRXoK6lbNI4DbXhnUqJfIr3pRLPpCxK4PRa
        cQSxI8qOoWdHEKynVyLkBpHbgCwKmd899pybtQOh1GcyDoCRcnfFhPS6sxjdMQzByX32aktZHTvMn3WQ
        """
    private static let rsa512 = """
        MIIBdTCCAR+gAwIBAgIUUPBU9om6xgwk0HixsjsOQNZlgOEwDQYJKoZIhvcNAQELBQAwDjEMMAoGA1UEAwwDaWRwMCAXDTI2MTEyMjAyMzYxM1oYDzIxMjYx
        MDI5MDIzNjEzWjAOMQwwCgYDVQQDDANpZHAwXDANBgkqhkiG9w0BAQEFAANLADBIAkEAszkoSUvI9b96E2gpfejLzD3lWjEa+Q1NkGg8VOC0Mb5Io/44uGUl
        fDxO5z7EkK1O9jZI24Os9JRBPGRcYkoAEQIDAQABo1MwUTAdBgNVHQ4EFgQU32lmMdGPADY/S5uH0kdgVZ99LAcwHwYDVR0jBBgwFoAU32lmMdGPADY/S5uH
        0kdgVZ99LAcwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAANBAKsew4BPEAFkuFBbyXVUjubcm8k4HO1ReVU2hczGhRskm0IwoxjyV/AZrbZsDaBh
        t0EwH1k/AoV669crIh4AGw8=
        """
    private static let filler = "<!-- " + String(repeating: "x", count: 1000) + " -->"

    static func document(_ certificate: String, _ attributes: String = "", use: String = "signing") -> String {
        """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example"\(attributes)>
        <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="\(use)">
        <KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>\(certificate)</X509Certificate></X509Data></KeyInfo>
        </KeyDescriptor></IDPSSODescriptor></EntityDescriptor>\(filler)
        """
    }

    static let faulty = [
        document(rsa512), document("AAAA"), document("no base 64!"), document(String(rsa1024.dropLast(40))),
        document(rsa1024, use: "encryption"),
        document(rsa1024).replacing("IDPSSODescriptor", with: "SPSSODescriptor"), document(rsa1024).replacing("entityID", with: "name"),
        document(rsa1024).replacing("SAML:2.0:metadata", with: "SAML:1.1:metadata"), document(rsa1024) + "<", filler,
        document(rsa1024, #" validUntil="tomorrow""#), "\u{FEFF}" + document(rsa1024),
    ]
}
