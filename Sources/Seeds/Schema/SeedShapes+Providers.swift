import Directory
import Tokens

extension SeedShapes {
    static let provider = SeedShape.object(
        "Identity provider",
        [
            SeedKey("name", .pattern("^[A-Za-z0-9._-]+$"), "The name; facebook, amazon and google are those providers.", required: true),
            SeedKey("kind", .words(IdentityProvider.Kind.allCases.map(\.rawValue)), "The kind; it follows from the name."),
            SeedKey("issuer", issuer, "The issuer's URL; required for openIDConnect."),
            SeedKey("clients", .list(Client.record.shape), "Relying parties."),
            SeedKey("people", .list(Person.record.shape), "Users who can log in."),
            SeedKey("tokenLifetime", .integer(1...315_360_000), "Seconds that tokens live."),
            SeedKey(
                "origins",
                .object(
                    "Origins of an issuer",
                    ["issuer", "browser", "backChannel"].map { SeedKey($0, .pattern("^https?://[^/?#@ ]+$"), "The origin of its URLs.") }),
                "Origins of the issuer's endpoints."),
            SeedKey("initialAccessToken", nonempty, "The token that client registration requires."),
            SeedKey(
                "accessTokenFormat", .words(IdentityProvider.AccessTokenFormat.allCases.map(\.rawValue)), "The format of access tokens."),
            SeedKey("requiresDPoPNonce", .flag, "Whether DPoP proofs need a nonce."),
            SeedKey(
                "signingAlgorithm", .words(SignatureAlgorithm.published.map(\.rawValue)), "The algorithm of the issuer's key."),
            SeedKey("saml", saml, "The issuer as SAML identity provider."),
        ])

    private static let url = SeedShape.pattern("^https?://[^#]+$")
    private static let seconds = SeedShape.integer(1...86_400)

    private static let saml = SeedShape.object(
        "SAML identity provider",
        [
            SeedKey("entityID", nonempty, "The entity ID; the metadata's URL by default."),
            SeedKey("serviceProviders", .list(serviceProvider), "Service providers."),
            SeedKey("wantsSignedRequests", .flag, "Whether requests must be signed."),
            SeedKey("signsMetadata", .flag, "Whether the metadata is signed."),
        ])

    private static let serviceProvider = SeedShape.object(
        "SAML service provider",
        [
            SeedKey("metadata", .text, "The metadata document."), SeedKey("entityID", nonempty, "The entity ID, without metadata."),
            SeedKey("name", .text, "The name on the login page."),
            SeedKey(
                "assertionConsumerServices",
                .list(
                    .either([
                        url,
                        .object(
                            "Assertion consumer service",
                            [
                                SeedKey("location", url, "The URL.", required: true), SeedKey("binding", .text, "post or redirect."),
                                SeedKey("index", .integer(0...65_535), "The index."),
                                SeedKey("isDefault", .flag, "Whether it is the default."),
                            ]),
                    ])), "Where responses are sent."),
            SeedKey(
                "singleLogoutServices",
                .list(
                    .object(
                        "Single logout service",
                        [
                            SeedKey("location", url, "The URL.", required: true), SeedKey("binding", .text, "post or redirect."),
                            SeedKey("responseLocation", url, "The URL for responses."),
                        ])), "Where logout requests are sent."),
            SeedKey("nameIDFormats", texts, "NameID formats, the preferred one first."),
            SeedKey("nameIDClaim", .text, "The claim that NameIDs are made of."),
            SeedKey(
                "attributes",
                .list(
                    .object(
                        "Attribute",
                        [
                            SeedKey("name", nonempty, "The name.", required: true),
                            SeedKey("nameFormat", .text, "unspecified, uri or basic."),
                            SeedKey("friendlyName", .text, "The friendly name."), SeedKey("claim", .text, "The claim with its values."),
                            SeedKey("values", texts, "Fixed values."),
                        ])), "Attributes of assertions."),
            SeedKey("signs", .list(.words(ServiceProvider.SignedPart.allCases.map(\.rawValue))), "What is signed."),
            SeedKey("signatureHash", .words(ServiceProvider.SignatureHash.allCases.map(\.rawValue)), "The hash of signatures."),
            SeedKey("encrypts", .flag, "Whether assertions are encrypted if a certificate is known."),
            SeedKey(
                "encryption",
                .object(
                    "Encryption of assertions",
                    [
                        SeedKey("certificate", .text, "The certificate, PEM or DER in base 64."),
                        SeedKey(
                            "content", .words(["aes128-cbc", "aes192-cbc", "aes256-cbc", "aes128-gcm", "aes192-gcm", "aes256-gcm"]),
                            "The cipher."), SeedKey("keyTransport", .words(["rsa-oaep-mgf1p", "rsa-oaep"]), "The key transport."),
                    ]), "How assertions are encrypted."),
            SeedKey("signingCertificates", texts, "Certificates that verify its requests."),
            SeedKey("requiresSignedRequests", .flag, "Whether its requests must be signed."),
            SeedKey("assertionLifetime", seconds, "Seconds that assertions are valid."),
            SeedKey("sessionLifetime", seconds, "Seconds until SessionNotOnOrAfter."),
        ])
}
