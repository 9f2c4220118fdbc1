package import Directory
import Tokens
import WireFormats

extension ServiceProvider {
    /// Service providers in seeds, described by their metadata, by single members, or by metadata and members that override it.
    package static let record = SeedRecord<ServiceProvider>(
        "SAML service provider", blank: ServiceProvider(entityID: "", name: "", assertionConsumerServices: []),
        fields: [
            metadataField,
            entityIDField,
            .defaulted("name", \.name, Codec.text, "The name on the login page.", isAlwaysWritten: true),
            .defaulted("assertionConsumerServices", \.assertionConsumerServices, consumerServices, "Where responses are sent."),
            .defaulted(
                "singleLogoutServices", \.singleLogoutServices, Codec.list(SingleLogoutService.record),
                "Where logout requests are sent."),
            .defaulted(
                "unsupportedEndpoints", \.listedUnsupportedEndpoints, Codec.list(UnsupportedEndpoint.record),
                "Endpoints whose bindings are not supported, from the metadata."),
            .defaulted("nameIDFormats", \.nameIDFormats, formats, "NameID formats, the preferred one first."),
            .optional("nameIDClaim", \.nameIDClaim, Codec.text, "The claim that NameIDs are made of."),
            .optional("attributes", \.attributes, Codec.list(AttributeMapping.record), "Attributes of assertions."),
            .defaulted("signs", \.signs, parts, "What is signed.", isAlwaysWritten: true),
            .defaulted(
                "signatureHash", \.signatureHash, Codec.word(SignatureHash.self), "The hash of signatures.", isAlwaysWritten: true),
            .defaulted(
                "encrypts", \.encrypts, Codec.flag, "Whether assertions are encrypted; the default is true with a certificate for it.",
                isAlwaysWritten: true),
            .optional(
                "encryption", \.givenEncryption, Codec.record(AssertionEncryption.record), "How assertions are encrypted."),
            .defaulted("signingCertificates", \.signingCertificates, certificates, "Certificates that verify its requests."),
            .defaulted(
                "requiresSignedRequests", \.signsRequests, Codec.flag, "Whether its requests must be signed.", isAlwaysWritten: true),
            .defaulted(
                "assertionLifetime", \.assertionLifetime, seconds, "Seconds that assertions are valid.", isAlwaysWritten: true),
            .optional("sessionLifetime", \.sessionLifetime, seconds, "Seconds until SessionNotOnOrAfter."),
        ]
    ) { provider, members in try provider.finish(members) }

    private static let seconds = Codec.integer(1...86_400, "seconds")

    /// The metadata, which has the defaults of the other fields.
    private static let metadataField = SeedField<ServiceProvider>(
        name: "metadata", shape: .text, sentence: "The metadata document.", isRequired: false, isOmittedAtDefault: false,
        read: { members, provider in try readMetadata(members, into: &provider) }, write: { _ in JSONValue?.none })

    private static func readMetadata(_ members: SeedMembers, into provider: inout ServiceProvider) throws {
        guard let text: String = try members.decode(ifThere: FieldName("metadata")) else { return }
        do {
            provider = try ServiceProviderMetadata(text).serviceProvider
        } catch {
            throw members.fault("metadata", expecting: error.description)
        }
    }

    /// The entity ID, unless the metadata has it.
    private static let entityIDField: SeedField<ServiceProvider> = {
        let field = SeedField<ServiceProvider>.required(
            "entityID", \.entityID, SAMLIdentityProvider.entityIDCodec, "The entity ID, without metadata.")
        return SeedField<ServiceProvider>(
            name: field.name, shape: field.shape, sentence: field.sentence, isRequired: false, isOmittedAtDefault: false,
            read: { members, provider in
                if provider.entityID.isEmpty { return try field.read(members, &provider) }
                guard !members.has("entityID") else {
                    throw members.fault("entityID", expecting: "no entity identifier, since the metadata has one")
                }
            },
            write: field.write)
    }()

