package import Tokens
import WireFormats

/// A SAML service provider: an application that accepts our assertions, with the data of its metadata and settings of the administrator.
package struct ServiceProvider: Hashable, Sendable, Codable {
    /// The identifier of the service provider.
    package var entityID: String
    /// The name that the login page shows.
    package var name: String
    /// The endpoints that receive responses; never empty.
    package var assertionConsumerServices: [AssertionConsumerService]
    /// The endpoints that receive messages of single logout; may be empty.
    package var singleLogoutServices: [SingleLogoutService] = []
    /// The endpoints of its metadata whose binding is not supported; `nil` if there are none. Requests that name them are refused.
    package var unsupportedEndpoints: [UnsupportedEndpoint]?
    /// The supported name ID formats, the default first; empty for all formats.
    package var nameIDFormats: [SAML.NameIDFormat] = []
    /// The claim that is the value of unspecified name IDs; `nil` for the user name.
    package var nameIDClaim: String?
    /// The attributes of assertions; `nil` for the default attributes.
    package var attributes: [AttributeMapping]?
    /// The parts of a response that are signed.
    package var signedParts: Set<SignedPart> = [.assertion]
    /// The digest algorithm of signatures for the service provider.
    package var signatureHash = SignatureHash.sha256
    /// How assertions are encrypted, or `nil` if they are not.
    package var encryption: AssertionEncryption?
    /// The certificates that verify its signatures, DER in base 64 without white space. A signature needs to match one of them.
    package var signingCertificates: [String] = []
    /// Whether its unsigned sign-on requests are rejected.
    package var signsRequests = false
    /// The lifetime of an assertion, in seconds.
    package var assertionLifetime = 300
    /// Seconds after the login at which the service provider must end its session; `nil` for the end of our own session.
    package var sessionLifetime: Int?

    /// A part of a response that can be signed separately.
    package enum SignedPart: String, Hashable, Sendable, Codable, CaseIterable {
        case assertion, response
    }

    /// The digest algorithm of a signature and of its references. SHA-1 is for tests of service providers that must reject it.
    package enum SignatureHash: String, Hashable, Sendable, Codable, CaseIterable {
        case sha1, sha256, sha384, sha512
    }

    package init(entityID: String, name: String, assertionConsumerServices: [AssertionConsumerService]) {
        self.entityID = entityID
        self.name = name
        self.assertionConsumerServices = assertionConsumerServices
    }

    /// The endpoint for responses if a request does not name one (SAML 2.0 Metadata section 2.2.3).
    package var defaultConsumerService: AssertionConsumerService? {
        assertionConsumerServices.first { $0.isDefault == true } ?? assertionConsumerServices.first { $0.isDefault == nil }
            ?? assertionConsumerServices.first
    }

    /// Whether no request can pass: signatures are required, and no certificate verifies them.
    package var canNeverSign: Bool { signsRequests && signingCertificates.isEmpty }
}

/// An endpoint of a service provider that receives responses (SAML 2.0 Metadata section 2.4.4).
package struct AssertionConsumerService: Hashable, Sendable, Codable {
    /// The binding of responses.
    package var binding: SAML.Binding
    /// The URL.
    package var location: String
    /// The index that requests can name it by.
    package var index: Int
    /// Whether it is the default, as in its metadata; `nil` if the metadata does not specify it.
    package var isDefault: Bool?

    package init(location: String, binding: SAML.Binding = .httpPOST, index: Int, isDefault: Bool? = nil) {
        self.location = location
        self.binding = binding
        self.index = index
        self.isDefault = isDefault
    }
}

/// An endpoint of a service provider that receives messages of single logout (SAML 2.0 Metadata section 2.2.2).
package struct SingleLogoutService: Hashable, Sendable, Codable {
    /// The binding of messages.
    package var binding: SAML.Binding
    /// The URL.
    package var location: String
    /// The URL for logout responses; `nil` for the same URL.
    package var responseLocation: String?

    package init(location: String, binding: SAML.Binding, responseLocation: String? = nil) {
        self.location = location
        self.binding = binding
        self.responseLocation = responseLocation
    }
}

/// An endpoint that a service provider registered for a binding that is not supported.
package struct UnsupportedEndpoint: Hashable, Sendable, Codable {
    /// The kind of the endpoint. The raw value is the element of the metadata.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case assertionConsumerService = "AssertionConsumerService"
        case singleLogoutService = "SingleLogoutService"
    }

    /// The kind of the endpoint.
    package var kind: Kind
    /// The identifier of the binding, such as that of artifacts.
    package var binding: String
    /// The location as in the metadata.
    package var location: String
    /// The index that requests can name it by, if it has one.
    package var index: Int?

    package init(kind: Kind, binding: String, location: String, index: Int? = nil) {
        self.kind = kind
        self.binding = binding
        self.location = location
        self.index = index
    }
}

/// An attribute of assertions, and the source of its values.
package struct AttributeMapping: Hashable, Sendable, Codable {
    /// The `Name` of the attribute.
    package var name: String
    /// The format of the name.
    package var nameFormat: SAML.AttributeNameFormat
    /// The human-readable name.
    package var friendlyName: String?
    /// The claim that provides the values. Every person has the claims `sub` and `username`.
    package var claim: String?
    /// The source that provides the values in place of a claim; `nil` if there is a claim, or only fixed values.
    package var source: ClaimSource?
    /// Fixed values, which follow those of the claim.
    package var values: [String]

    package init(
        _ name: String, nameFormat: SAML.AttributeNameFormat = .uri, friendlyName: String? = nil, claim: String? = nil,
        values: [String] = []
    ) {
        self.name = name
        self.nameFormat = nameFormat
        self.friendlyName = friendlyName
        self.claim = claim
        self.values = values
    }

    /// The default attributes of service providers without mappings: a person's attributes under the names of the X.500/LDAP attribute
    /// profile (SAML 2.0 Profiles section 8.2).
    package static let usual = [
        AttributeMapping("urn:oid:0.9.2342.19200300.100.1.1", friendlyName: "uid", claim: "username"),
        AttributeMapping("urn:oid:0.9.2342.19200300.100.1.3", friendlyName: "mail", claim: "email"),
        AttributeMapping("urn:oid:2.5.4.42", friendlyName: "givenName", claim: "given_name"),
        AttributeMapping("urn:oid:2.5.4.4", friendlyName: "sn", claim: "family_name"),
        AttributeMapping("urn:oid:2.16.840.1.113730.3.1.241", friendlyName: "displayName", claim: "name"),
    ]
}

/// How assertions for a service provider are encrypted (XML Encryption 1.1 sections 5.2 and 5.5).
package struct AssertionEncryption: Hashable, Sendable, Codable {
    /// The certificate whose key decrypts the assertions, DER in base 64 without white space.
    package var certificate: String
    /// The algorithm for the assertion.
    package var content: XMLBlockEncryption
    /// The algorithm for the key.
    package var keyTransport: KeyTransport

    /// The algorithms that encrypt the key. The raw values are their identifiers in XML Encryption.
    package enum KeyTransport: String, Hashable, Sendable, Codable, CaseIterable {
        /// OAEP with SHA-1 throughout.
        case oaepMGF1P = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"
        /// OAEP of XML Encryption 1.1, with SHA-256 throughout.
        case oaepSHA256 = "http://www.w3.org/2009/xmlenc11#rsa-oaep"
    }

    package init(certificate: String, content: XMLBlockEncryption = .aes256GCM, keyTransport: KeyTransport = .oaepMGF1P) {
        self.certificate = certificate
        self.content = content
        self.keyTransport = keyTransport
    }
}
