import Cryptography
package import Directory
package import Tokens
package import WireFormats

/// The name of a person in an assertion: the element `NameID` (SAML 2.0 Core section 2.2.3).
package struct AssertedName: Hashable, Sendable {
    /// The identifier of the person.
    package var value: String
    /// The format of the identifier.
    package var format: SAML.NameIDFormat
    /// The identity provider, if the name is only meaningful together with it.
    package var nameQualifier: String?
    /// The service provider, if the name is only for it.
    package var spNameQualifier: String?

    /// Creates the name of a person for a service provider.
    /// - Parameter entityID: the entity identifier of the identity provider.
    /// - Returns: `nil` if the person has no such name, for instance no e-mail address.
    /// - Throws: an error of the random generator.
    package init?(of person: Person, as format: SAML.NameIDFormat, for serviceProvider: ServiceProvider, by entityID: String) throws {
        self.format = format
        let claim: String
        switch format {
        case .unspecified: claim = serviceProvider.nameIDClaim ?? "username"
        case .emailAddress: claim = "email"
        case .windowsDomainQualifiedName: claim = "windows_account_name"
        case .x509SubjectName, .kerberos, .entity: return nil
        case .persistent:
            // The name is pairwise: two service providers cannot tell that their names belong to the same person (section 8.3.7).
            value = SHA256.hash("persistent \(entityID) \(serviceProvider.entityID) \(person.subject)").base64url
            (nameQualifier, spNameQualifier) = (entityID, serviceProvider.entityID)
            return
        case .transient:
            value = try SAMLIdentifier.make()
            (nameQualifier, spNameQualifier) = (entityID, serviceProvider.entityID)
            return
        }
        guard let value = person.values(ofClaim: claim).first, !value.isEmpty else { return nil }
        self.value = value
    }

    /// The supported formats.
    package static let formats: [SAML.NameIDFormat] = [.unspecified, .emailAddress, .persistent, .transient, .windowsDomainQualifiedName]

    /// The element `NameID`.
    package var element: XMLElement {
        var element = XMLElement("saml:NameID", in: SAML.assertion, attributes: ["Format": format.rawValue], text: value)
        if let nameQualifier { element.attributes.append(.init(name: "NameQualifier", namespace: "", value: nameQualifier)) }
        if let spNameQualifier { element.attributes.append(.init(name: "SPNameQualifier", namespace: "", value: spNameQualifier)) }
        return element
    }
}

/// Generates the identifiers of messages and assertions (SAML 2.0 Core section 1.3.4).
package enum SAMLIdentifier {
    /// Returns an underscore, since XML names cannot begin with a digit, and 128 random bits.
    /// - Throws: an error of the random generator.
    package static func make() throws -> String { "_" + (try randomBytes(16)).hex }
}

extension Person {
    /// Returns the attribute values of a claim: each item of a list is one value.
    package func values(ofClaim name: String) -> [String] {
        switch name {
        case "sub": [subject]
        case "username": [self.name]
        default: claims[name].map(Self.texts) ?? []
        }
    }

    /// Returns the attribute values of a value: each item of a list is one.
    static func texts(of value: JSONValue) -> [String] {
        switch value {
        case .null: []
        case .string(let text): [text]
        case .array(let values): values.flatMap(texts)
        case .bool, .integer, .number, .object: [value.serialized()]
        }
    }
}
