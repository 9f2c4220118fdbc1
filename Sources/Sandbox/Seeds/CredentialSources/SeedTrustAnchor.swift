import Cryptography
package import Directory
import Policy
import WireFormats

extension TrustAnchor {
    /// Trust anchors of IAM Roles Anywhere in seeds.
    package static let record = SeedRecord<TrustAnchor>(
        "Trust anchor of IAM Roles Anywhere", blank: TrustAnchor(account: "", id: "", name: ""),
        fields: [
            .required("id", \.id, identifier, "The ID of the trust anchor, a UUID."),
            .required("name", \.name, displayName, "The name of the trust anchor."),
            .defaulted("region", \.region, Codec.nonempty("a region"), "The region; us-east-1 by default."),
            .defaulted("enabled", \.enabled, Codec.flag, "Whether clients get credentials; true by default."),
            .optional(
                "certificates", \.certificates, certificatesCodec,
                "The certificates of the authorities in PEM. Without them, the sandbox has an authority that issues certificates."),
            .optional(
                "revocations", \.revocations, Codec.nonempty("certificate revocation lists in PEM"),
                "Certificate revocation lists of the authorities in PEM."),
            .defaulted(
                "revoked", \.revoked, serialsCodec, "The serial numbers of further revoked certificates, in hexadecimal digits."),
        ]
    ) { anchor, members in
        guard let revocations = anchor.revocations else { return }
        guard let certificates = anchor.certificates, CertificateTrust(pem: certificates)?.hasSigned(revocations: revocations) == true
        else {
            throw members.fault("revocations", expecting: "certificate revocation lists that the authorities in certificates have signed")
        }
    }

    /// (CreateTrustAnchor refuses other certificates with "Incorrect basic constraints for CA certificate".)
    private static let certificatesCodec = Codec.form(
        .text, expecting: "certificates of authorities (CA:TRUE) in PEM"
    ) { CertificateTrust(pem: $0) != nil }

    private static let serialsCodec: FieldCodec<[String]> = Codec.checked(
        .list(.pattern("^[1-9a-f][0-9a-f]*$")), expecting: "serial numbers in hexadecimal digits in lower case, without leading zeros"
    ) { (serials: [String]) in
        serials.allSatisfy { isHexadecimal($0) && $0.utf8.first != UInt8(ascii: "0") }
    } write: { serials in
        JSONValue.array(serials.map { JSONValue.string($0) })
    }

    /// Returns the trust anchor of a seed as a record of an account.
    func placed(in account: String) -> TrustAnchor {
        var anchor = self
        anchor.account = account
        return anchor
    }
}

extension AnywhereProfile {
    /// Profiles of IAM Roles Anywhere in seeds.
    package static let record = SeedRecord<AnywhereProfile>(
        "Profile of IAM Roles Anywhere", blank: AnywhereProfile(account: "", id: "", name: ""),
        fields: [
            .required("id", \.id, identifier, "The ID of the profile, a UUID."),
            .required("name", \.name, displayName, "The name of the profile."),
            .defaulted("region", \.region, Codec.nonempty("a region"), "The region; us-east-1 by default."),
            .defaulted("enabled", \.enabled, Codec.flag, "Whether clients get credentials; true by default."),
            .required("roles", \.roles, Codec.someTexts("the names of one or more roles of the account"), "The names of roles."),
            .defaulted(
                "duration", \.duration, Codec.integer(900...43_200, "seconds"),
                "The longest lifetime of sessions in seconds; 3600 by default."),
            .defaulted(
                "acceptRoleSessionName", \.acceptRoleSessionName, Codec.flag, "Whether clients may choose the names of sessions."),
            .defaulted(
                "mappings", \.mappings, mappingsCodec,
                "The attributes of x509Subject, x509Issuer and x509SAN that become session tags, such as CN, or * for all."),
            .optional("sessionPolicy", \.sessionPolicy, policyCodec, "A policy that limits the sessions."),
            .attachedPolicies(\.attachedPolicies),
        ])

    private static let policyCodec = Codec.policyTemplate { text throws in _ = try PolicyDocument(parsing: text, kind: .identity) }

    private static let mappingsCodec: FieldCodec<[String: [String]]> = Codec.checked(
        .map(.list(.text)),
        expecting: "lists of attributes such as CN or * for x509Subject and x509Issuer, and of DNS, URI, Name/* or Name/CN for x509SAN"
    ) { (mappings: [String: [String]]) in
        mappings.allSatisfy { name, rules in
            guard let field = CertificateField(rawValue: name) else { return false }
            return rules.allSatisfy { isRule($0, of: field) }
        }
    } write: { mappings in
        JSONValue.object(
            JSONObject(mappings.sorted { $0.key < $1.key }.map { ($0.key, .array($0.value.map { JSONValue.string($0) })) }))
    }

    /// Returns whether a rule names attributes of a field. (IAM Roles Anywhere User Guide, "Certificate attribute mapping".)
    private static func isRule(_ rule: String, of field: CertificateField) -> Bool {
        func isAttribute(_ text: some StringProtocol) -> Bool {
            text == "*" || !text.isEmpty && text.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "*") }
        }
        guard field == .alternativeName else { return isAttribute(rule) }
        return ["DNS", "URI"].contains(rule) || rule.hasPrefix("Name/") && isAttribute(rule.dropFirst(5))
    }

    /// Returns the profile of a seed as a record of an account.
    func placed(in account: String) -> AnywhereProfile {
        var profile = self
        profile.account = account
        return profile
    }
}

private let identifier = Codec.form(
    .pattern("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"),
    expecting: "a UUID in lower case, such as 01234567-89ab-cdef-0123-456789abcdef"
) { id in
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { isHexadecimal($0) }
}

/// (IAM Roles Anywhere API Reference, "CreateProfile", `name`.)
private let displayName = Codec.form(
    .pattern("^[ a-zA-Z0-9_-]{1,255}$"), expecting: "a name of 1 to 255 letters, digits, spaces and _-"
) { name in
    (1...255).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: " _-".utf8.contains(byte)
            }
        }
}
