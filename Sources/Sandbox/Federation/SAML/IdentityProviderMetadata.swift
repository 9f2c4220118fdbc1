package import Cloud
package import Directory
import Tokens
package import WireFormats

/// The SAML metadata of a local identity provider (SAML 2.0 Metadata sections 2.3.2 and 2.4.3).
package struct IdentityProviderMetadata: Sendable {
    /// The identifier of the identity provider.
    package var entityID: String
    /// The certificates in DER: that of the current signing key first, then those of former and future keys.
    package var certificates: [[UInt8]]
    /// The URL for sign-on.
    package var signOn: String
    /// The URL for logout.
    package var logout: String
    /// Whether requests must be signed (`WantAuthnRequestsSigned`).
    package var wantsSignedRequests = false

    /// Creates the metadata of a provider.
    /// - Parameter baseURL: the prefix of the provider's URLs, `…/idp/<name>`.
    /// - Throws: an error of the signing key's storage or of its certificate.
    package init(of provider: IdentityProvider, settings: SAMLIdentityProvider, baseURL: String, in cloud: Cloud) async throws {
        entityID = settings.entityID(baseURL: baseURL)
        certificates = try await cloud.certificates(of: provider)
        signOn = baseURL + SAMLPaths.signOn
        logout = baseURL + SAMLPaths.logout
        wantsSignedRequests = settings.wantsSignedRequests
    }

    /// Creates metadata from their parts.
    init(entityID: String, certificates: [[UInt8]], signOn: String, logout: String) {
        (self.entityID, self.certificates, self.signOn, self.logout) = (entityID, certificates, signOn, logout)
    }

    /// Returns the element `EntityDescriptor`.
    /// - Parameter id: the identifier of the element, if it is going to be signed.
    package func element(id: String? = nil) -> XMLElement {
        let keys = certificates.map { certificate in
            XMLElement(
                "md:KeyDescriptor", in: SAML.metadata, attributes: ["use": "signing"],
                [
                    .element(
                        XMLElement(
                            "ds:KeyInfo", in: XMLSecurity.signature,
                            [
                                .element(
                                    XMLElement(
                                        "ds:X509Data", in: XMLSecurity.signature,
                                        [.element(XMLElement("ds:X509Certificate", in: XMLSecurity.signature, text: certificate.base64))]))
                            ]))
                ])
        }
        let bindings = [SAML.Binding.httpRedirect, .httpPOST]
        let formats = AssertedName.formats.map { XMLElement("md:NameIDFormat", in: SAML.metadata, text: $0.rawValue) }
        let elements =
            keys + bindings.map { endpoint("md:SingleLogoutService", $0, logout) } + formats
            + bindings.map { endpoint("md:SingleSignOnService", $0, signOn) }
        let role = XMLElement(
            "md:IDPSSODescriptor", in: SAML.metadata,
            attributes: [
                "WantAuthnRequestsSigned": wantsSignedRequests ? "true" : "false", "protocolSupportEnumeration": SAML.protocol,
            ], elements.map(XMLElement.Node.element))
        var entity = XMLElement("md:EntityDescriptor", in: SAML.metadata, attributes: ["entityID": entityID], [.element(role)])
        if let id { entity.attributes.insert(.init(name: "ID", namespace: "", value: id), at: 0) }
        return entity
    }

    /// The unsigned document.
    package var text: String { String(decoding: element().serialized(), as: UTF8.self) }

    private func endpoint(_ name: String, _ binding: SAML.Binding, _ location: String) -> XMLElement {
        XMLElement(name, in: SAML.metadata, attributes: ["Binding": binding.rawValue, "Location": location])
    }
}

/// The paths of the SAML endpoints, relative to the provider's base URL.
package enum SAMLPaths {
    /// The metadata document.
    package static let metadata = "/saml/metadata"
    /// The endpoint for sign-on.
    package static let signOn = "/saml/sso"
    /// The endpoint for logout.
    package static let logout = "/saml/slo"
    /// The sign-on endpoint of AD FS, which applications have built in. AD FS ignores the case of its path.
    package static let activeDirectory = "/adfs/ls"
    /// The metadata document of AD FS (Active Directory Federation Services).
    package static let federationMetadata = "/federationmetadata/2007-06/federationmetadata.xml"

    /// Returns whether a path is one that AD FS has at the root of its host.
    package static func areFixed(_ path: String) -> Bool {
        // A fast check first, because every request to S3 is tested.
        guard path.hasPrefix("/a") || path.hasPrefix("/A") || path.hasPrefix("/F") || path.hasPrefix("/f") else { return false }
        let path = path.lowercased()
        return path == activeDirectory || path.hasPrefix(activeDirectory + "/") || path == federationMetadata
    }
}

extension SAMLIdentityProvider {
    /// Returns the entity identifier for metadata and assertions.
    /// - Parameter baseURL: the prefix of the provider's URLs, as the requester addressed it.
    package func entityID(baseURL: String) -> String { entityID ?? baseURL + SAMLPaths.metadata }
}

extension SAMLTrust {
    /// Returns the current metadata: the uploaded ones, or those that the local provider has now.
    /// - Throws: an error of the provider's signing key.
    package func currentMetadata(in cloud: Cloud) async throws -> String {
        if let center = cloud.directory.credentialSources.identityCenter, isMade(by: center),
            let provider = cloud.directory.providers[center.identityProvider]
        {
            return IdentityProviderMetadata(of: center, in: account, certificates: try await cloud.certificates(of: provider)).text
        }
        guard let identityProvider, let provider = cloud.directory.providers[identityProvider], let settings = provider.saml else {
            return metadata
        }
        // There is no request from which the issuer's spelling follows; trusts name only providers with a fixed entity identifier.
        let baseURL = provider.issuer ?? identityProvider
        var own = try await IdentityProviderMetadata(of: provider, settings: settings, baseURL: baseURL, in: cloud)
        // Replaced keys come last, the oldest of them at the end.
        own.certificates = Array(own.certificates.prefix(SAMLMetadata.mostKeys))
        return own.text
    }
}

extension Cloud {
    /// Returns the certificates of a provider's signing keys, the current one first.
    package func certificates(of provider: IdentityProvider) async throws -> [[UInt8]] {
        // Creates the first key if none exists yet.
        _ = try await signingKey(for: provider.name)
        return try await keys(of: provider.name).filter { $0.key.algorithm == .rs256 }
            .compactMap { try certificate(of: $0.key, issuer: provider.name, named: provider.name) }
    }
}
