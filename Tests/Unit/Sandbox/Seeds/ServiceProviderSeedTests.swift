import Fixtures
import Testing
import Tokens
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Service providers in seeds and metadata")
struct ServiceProviderSeedTests {
    private static func read(_ text: String) throws -> ServiceProvider {
        try ServiceProvider(reading: Array(text.utf8), now: Timestamp(seconds: 1_800_000_000))
    }

    /// The certificate of an RSA key.
    private static let certificate = """
        MIIB+jCCAWOgAwIBAgIUalDSgWDAeMnzNQ+Y/n8memwq0uswDQYJKoZIhvcNAQELBQAwDjEMMAoGA1UEAwwDaWRwMCAXDTI2MTEyMjAyMzYxM1oYDzIxMjYx\
        MDI5MDIzNjEzWjAOMQwwCgYDVQQDDANpZHAwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAPVzqQGzTCuhy1ax0JOcDbVoBPKcJddN2Kd/6i/GcNV7f2dq\
        oKWHJjOzt152zEpMywPz26oGcCuFVUfvNBPgqOmc4IA7iS9gAjJDyIJ48xCYKbcBvoxLvzjRwE9bm/BOd/7Jzm8y3k3RD5LOlZ3+qAOqoMD0qciGfL0Ja5I7\
        c5YvAgMBAAGjUzBRMB0GA1UdDgQWBBRwb5YJxRA1EojvrK0CmQtDWvLkXzAfBgNVHSMEGDAWgBRwb5YJxRA1EojvrK0CmQtDWvLkXzAPBgNVHRMBAf8EBTAD\
        AQH/MA0GCSqGSIb3DQEBCwUAA4GBACuW+RwVgwx44yf8+NVPRW2dAt/B2BOVk80dKIq2PP5PDpTmWdij/BcoRSRXoK6lbNI4DbXhnUqJfIr3pRLPpCxK4PRa\
        cQSxI8qOoWdHEKynVyLkBpHbgCwKmd899pybtQOh1GcyDoCRcnfFhPS6sxjdMQzByX32aktZHTvMn3WQ
        """

    /// The certificate of a key on the curve P-256.
    private static let ellipticCertificate = """
        MIIBcTCCARegAwIBAgIUTWb5OuuVbgGvqOO7DP1flkmnILcwCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCc3AwIBcNMjYxMTIyMDcyODU0WhgPMjEyNjEwMj\
        kwNzI4NTRaMA0xCzAJBgNVBAMMAnNwMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJHVqwh5asCJG8F1KgzICUpLCLpYf7IGNCSWKXECPvb+nZwEDSlm7\
        xWwD6xjq1nskmsyPjOKi4iwUe23dUlSxHaNTMFEwHQYDVR0OBBYEFHwJ3SK0fzgWpZZssl8qzQVwe0BnMB8GA1UdIwQYMBaAFHwJ3SK0fzgWpZZssl8qzQ\
        Vwe0BnMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhANbixcge59/gidWs98S7Gjru90fLXoCd9ywFuTg1kp9RAiB+mmOXJ//1ar1rmgwg\
        5j93PNl2H8RrkF2KojeBOVyh0g==
        """

