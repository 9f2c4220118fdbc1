import Cryptography
package import Tokens
package import WireFormats

/// The metadata document of a service provider (SAML 2.0 Metadata sections 2.3.2 and 2.4.4).
package struct ServiceProviderMetadata: Sendable {
    /// The service provider, with default settings where the document does not specify any.
    package var serviceProvider: ServiceProvider

    /// The reason why a document was rejected, worded for the person who uploaded it.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        package var description: String

        fileprivate init(_ description: String) { self.description = description }
    }

    /// Parses an `EntityDescriptor`, or an `EntitiesDescriptor` that contains exactly one.
    /// - Parameter now: the time that `validUntil` is compared with; `nil` to ignore `validUntil`.
    /// - Throws: ``Fault``.
    package init(_ text: String, now: Timestamp? = nil) throws(Fault) {
        var root: XMLElement
        do {
            root = try XMLElement(parsing: Array(text.utf8))
        } catch {
            throw Fault("well-formed XML without a document type (\(error.reason) at byte \(error.offset))")
        }
        if root.name == "EntitiesDescriptor", root.namespace == SAML.metadata, root.children(named: "EntityDescriptor").count == 1,
            let entity = root.child("EntityDescriptor")
        {
            root = entity
        }
        guard root.name == "EntityDescriptor", root.namespace == SAML.metadata else {
            throw Fault("an EntityDescriptor of SAML 2.0 metadata")
        }
        guard let entityID = root.attribute("entityID"), (1...1024).contains(entityID.utf8.count) else {
            throw Fault("an entityID of 1 to 1024 characters")
        }
        if let text = root.attribute("validUntil") {
            guard case .success(let end) = SAMLTime.parse(text) else { throw Fault("a validUntil in UTC, such as 2030-01-01T00:00:00Z") }
            if let now, end <= now { throw Fault("metadata that is still valid; this was until \(text)") }
        }
        let roles = root.children.filter { role in
            role.name == "SPSSODescriptor" && role.namespace == SAML.metadata
                && (role.attribute("protocolSupportEnumeration") ?? "").split(whereSeparator: \.isWhitespace).contains {
                    $0 == SAML.protocol
                }
        }
        guard let role = roles.first, roles.count == 1 else { throw Fault("one SPSSODescriptor for the protocol of SAML 2.0") }
        serviceProvider = ServiceProvider(
            entityID: entityID, name: Self.displayName(of: role) ?? Self.displayName(of: root) ?? entityID,
            assertionConsumerServices: try Self.consumerServices(of: role))
        serviceProvider.singleLogoutServices = role.children(named: "SingleLogoutService").compactMap { service -> SingleLogoutService? in
            guard let binding = SAML.Binding(browser: service.attribute("Binding")),
                let location = service.attribute("Location"), Self.isWebAddress(location)
            else { return nil }
            let answers = service.attribute("ResponseLocation").flatMap { Self.isWebAddress($0) ? $0 : nil }
            return SingleLogoutService(location: location, binding: binding, responseLocation: answers)
        }
        let unsupported = Self.unsupportedEndpoints(of: role)
        serviceProvider.unsupportedEndpoints = unsupported.isEmpty ? nil : unsupported
        try readNameIDFormats(of: role)
        serviceProvider.signsRequests = try Self.flag("AuthnRequestsSigned", of: role)
        // An assertion is signed in any case. The document cannot specify whether the response is signed.
        _ = try Self.flag("WantAssertionsSigned", of: role)
        try readKeys(of: role)
    }

    /// Returns the endpoints whose binding is not supported, such as those for artifacts, SOAP and enhanced clients.
    private static func unsupportedEndpoints(of role: XMLElement) -> [UnsupportedEndpoint] {
        UnsupportedEndpoint.Kind.allCases.flatMap { kind in
            role.children(named: kind.rawValue).compactMap { element -> UnsupportedEndpoint? in
                guard let binding = element.attribute("Binding"), SAML.Binding(browser: binding) == nil else { return nil }
                return UnsupportedEndpoint(
                    kind: kind, binding: binding, location: element.attribute("Location") ?? "",
                    index: element.attribute("index").flatMap { UInt16(digits: $0) }.map { Int($0) })
            }
        }
    }

    /// Reads the name ID formats, of which at least one must be supported.
    private mutating func readNameIDFormats(of role: XMLElement) throws(Fault) {
        let formats = role.children(named: "NameIDFormat")
        serviceProvider.nameIDFormats = formats.compactMap { SAML.NameIDFormat(rawValue: $0.text.trimmed) }.filter(\.isSupported)
        guard formats.isEmpty || !serviceProvider.nameIDFormats.isEmpty else {
            let names = SAML.NameIDFormat.allCases.filter(\.isSupported).map(\.rawValue).joined(separator: ", ")
            throw Fault("a NameIDFormat that is supported: one of \(names)")
        }
    }

    private static func consumerServices(of role: XMLElement) throws(Fault) -> [AssertionConsumerService] {
        var services: [AssertionConsumerService] = []
        for element in role.children(named: "AssertionConsumerService") {
            // The others are among the unsupported endpoints.
            guard let binding = SAML.Binding(browser: element.attribute("Binding")) else { continue }
            guard let location = element.attribute("Location"), isWebAddress(location) else {
                throw Fault("an AssertionConsumerService with an absolute http or https URL as its Location")
            }
            guard let index = element.attribute("index").flatMap({ UInt16(digits: $0) }) else {
                throw Fault("an AssertionConsumerService with an index from 0 to 65535")
            }
            let isDefault = try element.attribute("isDefault") == nil ? nil : flag("isDefault", of: element)
            services.append(AssertionConsumerService(location: location, binding: binding, index: Int(index), isDefault: isDefault))
        }
        guard !services.isEmpty else { throw Fault("an AssertionConsumerService for the binding HTTP-POST") }
        guard Set(services.map(\.index)).count == services.count else { throw Fault("AssertionConsumerServices of different index") }
        return services
    }

    private mutating func readKeys(of role: XMLElement) throws(Fault) {
        for descriptor in role.children(named: "KeyDescriptor") {
            let use = descriptor.attribute("use")
            guard use == nil || use == "signing" || use == "encryption" else { throw Fault("a KeyDescriptor for signing or encryption") }
            var certificates: [(text: String, isForEncryption: Bool)] = []
            for data in descriptor.child("KeyInfo")?.children(named: "X509Data") ?? [] where data.namespace == XMLSecurity.signature {
                for element in data.children(named: "X509Certificate") {
                    let text = element.text.filter { !$0.isWhitespace }
                    guard let key = certifiedKey(text) else { throw Fault("certificates in base 64, for keys of RSA or a curve of NIST") }
                    certificates.append((text, key.isRSA))
                }
            }
            if use != "encryption" { serviceProvider.signingCertificates += certificates.map { $0.text } }
            guard !certificates.isEmpty else { throw Fault("an X509Certificate in each KeyDescriptor") }
            let certificate = certificates.first { $0.isForEncryption }
            guard use != "encryption" || certificates.isEmpty || certificate != nil else {
                throw Fault("a certificate for encryption whose key is one of RSA")
            }
            if use != "signing", serviceProvider.encryption == nil, let certificate {
                serviceProvider.encryption = try Self.encryption(
                    certificate: certificate.text, methods: descriptor.children(named: "EncryptionMethod"))
            }
        }
    }

    /// Uses the first algorithms in the document that we support (SAML 2.0 Metadata section 2.4.1.1), or the usual ones if it names none.
    private static func encryption(certificate: String, methods: [XMLElement]) throws(Fault) -> AssertionEncryption {
        var encryption = AssertionEncryption(certificate: certificate)
        let names = methods.compactMap { $0.attribute("Algorithm") }
        let transports = names.filter { $0.contains("#rsa-") }
        if let transport = transports.lazy.compactMap(AssertionEncryption.KeyTransport.init).first {
            encryption.keyTransport = transport
        } else if !transports.isEmpty {
            throw Fault("an EncryptionMethod for keys that is supported: rsa-oaep-mgf1p or rsa-oaep")
        }
        let contents = names.filter { $0.hasSuffix("-cbc") || $0.hasSuffix("-gcm") }
        if let content = contents.lazy.compactMap(XMLBlockEncryption.init).first {
            encryption.content = content
        } else if !contents.isEmpty {
            throw Fault("an EncryptionMethod for assertions that is supported: AES in CBC or GCM")
        }
        return encryption
    }

    /// Returns `mdui:DisplayName`, the name of the service or the name of the organization. English names are preferred.
    private static func displayName(of element: XMLElement) -> String? {
        let names =
            (element.child("Extensions")?.child("UIInfo")?.children(named: "DisplayName") ?? [])
            + element.children(named: "AttributeConsumingService").flatMap { $0.children(named: "ServiceName") }
            + (element.child("Organization")?.children(named: "OrganizationDisplayName") ?? [])
        let english = names.first { $0.attributes.contains { $0.name == "lang" && $0.value.hasPrefix("en") } } ?? names.first
        return english.flatMap { $0.text.trimmed.isEmpty ? nil : $0.text.trimmed }
    }

    private static func flag(_ name: String, of element: XMLElement) throws(Fault) -> Bool {
        switch element.attribute(name) {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw Fault("true or false as \(name)")
        }
    }

    /// Returns whether a text is an absolute http or https URL without a fragment, and has only characters that are allowed in such a URL.
    package static func isWebAddress(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.utf8.count > scheme.utf8.count else { return false }
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}#".utf8.contains($0) }
    }
}

/// Parses the key of a certificate, DER in base 64; `nil` if it is not a certificate or its kind or size of key is not supported.
package func certifiedKey(_ text: String) -> VerificationKey? {
    guard let bytes = [UInt8](base64: text), let certificate = try? X509Certificate(der: bytes) else { return nil }
    return VerificationKey(certificate)
}

extension VerificationKey {
    /// Whether the key can also be used for encryption.
    package var isRSA: Bool {
        if case .rsa = self { true } else { false }
    }
}

extension SAML.Binding {
    /// Returns a binding that sends messages through the browser; `nil` for others.
    fileprivate init?(browser identifier: String?) {
        guard let binding = identifier.flatMap(SAML.Binding.init), binding != .soap else { return nil }
        self = binding
    }
}
