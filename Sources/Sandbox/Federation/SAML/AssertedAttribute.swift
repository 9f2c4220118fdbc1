package import Directory
package import Tokens
import WireFormats

/// An attribute of an assertion with its values (SAML 2.0 Core section 2.7.3.1).
package struct AssertedAttribute: Hashable, Sendable {
    /// The `Name` of the attribute.
    package var name: String
    /// The format of the name.
    package var nameFormat: SAML.AttributeNameFormat
    /// A human-readable name.
    package var friendlyName: String?
    /// The values, as text.
    package var values: [String]

    package init(name: String, nameFormat: SAML.AttributeNameFormat = .uri, friendlyName: String? = nil, values: [String]) {
        self.name = name
        self.nameFormat = nameFormat
        self.friendlyName = friendlyName
        self.values = values
    }

    /// Returns the attributes of a person for a service provider, without those that have no values.
    ///
    /// A name that ends with `:*` expands to one attribute for each member of the claim, which is an object. AWS session tags have this
    /// form: `…/PrincipalTag:*`.
    package static func all(of person: Person, for serviceProvider: ServiceProvider) -> [AssertedAttribute] {
        var attributes: [AssertedAttribute] = []
        for mapping in serviceProvider.attributes ?? AttributeMapping.usual {
            if mapping.name.hasSuffix(":*"), let claim = mapping.claim {
                for (name, value) in person.claims[claim]?.objectValue?.members ?? [] {
                    let single = Person(name: "", subject: "", password: "", claims: [claim: value])
                    attributes.append(AssertedAttribute(mapping, name: mapping.name.dropLast() + name, single.values(ofClaim: claim)))
                }
            } else {
                let values = mapping.source?.value(from: person.attributes).map(Person.texts) ?? mapping.claim.map(person.values) ?? []
                attributes.append(AssertedAttribute(mapping, name: mapping.name[...], values + mapping.values))
            }
        }
        return attributes.filter { !$0.values.isEmpty }
    }

    private init(_ mapping: AttributeMapping, name: Substring, _ values: [String]) {
        self.init(name: String(name), nameFormat: mapping.nameFormat, friendlyName: mapping.friendlyName, values: values)
    }

    var element: XMLElement {
        var element = XMLElement(
            "saml:Attribute", in: SAML.assertion, attributes: ["Name": name, "NameFormat": nameFormat.rawValue],
            values.map { .element(XMLElement("saml:AttributeValue", in: SAML.assertion, text: $0)) })
        if let friendlyName { element.attributes.append(.init(name: "FriendlyName", namespace: "", value: friendlyName)) }
        return element
    }
}