    static let metadata = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- as Shibboleth writes it -->
        <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"
            xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui" entityID="https://sp.example/shibboleth" validUntil="2030-01-01T00:00:00Z">
          <md:SPSSODescriptor AuthnRequestsSigned="1" WantAssertionsSigned="true"
              protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol">
            <md:Extensions><mdui:UIInfo><mdui:DisplayName xml:lang="de">Dienst</mdui:DisplayName>
              <mdui:DisplayName xml:lang="en"> The Service </mdui:DisplayName></mdui:UIInfo></md:Extensions>
            <md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>
              \(certificate)
            </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
            <md:KeyDescriptor><ds:KeyInfo><ds:KeyName>k</ds:KeyName><ds:X509Data>
              <ds:X509Certificate>\(certificate)</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
              <md:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#tripledes-cbc"/>
              <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes128-gcm"/>
              <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#rsa-oaep"/></md:KeyDescriptor>
            <md:ArtifactResolutionService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://sp.example/art" index="1"/>
            <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://sp.example/soap"/>
            <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://sp.example/slo"
                ResponseLocation="https://sp.example/slo/done"/>
            <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:transient</md:NameIDFormat>
            <md:NameIDFormat>urn:example:own</md:NameIDFormat>
            <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/first" index="1"/>
            <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact" Location="https://sp.example/a" index="2"/>
            <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:PAOS" Location="https://sp.example/ecp" index="3"/>
            <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/second" index="4"
                isDefault="true"/>
          </md:SPSSODescriptor>
        </md:EntityDescriptor>
        """

    @Test("metadata contain all settings")
    func reading() throws {
        let provider = try Self.read(Self.metadata)
        #expect(provider.entityID == "https://sp.example/shibboleth")
        #expect(provider.name == "The Service")
        #expect(provider.assertionConsumerServices.map(\.index) == [1, 4])
        #expect(provider.defaultConsumerService?.location == "https://sp.example/second")
        #expect(
            provider.singleLogoutServices == [
                SingleLogoutService(
                    location: "https://sp.example/slo", binding: .httpRedirect, responseLocation: "https://sp.example/slo/done")
            ])
        #expect(provider.nameIDFormats == [.transient])
        #expect(provider.signsRequests)
        // What is not supported is kept, so that requests for it can be refused by name.
        let bindings = "urn:oasis:names:tc:SAML:2.0:bindings:"
        #expect(
            provider.unsupportedEndpoints == [
                .init(kind: .assertionConsumerService, binding: bindings + "HTTP-Artifact", location: "https://sp.example/a", index: 2),
                .init(kind: .assertionConsumerService, binding: bindings + "PAOS", location: "https://sp.example/ecp", index: 3),
                .init(kind: .singleLogoutService, binding: bindings + "SOAP", location: "https://sp.example/soap"),
            ])
        #expect(provider.signingCertificates == [Self.certificate, Self.certificate])
        #expect(provider.encryption == AssertionEncryption(certificate: Self.certificate, content: .aes128GCM, keyTransport: .oaepSHA256))
    }

    @Test("encryption uses an RSA key")
    func encryptionKeys() throws {
        let elliptic = Self.metadata.replacing(Self.certificate, with: Self.ellipticCertificate)
        let provider = try Self.read(elliptic)
        #expect(provider.signingCertificates == [Self.ellipticCertificate, Self.ellipticCertificate])
        #expect(provider.encryption == nil)
        let error = try #require(throws: SeedError.self) {
            try Self.read(elliptic.replacing("<md:KeyDescriptor>", with: "<md:KeyDescriptor use=\"encryption\">"))
        }
        #expect(error.expected.contains("whose key is one of RSA"))
    }

    @Test("metadata in another encoding are refused")
    func encoding() throws {
        let text = Array(Self.metadata.utf8).map { $0 == UInt8(ascii: "D") ? 0xFC : $0 }
        let error = try #require(throws: SeedError.self) { try ServiceProvider(reading: text, now: Timestamp(seconds: 1_800_000_000)) }
        #expect(error.expected == "metadata in UTF-8")
    }

    @Test("a list with one entity is read like that entity")
    func list() throws {
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        let inner = Self.metadata.replacing(declaration, with: "")
        let outer = "<EntitiesDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\">\(inner)</EntitiesDescriptor>"
        #expect(try Self.read(outer) == Self.read(Self.metadata))
        #expect(throws: SeedError.self) {
            try Self.read("<EntitiesDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\">\(inner)\(inner)</EntitiesDescriptor>")
        }
    }

    @Test(
        "unusable metadata are refused with the expected value",
        arguments: [
            ("https://sp.example/shibboleth\"", "\"", "entityID"), ("2030-01-01", "2020-01-01", "still valid"),
            ("2030-01-01T00:00:00Z", "tomorrow", "validUntil"), ("SAML:2.0:protocol", "SAML:3.0:protocol", "one SPSSODescriptor"),
            ("AuthnRequestsSigned=\"1\"", "AuthnRequestsSigned=\"yes\"", "true or false as AuthnRequestsSigned"),
            ("https://sp.example/first", "javascript:alert(1)", "absolute http or https URL"),
            ("https://sp.example/first", "https://sp.example/first#x", "absolute http or https URL"),
            ("index=\"4\"", "index=\"1\"", "different index"), ("index=\"4\"", "", "an index"),
            ("bindings:HTTP-POST", "bindings:PAOS", "binding HTTP-POST"), (certificate, "?", "base 64"),
            (certificate, "MAA=", "base 64"), (certificate, "", "base 64"),
            ("use=\"signing\"", "use=\"x\"", "for signing or"),
            ("nameid-format:transient", "nameid-format:kerberos", "a NameIDFormat that is supported"),
            ("xmlenc11#aes128-gcm", "xmlenc11#other-gcm", "an EncryptionMethod for assertions"),
            ("xmlenc11#rsa-oaep", "xmlenc#rsa-1_5", "an EncryptionMethod for keys"),
            ("<!-- as", "<!DOCTYPE x><!-- as", "without a document type"),
            ("SAML:2.0:metadata", "SAML:9.0:metadata", "EntityDescriptor of"),
        ])
    func faults(found: String, changed: String, expected: String) throws {
        let error = try #require(throws: SeedError.self) { try Self.read(Self.metadata.replacing(found, with: changed)) }
        #expect(error.expected.contains(expected), "\(error.expected)")
    }

    @Test("a key without a certificate, and required signatures without a key, are refused")
    func keys() throws {
        let entity = """
            <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:a">
              <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="true">
                <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://a.example/" index="7"/>
              </SPSSODescriptor></EntityDescriptor>
            """
        let unsigned = try #require(throws: SeedError.self) { try Self.read(entity) }
        #expect(unsigned.place == "AuthnRequestsSigned")
        #expect(unsigned.expected.contains("a KeyDescriptor for signing"))
        let keyName = "<KeyDescriptor use=\"signing\"><KeyInfo xmlns=\"http://www.w3.org/2000/09/xmldsig#\"/></KeyDescriptor>"
        let named = try #require(throws: SeedError.self) {
            try Self.read(entity.replacing("<AssertionConsumerService", with: keyName + "<AssertionConsumerService"))
        }
        #expect(named.expected == "an X509Certificate in each KeyDescriptor")
        // Members can provide what the metadata lack.
        let text = JSONValue.string(entity).serialized()
        #expect(try Self.read("{metadata: \(text), requiresSignedRequests: false}").signsRequests == false)
        #expect(try Self.read("{metadata: \(text), signingCertificates: ['\(Self.certificate)']}").signsRequests)
    }

    @Test("documents have all members, and can be read again")
    func roundTrip() throws {
        let provider = try Self.read(Self.metadata)
        let json = try ServiceProvider.record.json(of: provider)
        #expect(json["encrypts"] == true)
        #expect(json["unsupportedEndpoints"]?.arrayValue?.count == 3)
        let read = try ServiceProvider(reading: JSONValue.object(json).serializedBytes(), now: Timestamp(seconds: 1_800_000_000))
        #expect(read == provider)
    }

    @Test("members override the metadata")
    func overriding() throws {
        let text = JSONValue.string(Self.metadata).serialized()
        let provider = try Self.read(
            """
            {metadata: \(text), name: "Ours", assertionConsumerServices: ["http://localhost/acs"], encrypts: false, requiresSignedRequests: false,
             nameIDFormats: ["persistent"], signs: ["response"], signatureHash: "sha512", assertionLifetime: 60, sessionLifetime: 600}
            """)
        #expect(provider.entityID == "https://sp.example/shibboleth")
        #expect(provider.name == "Ours")
        #expect(provider.encryption == nil)
        #expect(provider.assertionConsumerServices == [AssertionConsumerService(location: "http://localhost/acs", index: 0)])
        #expect(!provider.signsRequests)
        #expect(provider.nameIDFormats == [.persistent])
        #expect(provider.signedParts == [.response])
        #expect(provider.signatureHash == .sha512)
        #expect(provider.assertionLifetime == 60)
        #expect(provider.sessionLifetime == 600)
        #expect(provider.singleLogoutServices.count == 1, "what is not named stays")
        let encrypted = try Self.read("{metadata: \(text), encryption: {content: \"aes256-cbc\"}}")
        #expect(encrypted.encryption == AssertionEncryption(certificate: Self.certificate, content: .aes256CBC))
    }

    @Test(
        "unusable members are refused with their place",
        arguments: [
            ("entityID: ''", "entityID", "an entity identifier"), ("entityID: 'a\\u0001'", "entityID", "an entity identifier"),
            (
                "entityID: 'a', assertionConsumerServices: ['https://a', {location: 'https://b', index: 0}]", "assertionConsumerServices",
                "endpoints of different index"
            ),
            ("entityID: 'a', assertionConsumerServices: []", "assertionConsumerServices", "at least one"),
            ("entityID: 'a', assertionConsumerServices: ['/acs']", "assertionConsumerServices[0]", "an absolute http or https URL"),
            (
                "entityID: 'a', assertionConsumerServices: [{location: 'https://a', binding: 'soap'}]",
                "assertionConsumerServices[0].binding", "post or redirect"
            ),
            ("entityID: 'a', assertionConsumerServices: ['https://a'], signs: ['x']", "signs[0]", ""),
            ("entityID: 'a', assertionConsumerServices: ['https://a'], nameIDFormats: ['x']", "nameIDFormats[0]", "unspecified"),
            ("entityID: 'a', assertionConsumerServices: ['https://a'], attributes: [{name: 'x'}]", "attributes[0].claim", "a claim's name"),
            ("entityID: 'a', assertionConsumerServices: ['https://a'], encryption: {}", "encryption", "a certificate"),
            (
                "entityID: 'a', assertionConsumerServices: ['https://a'], encrypts: true", "encrypts",
                "a certificate for encryption in encryption or metadata"
            ),
            (
                "entityID: 'a', assertionConsumerServices: ['https://a'], encrypts: false, encryption: {certificate: '\(certificate)'}",
                "encryption", "nothing, since encrypts is false"
            ),
            (
                "entityID: 'a', assertionConsumerServices: ['https://a'], requiresSignedRequests: true", "requiresSignedRequests",
                "signingCertificates that verify"
            ),
            (
                "entityID: 'a', assertionConsumerServices: ['https://a'], nameIDFormats: ['kerberos']", "nameIDFormats[0]",
                "persistent or transient"
            ),
            (
                "entityID: 'a', assertionConsumerServices: ['https://a'], encryption: {certificate: 'x'}", "encryption.certificate",
                "a certificate"
            ),
            ("entityID: 'a', assertionConsumerServices: ['https://a'], signingCertificates: ['x']", "signingCertificates", "a certificate"),
            ("entityID: 'a', assertionConsumerServices: ['https://a'], assertionLifetime: 0", "assertionLifetime", "seconds from 1"),
            ("entityID: 'a', assertionConsumerServices: ['https://a'], acs: 'x'", "acs", "one of the keys metadata, entityID"),
            ("metadata: '<x/>'", "metadata", "an EntityDescriptor"),
        ])
    func members(text: String, place: String, expected: String) throws {
        let error = try #require(throws: SeedError.self) { try Self.read("{\(text)}") }
        #expect(error.place == place, "\(error)")
        #expect(error.expected.contains(expected), "\(error)")
    }

    @Test("service providers are kept across a restart")
    func persistence() async throws {
        try await withTemporaryFolder { folder async throws in
            let text = JSONValue.string(Self.metadata).serialized()
            let seed = try SeedFile(
                name: "seed",
                text: Array("{identityProviders: [{name: 'a', issuer: 'https://a', saml: {serviceProviders: [{metadata: \(text)}]}}]}".utf8)
            ).decode()
            let first = try await Cloud.open(folder: folder, seeds: [seed])
            let saml = try #require(first.directory.providers["a"]?.saml)
            await first.close()
            let second = try await Cloud.open(folder: folder, seeds: [])
            #expect(second.directory.providers["a"]?.saml == saml)
            await second.close()
        }
    }

    @Test(
        "providers that are named twice, and references to unknown ones, are reported",
        arguments: [
            (
                "{identityProviders: [{name: 'a', issuer: 'https://a', saml: {serviceProviders: [{entityID: 'x', assertionConsumerServices: ['https://x']}, {entityID: 'x', assertionConsumerServices: ['https://x']}]}}]}",
                "identityProviders[0].saml.serviceProviders[1].entityID"
            ),
            (
                "{accounts: [{id: '000000000000', samlProviders: [{name: 'a', identityProvider: 'b', metadata: '<x/>'}]}]}",
                "accounts[0].samlProviders[0].metadata"
            ),
        ])
    func duplicates(text: String, place: String) throws {
        let error = try #require(throws: SeedError.self) { try SeedFile(name: "seed", text: Array(text.utf8)).decode() }
        #expect(error.place == place)
    }

    @Test("an account can refer to a provider of this sandbox with a fixed entity identifier", arguments: ["", "saml: {}"])
    func references(saml: String) async throws {
        let text = """
            {accounts: [{id: "000000000000", samlProviders: [{name: "idp", identityProvider: "a"}]}],
             identityProviders: [{name: "a", issuer: "https://a", \(saml)}]}
            """
        let seed = try SeedFile(name: "seed", text: Array(text.utf8)).decode()
        let error = try #require(throws: SeedError.self) { try Seed.checkTogether([seed]) }
        #expect(error.place == "accounts[0].samlProviders[0].identityProvider")
    }
}
