import Directory
import Tokens
import WireFormats

struct SeedSAMLIdentityProvider: Sendable, Decodable {
    var settings: SAMLIdentityProvider

    private enum CodingKeys: String, CodingKey, CaseIterable { case entityID, serviceProviders, wantsSignedRequests, signsMetadata }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        settings = SAMLIdentityProvider(
            entityID: container.contains(.entityID)
                ? try container.decode(.entityID, expecting: "an entity identifier", where: isEntityID) : nil,
            serviceProviders: try container.decode(.serviceProviders, or: [SeedServiceProvider]()).map(\.provider),
            wantsSignedRequests: try container.decode(.wantsSignedRequests, or: false),
            signsMetadata: try container.decode(.signsMetadata, or: false))
    }
}

/// Returns whether a text is a valid entity ID. (SAML 2.0 Core section 8.3.6.)
private func isEntityID(_ text: String) -> Bool { (1...1024).contains(text.utf8.count) && text.isXMLText }

/// A service provider, described by its metadata, by single members, or by metadata and members that override it.
struct SeedServiceProvider: Sendable, Decodable {
    var provider: ServiceProvider

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case metadata, entityID, name, assertionConsumerServices, singleLogoutServices, nameIDFormats, nameIDClaim, attributes, signs
        case signatureHash, encrypts, encryption, signingCertificates, requiresSignedRequests, assertionLifetime, sessionLifetime
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        if let text: String = try container.decode(ifThere: .metadata) {
            do {
                provider = try ServiceProviderMetadata(text).serviceProvider
            } catch {
                throw DecodingError.dataCorruptedError(forKey: .metadata, in: container, debugDescription: error.description)
            }
            guard !container.contains(.entityID) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .entityID, in: container, debugDescription: "no entity identifier, since the metadata has one")
            }
        } else {
            let entityID: String = try container.decode(.entityID, expecting: "an entity identifier", where: isEntityID)
            provider = ServiceProvider(entityID: entityID, name: entityID, assertionConsumerServices: [])
        }
        provider.name = try container.decode(.name, or: provider.name)
        if container.contains(.assertionConsumerServices) || provider.assertionConsumerServices.isEmpty {
            let services: [SeedConsumerService] = try container.decode(
                .assertionConsumerServices, expecting: "at least one URL that takes responses", where: { !$0.isEmpty })
            provider.assertionConsumerServices = services.enumerated().map { index, service in
                AssertionConsumerService(
                    location: service.location, binding: service.binding, index: service.index ?? index, isDefault: service.isDefault)
            }
            guard Set(provider.assertionConsumerServices.map(\.index)).count == services.count else {
                throw DecodingError.dataCorruptedError(
                    forKey: .assertionConsumerServices, in: container, debugDescription: "endpoints of different index")
            }
        }
        if let services: [SeedLogoutService] = try container.decode(ifThere: .singleLogoutServices) {
            provider.singleLogoutServices = services.map(\.service)
        }
        try decodeDecisions(in: container)
    }

    private mutating func decodeDecisions(in container: KeyedDecodingContainer<CodingKeys>) throws {
        provider.nameIDFormats = try container.decode(.nameIDFormats, or: provider.nameIDFormats.map(SeedNameIDFormat.init)).map(\.format)
        provider.nameIDClaim = try container.decode(ifThere: .nameIDClaim)
        provider.attributes = try container.decode(ifThere: .attributes).map { (mappings: [SeedAttribute]) in mappings.map(\.mapping) }
        if let parts: [ServiceProvider.SignedPart] = try container.decode(ifThere: .signs) { provider.signedParts = Set(parts) }
        provider.signatureHash = try container.decode(.signatureHash, or: .sha256)
        if let encryption: SeedAssertionEncryption = try container.decode(ifThere: .encryption) {
            guard let certificate = encryption.certificate ?? provider.encryption?.certificate else {
                throw DecodingError.dataCorruptedError(
                    forKey: .encryption, in: container, debugDescription: "a certificate to encrypt with")
            }
            provider.encryption = AssertionEncryption(
                certificate: certificate, content: encryption.content, keyTransport: encryption.keyTransport)
        }
        if try !container.decode(.encrypts, or: true) { provider.encryption = nil }
        if let certificates: [String] = try container.decode(ifThere: .signingCertificates) {
            provider.signingCertificates = try certificates.map { text in
                guard let certificate = bareCertificate(text) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .signingCertificates, in: container, debugDescription: certificateForm)
                }
                return certificate
            }
        }
        provider.signsRequests = try container.decode(.requiresSignedRequests, or: provider.signsRequests)
        if container.contains(.assertionLifetime) {
            provider.assertionLifetime = try container.decode(.assertionLifetime, expecting: "seconds from 1 to 86400") {
                (1...86_400).contains($0)
            }
        }
        if container.contains(.sessionLifetime) {
            provider.sessionLifetime = try container.decode(.sessionLifetime, expecting: "seconds from 1 to 86400") {
                (1...86_400).contains($0)
            }
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

/// An endpoint: an object, or only a URL for the binding HTTP-POST.
private struct SeedConsumerService: Decodable {
    var location: String
    var binding = SAML.Binding.httpPOST
    var index: Int?
    var isDefault: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable { case location, binding, index, isDefault }

    init(from decoder: any Decoder) throws {
        if let location = try? decoder.singleValueContainer().decode(String.self) {
            self.location = location
            guard ServiceProviderMetadata.isWebAddress(location) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: addressForm))
            }
            return
        }
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        location = try container.decode(.location, expecting: addressForm, where: ServiceProviderMetadata.isWebAddress)
        binding = try container.decode(.binding, or: SeedBinding(.httpPOST)).binding
        if container.contains(.index) {
            index = try container.decode(.index, expecting: "an index from 0 to 65535") { (0...65_535).contains($0) }
        }
        isDefault = try container.decode(ifThere: .isDefault)
    }
}