    /// Endpoints: objects, or only URLs for the binding HTTP-POST.
    private static let consumerServices: FieldCodec<[AssertionConsumerService]> = Codec.elements(
        .either([webAddress.shape, AssertionConsumerService.record.shape]),
        read: { decoder in
            guard let location = try? decoder.singleValueContainer().decode(String.self) else {
                return try AssertionConsumerService.record.decode(from: decoder)
            }
            guard ServiceProviderMetadata.isWebAddress(location) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: addressForm))
            }
            return AssertionConsumerService(location: location, index: AssertionConsumerService.indexOfPlace)
        },
        write: { JSONValue.object(try AssertionConsumerService.record.json(of: $0)) })

    /// Name ID formats: their identifiers, or the last parts of them.
    private static let formats: FieldCodec<[SAML.NameIDFormat]> = Codec.elements(
        .text,
        read: { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            let supported = SAML.NameIDFormat.allCases.filter(\.isSupported)
            guard let format = supported.first(where: { $0.rawValue == text || $0.rawValue.hasSuffix(":\(text)") }) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "unspecified, emailAddress, WindowsDomainQualifiedName, persistent or transient")
            }
            return format
        },
        write: { JSONValue.string($0.rawValue) })

    private static let parts: FieldCodec<[SignedPart]> = Codec.elements(
        .words(SignedPart.allCases.map(\.rawValue)), read: { try SignedPart(from: $0) }, write: { JSONValue.string($0.rawValue) })

    private var signs: [SignedPart] {
        get { signedParts.sorted { $0.rawValue < $1.rawValue } }
        set { signedParts = Set(newValue) }
    }

    private var listedUnsupportedEndpoints: [UnsupportedEndpoint] {
        get { unsupportedEndpoints ?? [] }
        set { unsupportedEndpoints = newValue.isEmpty ? nil : newValue }
    }

    /// Whether assertions are encrypted; ``finish(_:)`` reads it.
    private var encrypts: Bool {
        get { encryption != nil }
        set {}
    }

    /// The encryption. The certificate is that of the metadata if there is no other.
    private var givenEncryption: AssertionEncryption? {
        get { encryption }
        set {
            guard var given = newValue else { return }
            if given.certificate.isEmpty, let encryption { given.certificate = encryption.certificate }
            encryption = given
        }
    }

    private static let certificates = FieldCodec<[String]>(
        shape: Codec.texts.shape, expected: nil,
        read: { members, key in
            try Codec.texts.read(members, key)?.map { text in
                guard let certificate = bareCertificate(text) else { throw members.fault(key.stringValue, expecting: certificateForm) }
                return certificate
            }
        },
        write: Codec.texts.write)

    private mutating func finish(_ members: SeedMembers) throws {
        if name.isEmpty, !members.has("name") { name = entityID }
        let (key, expected) = (FieldName("assertionConsumerServices"), "at least one URL that takes responses")
        if assertionConsumerServices.isEmpty {
            if members.contains(key) { try members.refuse(key, expecting: expected) }
            try members.reportMissing(key, expecting: expected)
        }
        for index in assertionConsumerServices.indices
        where assertionConsumerServices[index].index == AssertionConsumerService.indexOfPlace {
            assertionConsumerServices[index].index = index
        }
        guard Set(assertionConsumerServices.map(\.index)).count == assertionConsumerServices.count else {
            throw members.fault("assertionConsumerServices", expecting: "endpoints of different index")
        }
        guard encryption?.certificate != "" else { throw members.fault("encryption", expecting: "a certificate to encrypt with") }
        let encrypts: Bool? = try members.decode(ifThere: FieldName("encrypts"))
        guard encrypts != true || encryption != nil else {
            throw members.fault("encrypts", expecting: "false, or a certificate for encryption in encryption or metadata")
        }
        if encrypts == false {
            guard !members.has("encryption") else { throw members.fault("encryption", expecting: "nothing, since encrypts is false") }
            encryption = nil
        }
        guard !canNeverSign else {
            throw members.fault(
                "requiresSignedRequests", expecting: "false, or signingCertificates that verify the signatures of requests")
        }
    }
}

private let certificateForm = "a certificate, PEM or DER in base 64"

/// Returns a certificate's DER in base 64 without white space, given PEM or base 64.
private func bareCertificate(_ text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
    let bare = lines.joined().filter { !$0.isWhitespace }
    return certifiedKey(bare) == nil ? nil : bare
}

/// Returns the same for a certificate whose key can encrypt.
private func bareEncryptionCertificate(_ text: String) -> String? {
    bareCertificate(text).flatMap { certifiedKey($0)?.isRSA == true ? $0 : nil }
}

private let addressForm = "an absolute http or https URL without a fragment"

/// The URL of an endpoint.
private let webAddress = Codec.form(.pattern("^https?://[^#]+$"), expecting: addressForm) { ServiceProviderMetadata.isWebAddress($0) }

/// A binding: `post`, `redirect` or its identifier.
private let bindingCodec: FieldCodec<SAML.Binding> = Codec.named(
    .text, expecting: "post or redirect",
    make: { text in
        let short: [String: SAML.Binding] = ["post": .httpPOST, "redirect": .httpRedirect]
        let binding = short[text] ?? SAML.Binding(rawValue: text)
        return binding == .soap ? nil : binding
    }, text: { $0.rawValue })

extension AssertionConsumerService {
    /// The index of an endpoint that has the index of its place in the list.
    fileprivate static let indexOfPlace = -1

