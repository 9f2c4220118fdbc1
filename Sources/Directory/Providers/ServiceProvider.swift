package import Tokens

/// An application that relies on our assertions: what it said in its metadata, and what our administrator decided.
package struct ServiceProvider: Hashable, Sendable, Codable {
    /// The identifier of the service provider.
    package var entityID: String
    /// What the login page calls it.
    package var name: String
    /// Where responses are sent; never empty.
    package var assertionConsumerServices: [AssertionConsumerService]
    /// Where it is told of the end of sessions; may be empty.
    package var singleLogoutServices: [SingleLogoutService] = []
    /// The kinds of name that it takes, the one that it gets without asking first; empty for all.
    package var nameIDFormats: [SAML.NameIDFormat] = []
    /// The claim that its unspecified names are; absent for the user name.
    package var nameIDClaim: String?
    /// Absent for the usual attributes of a person.
    package var attributes: [AttributeMapping]?
    /// What of an answer is signed.
    package var signedParts: Set<SignedPart> = [.assertion]
    /// The digest of signatures for it.
    package var signatureHash = SignatureHash.sha256
    /// How assertions for it are encrypted, or `nil` if they are not.
    package var encryption: AssertionEncryption?
    /// What its own signatures are checked with, DER in base 64 without white space; any of them.
    package var signingCertificates: [String] = []
    /// Whether its requests for sign-on are refused without a signature.
    package var signsRequests = false
    /// Seconds that an assertion is good for.
    package var assertionLifetime = 300
    /// Seconds after the login at which the service provider must end its session; absent for the end of our own.
    package var sessionLifetime: Int?

    /// A part of an answer that can be signed by itself.
    package enum SignedPart: String, Hashable, Sendable, Codable, CaseIterable {
        case assertion, response
    }

    /// The digest of a signature and of what it refers to. SHA-1 is for tests of those that must refuse it.
    package enum SignatureHash: String, Hashable, Sendable, Codable, CaseIterable {
        case sha1, sha256, sha384, sha512
    }

    package init(entityID: String, name: String, assertionConsumerServices: [AssertionConsumerService]) {
        self.entityID = entityID
        self.name = name
        self.assertionConsumerServices = assertionConsumerServices
    }

    /// The endpoint that responses go to where a request names none (SAML 2.0 Metadata section 2.2.3).
    package var defaultConsumerService: AssertionConsumerService? {
        assertionConsumerServices.first { $0.isDefault == true } ?? assertionConsumerServices.first { $0.isDefault == nil }
            ?? assertionConsumerServices.first
    }
}

/// Where a service provider takes responses (SAML 2.0 Metadata section 2.4.4).
package struct AssertionConsumerService: Hashable, Sendable, Codable {
    /// How responses are carried.
    package var binding: SAML.Binding
    /// The URL.
    package var location: String
    /// The number by which requests can name it.
    package var index: Int
    /// As its metadata says; absent where that says nothing.
    package var isDefault: Bool?

    package init(location: String, binding: SAML.Binding = .httpPOST, index: Int, isDefault: Bool? = nil) {
        self.location = location
        self.binding = binding
        self.index = index
        self.isDefault = isDefault
    }
}

/// Where a service provider takes messages of single logout (SAML 2.0 Metadata section 2.2.2).
package struct SingleLogoutService: Hashable, Sendable, Codable {
    /// How messages are carried.
    package var binding: SAML.Binding
    /// The URL.
    package var location: String
    /// Where answers go; absent for the same place.
    package var responseLocation: String?

    package init(location: String, binding: SAML.Binding, responseLocation: String? = nil) {
        self.location = location
        self.binding = binding
        self.responseLocation = responseLocation
    }
}

/// An attribute of assertions, and what it is filled from.
package struct AttributeMapping: Hashable, Sendable, Codable {
    /// The `Name` of the attribute.
    package var name: String
    /// How the name is to be read.
    package var nameFormat: SAML.AttributeNameFormat
    /// A name for people.
    package var friendlyName: String?
    /// The claim whose value, or values, the attribute has; `sub` and `username` are claims of everybody.
    package var claim: String?
    /// Fixed values, after those of the claim.
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

    /// What a service provider gets without a mapping of its own: a person's attributes by the names of the X.500/LDAP attribute
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
    /// The certificate of the key that opens them, DER in base 64 without white space.
    package var certificate: String
    /// The algorithm for the assertion.
    package var content: XMLBlockEncryption
    /// The algorithm for the key.
    package var keyTransport: KeyTransport

    /// How the key is encrypted, by the names that XML Encryption gives the algorithms.
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
