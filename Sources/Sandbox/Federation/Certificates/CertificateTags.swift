package import Cryptography
package import Directory
package import Policy
import WireFormats

/// The session tags and the source identity that a certificate gives. (IAM Roles Anywhere User Guide, "The IAM Roles Anywhere trust model" and
/// "Certificate attribute mapping".)
package struct CertificateTags: Sendable {
    /// The session tags, in the order of the certificate.
    package let tags: [Tag]
    /// The source identity: the common name, or else the serial number.
    package let sourceIdentity: String

    /// Returns the tags that the rules of a profile select.
    package init(of certificate: ClientCertificate, by profile: AnywhereProfile) {
        var tags: [Tag] = []
        for field in AnywhereProfile.CertificateField.allCases {
            let rules = profile.rules(of: field)
            for (name, values) in Self.attributes(of: certificate, in: field) where rules.contains(where: { Self.selects($0, name) }) {
                // Values of the same attribute are joined in their order. What is no value of a tag is left out.
                let value = values.filter(Self.isTagValue).joined(separator: "/")
                guard !value.isEmpty, Self.isTagValue(value) else { continue }
                tags.append(Tag(key: "\(field.rawValue)/\(name)", value: value))
            }
        }
        self.tags = tags
        sourceIdentity = Self.sourceIdentity(of: certificate)
    }

    /// Returns the attributes of a field that can become tags, by name.
    private static func attributes(
        of certificate: ClientCertificate, in field: AnywhereProfile.CertificateField
    ) -> [(name: String, values: [String])] {
        func all(_ place: ClientCertificate.Place, prefix: String = "") -> [(name: String, values: [String])] {
            var found: [(name: String, values: [String])] = []
            for attribute in certificate.attributes where attribute.place == place {
                guard let type = names[attribute.type] else { continue }
                if let index = found.firstIndex(where: { $0.name == prefix + type }) {
                    found[index].values.append(attribute.value)
                } else {
                    found.append((prefix + type, [attribute.value]))
                }
            }
            return found
        }
        switch field {
        case .subject: return all(.subject)
        case .issuer: return all(.issuer)
        case .alternativeName:
            // Only the first name of each kind counts.
            let first = ["DNS", "URI"].compactMap { type in certificate.first(.alternative, type).map { (name: type, values: [$0]) } }
            return first + all(.directory, prefix: "Name/")
        }
    }

    /// Returns whether a rule of a profile selects an attribute.
    private static func selects(_ rule: String, _ name: String) -> Bool {
        guard rule.hasSuffix("*") else { return rule == name }
        return name.hasPrefix(rule.dropLast())
    }

    /// The attributes that become tags, by the short names of OpenSSL. (RFC 4519, RFC 2985, and the guide's names.)
    private static let names: [String: String] = [
        "CN": "CN", "SN": "SURNAME", "serialNumber": "SERIALNUMBER", "C": "C", "L": "L", "ST": "ST", "street": "STREET", "O": "O",
        "OU": "OU", "title": "T", "GN": "GIVENNAME", "initials": "INITIALS", "generationQualifier": "GENERATION", "DC": "DC", "UID": "UID",
        "emailAddress": "E", "dnQualifier": "DNQUALIFIER", "pseudonym": "PSEUDONYM",
    ]

    /// (IAM User Guide, "Pass session tags in AWS STS": 256 characters of these classes.)
    private static func isTagValue(_ text: String) -> Bool {
        text.unicodeScalars.count <= 256
            && text.unicodeScalars.allSatisfy { scalar in
                if scalar.isASCII { return isName(scalar) || " :/".unicodeScalars.contains(scalar) }
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spaceSeparator, .lineSeparator,
                    .paragraphSeparator, .decimalNumber, .letterNumber, .otherNumber:
                    return true
                default: return false
                }
            }
    }

    /// Returns whether a character can be in names of sessions and in source identities, apart from the comma, which tags cannot have.
    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_+=.@-".unicodeScalars.contains(scalar)
        }
    }

    /// `CN=…` with at most 64 characters, a longer common name alone, and without one `ID=` with an even number of digits.
    /// A common name that no source identity can have counts as none.
    private static func sourceIdentity(of certificate: ClientCertificate) -> String {
        guard let name = certificate.first(.subject, "CN"), (1...64).contains(name.unicodeScalars.count),
            name.unicodeScalars.allSatisfy({ isName($0) || $0 == "," })
        else { return "ID=\(certificate.serial.hex)" }
        return name.unicodeScalars.count <= 61 ? "CN=\(name)" : name
    }
}