private let addressForm = "an absolute http or https URL without a fragment"

private struct SeedLogoutService: Decodable {
    var service: SingleLogoutService

    private enum CodingKeys: String, CodingKey, CaseIterable { case location, binding, responseLocation }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        service = SingleLogoutService(
            location: try container.decode(.location, expecting: addressForm, where: ServiceProviderMetadata.isWebAddress),
            binding: try container.decode(.binding, or: SeedBinding(.httpRedirect)).binding)
        if container.contains(.responseLocation) {
            service.responseLocation = try container.decode(
                .responseLocation, expecting: addressForm, where: ServiceProviderMetadata.isWebAddress)
        }
    }
}

/// A binding: `post`, `redirect` or its identifier.
private struct SeedBinding: Decodable {
    var binding: SAML.Binding

    init(_ binding: SAML.Binding) { self.binding = binding }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let short: [String: SAML.Binding] = ["post": .httpPOST, "redirect": .httpRedirect]
        guard let binding = short[text] ?? SAML.Binding(rawValue: text), binding != .soap else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "post or redirect")
        }
        self.binding = binding
    }
}

/// A name ID format: its identifier, or the last part of it.
private struct SeedNameIDFormat: Decodable {
    var format: SAML.NameIDFormat

    init(_ format: SAML.NameIDFormat) { self.format = format }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let format = SAML.NameIDFormat.allCases.first(where: { $0.rawValue == text || $0.rawValue.hasSuffix(":\(text)") }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "unspecified, emailAddress, WindowsDomainQualifiedName, persistent or transient")
        }
        self.format = format
    }
}

private struct SeedAttribute: Decodable {
    var mapping: AttributeMapping

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, nameFormat, friendlyName, claim, values }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let name: String = try container.decode(.name, expecting: "an attribute's name", where: { !$0.isEmpty })
        let format = try container.decode(
            .nameFormat,
            named: { text in SAML.AttributeNameFormat.allCases.first { $0.rawValue == text || $0.rawValue.hasSuffix(":\(text)") } },
            expecting: "unspecified, uri or basic")
        mapping = AttributeMapping(
            name, nameFormat: format ?? (name.contains(":") ? .uri : .basic), friendlyName: try container.decode(ifThere: .friendlyName),
            claim: try container.decode(ifThere: .claim), values: try container.decode(.values, or: []))
        guard mapping.claim != nil || container.contains(.values) else {
            throw DecodingError.dataCorruptedError(forKey: .claim, in: container, debugDescription: "a claim's name, or values")
        }
    }
}

private struct SeedAssertionEncryption: Decodable {
    var certificate: String?
    var content: XMLBlockEncryption
    var keyTransport: AssertionEncryption.KeyTransport

    private enum CodingKeys: String, CodingKey, CaseIterable { case certificate, content, keyTransport }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        certificate = try container.decode(
            .certificate, named: bareEncryptionCertificate, expecting: "\(certificateForm), for a key of RSA")
        let content = try container.decode(
            .content, named: { name in XMLBlockEncryption.allCases.first { $0.rawValue.hasSuffix("#\(name)") } },
            expecting: "aes128-cbc, aes192-cbc, aes256-cbc, aes128-gcm, aes192-gcm or aes256-gcm")
        let transport = try container.decode(
            .keyTransport, named: { name in AssertionEncryption.KeyTransport.allCases.first { $0.rawValue.hasSuffix("#\(name)") } },
            expecting: "rsa-oaep-mgf1p or rsa-oaep")
        self.content = content ?? .aes256GCM
        keyTransport = transport ?? .oaepMGF1P
    }
}
