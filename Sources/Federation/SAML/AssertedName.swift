import Cryptography
package import Directory
package import Tokens
package import WireFormats

/// What an assertion calls the person: the element `NameID` (SAML 2.0 Core section 2.2.3).
package struct AssertedName: Hashable, Sendable {
    /// The identifier of the person.
    package var value: String
    /// How the identifier is to be read.
    package var format: SAML.NameIDFormat
    /// The identity provider, where the name means nothing without it.
    package var nameQualifier: String?
    /// The service provider, where the name is for it alone.
    package var spNameQualifier: String?

    /// The name of a person at a service provider.
    /// - Parameter entityID: of the identity provider.
    /// - Returns: `nil` if the person has no such name, such as no address of mail.
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
            // Pairwise: nobody can tell from two of them that they are one person's (section 8.3.7).
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

    /// The kinds of name that we give.
    package static let formats: [SAML.NameIDFormat] = [.unspecified, .emailAddress, .persistent, .transient, .windowsDomainQualifiedName]

    /// The element `NameID`.
    package var element: XMLElement {
        var element = XMLElement("saml:NameID", in: SAML.assertion, attributes: ["Format": format.rawValue], text: value)
        if let nameQualifier { element.attributes.append(.init(name: "NameQualifier", namespace: "", value: nameQualifier)) }
        if let spNameQualifier { element.attributes.append(.init(name: "SPNameQualifier", namespace: "", value: spNameQualifier)) }
        return element
    }
}

/// Identifiers of messages and assertions (SAML 2.0 Core section 1.3.4).
package enum SAMLIdentifier {
    /// 128 random bits, and a letter before them, which names of XML must begin with.
    /// - Throws: an error of the random generator.
    package static func make() throws -> String { "_" + (try randomBytes(16)).hex }
}

extension Person {
    /// The values that a claim gives to an attribute: each member of a list is one.
    package func values(ofClaim name: String) -> [String] {
        switch name {
        case "sub": [subject]
        case "username": [self.name]
        default: claims[name].map(Self.texts) ?? []
        }
    }

    private static func texts(of value: JSONValue) -> [String] {
        switch value {
        case .null: []
        case .string(let text): [text]
        case .array(let values): values.flatMap(texts)
        case .bool, .integer, .number, .object: [value.serialized()]
        }
    }
}