    fileprivate static let record = SeedRecord<AssertionConsumerService>(
        "Assertion consumer service", blank: AssertionConsumerService(location: "", index: indexOfPlace),
        fields: [
            .required("location", \.location, webAddress, "The URL."),
            .defaulted("binding", \.binding, bindingCodec, "post or redirect.", isAlwaysWritten: true),
            .defaulted("index", \.index, Codec.integer(0...65_535, "an index"), "The index.", isAlwaysWritten: true),
            .optional("isDefault", \.isDefault, Codec.flag, "Whether it is the default."),
        ])
}

extension SingleLogoutService {
    fileprivate static let record = SeedRecord<SingleLogoutService>(
        "Single logout service", blank: SingleLogoutService(location: "", binding: .httpRedirect),
        fields: [
            .required("location", \.location, webAddress, "The URL."),
            .defaulted("binding", \.binding, bindingCodec, "post or redirect.", isAlwaysWritten: true),
            .optional("responseLocation", \.responseLocation, webAddress, "The URL for responses."),
        ])
}

extension UnsupportedEndpoint {
    fileprivate static let record = SeedRecord<UnsupportedEndpoint>(
        "Unsupported endpoint", blank: UnsupportedEndpoint(kind: .assertionConsumerService, binding: "", location: ""),
        fields: [
            .required("kind", \.kind, Codec.word(Kind.self), "The element of the metadata."),
            .required("binding", \.binding, Codec.nonempty("the identifier of a binding"), "The binding."),
            .defaulted("location", \.location, Codec.text, "The URL."),
            .optional("index", \.index, Codec.integer(0...65_535, "an index"), "The index."),
        ])
}

extension AttributeMapping {
    fileprivate static let record = SeedRecord<AttributeMapping>(
        "Attribute", blank: AttributeMapping(""),
        fields: [
            .required("name", \.name, Codec.nonempty("an attribute's name"), "The name."),
            .optional("nameFormat", \.givenFormat, formatCodec, "unspecified, uri or basic."),
            .optional("friendlyName", \.friendlyName, Codec.text, "The friendly name."),
            .optional("claim", \.claim, Codec.text, "The claim with its values."),
            .optional("source", \.source, ClaimSource.codec, "The source of the values in place of a claim, as in claims of clients."),
            .optional("values", \.givenValues, Codec.texts, "Fixed values."),
        ]
    ) { mapping, members in
        guard mapping.claim != nil || mapping.source != nil || members.has("values") else {
            throw members.fault("claim", expecting: "a claim's name, a source, or values")
        }
        guard mapping.claim == nil || mapping.source == nil else {
            throw members.fault("source", expecting: "no source beside a claim")
        }
    }

    private static let formatCodec: FieldCodec<SAML.AttributeNameFormat> = Codec.named(
        .text, expecting: "unspecified, uri or basic",
        make: { text in SAML.AttributeNameFormat.allCases.first { $0.rawValue == text || $0.rawValue.hasSuffix(":\(text)") } },
        text: { $0.rawValue })

    /// The format of the name, which follows from the name by default.
    private var givenFormat: SAML.AttributeNameFormat? {
        get { nameFormat }
        set { nameFormat = newValue ?? (name.contains(":") ? .uri : .basic) }
    }

    /// The values. Without a claim and a source they are required; with one, they are for people who do not have it.
    private var givenValues: [String]? {
        get { claim == nil && source == nil || !values.isEmpty ? values : nil }
        set { values = newValue ?? [] }
    }
}

extension AssertionEncryption {
    fileprivate static let record = SeedRecord<AssertionEncryption>(
        "Encryption of assertions", blank: AssertionEncryption(certificate: ""),
        fields: [
            .optional("certificate", \.givenCertificate, certificateCodec, "The certificate, PEM or DER in base 64."),
            .defaulted(
                "content", \.content, fragment(expecting: "aes128-cbc, aes192-cbc, aes256-cbc, aes128-gcm, aes192-gcm or aes256-gcm"),
                "The cipher.", isAlwaysWritten: true),
            .defaulted(
                "keyTransport", \.keyTransport, fragment(expecting: "rsa-oaep-mgf1p or rsa-oaep"), "The key transport.",
                isAlwaysWritten: true),
        ])

    private static let certificateCodec: FieldCodec<String> = Codec.named(
        .text, expecting: "\(certificateForm), for a key of RSA", make: { bareEncryptionCertificate($0) }, text: { $0 })

    private var givenCertificate: String? {
        get { certificate }
        set { certificate = newValue ?? "" }
    }

    /// The cases of an enumeration of URIs, by their fragments.
    private static func fragment<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        expecting expected: String
    ) -> FieldCodec<Value> {
        Codec.named(
            .words(Value.allCases.map { fragment(of: $0.rawValue) }), expecting: expected,
            make: { name in Value.allCases.first { $0.rawValue.hasSuffix("#\(name)") } }, text: { fragment(of: $0.rawValue) })
    }

    private static func fragment(of uri: String) -> String { uri.split(separator: "#").last.map { String($0) } ?? uri }
}
