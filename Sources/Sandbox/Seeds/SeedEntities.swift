package import Directory
import Policy
import WireFormats

extension ManagedPolicy {
    /// Customer managed policies of IAM in seeds.
    package static let record = SeedRecord<ManagedPolicy>(
        "Managed policy", blank: .blank,
        fields: [
            .required("name", \.name, Codec.entityName(longest: 128, of: "a policy"), "The policy name."),
            .path(\.path),
            .optional("description", \.description, Codec.text, "A description."),
            .document(.aws),
            .tags(\.tags),
        ])

    /// A policy before its fields are read.
    static let blank = ManagedPolicy(account: "", name: "", path: "/", id: "", created: .fill, document: .empty)

    /// The document of the version that is in effect. A seed has no other version.
    fileprivate var effectiveDocument: PolicyDocument {
        get { document ?? .empty }
        set { versions = [Version(number: defaultVersion, document: newValue, created: created)] }
    }

    /// Returns the policy of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> ManagedPolicy {
        ManagedPolicy(
            account: account, name: name, path: path, id: UniqueName.id(prefix: "ANPA", of: "\(account)/policy/\(name)"),
            description: description, created: created, document: effectiveDocument, tags: tags)
    }
}

extension SeedField<ManagedPolicy> {
    /// The document of a policy in either cloud.
    /// - Parameter vendor: the cloud, which determines the dialect.
    static func document(_ vendor: Vendor) -> SeedField {
        required("document", \.effectiveDocument, Codec.policy(.identity, vendor == .alibaba ? .ram : nil), "The policy document.")
    }
}

extension InstanceProfile {
    /// Instance profiles in seeds.
    package static let record = SeedRecord<InstanceProfile>(
        "Instance profile", blank: InstanceProfile(account: "", name: "", path: "/", id: "", created: .fill),
        fields: [
            .required("name", \.name, Codec.entityName(longest: 128, of: "an instance profile's"), "The name of the profile."),
            .path(\.path),
            .optional("role", \.role, Codec.text, "The name of a role of the account."),
            .tags(\.tags),
        ])

    /// Returns the profile of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> InstanceProfile {
        var profile = self
        profile.account = account
        profile.id = UniqueName.id(prefix: "AIPA", of: "\(account)/instance-profile/\(name)")
        profile.created = created
        return profile
    }
}

extension MultiFactorDevice {
    /// Virtual MFA devices in seeds: assigned to a user, to the root user, or not at all.
    package static let record = SeedRecord<MultiFactorDevice>(
        "Virtual MFA device", blank: MultiFactorDevice(account: "", name: "", path: "/", seed: [], created: .fill),
        fields: [
            .required("name", \.name, Codec.entityName(longest: 226, of: "a device's"), "The name of the device."),
            .path(\.path),
            .required("seed", \.seed, seedCodec, "The secret in base 32."),
            .optional("user", \.userName, Codec.text, "The user that the device is enabled for."),
            .defaulted("root", \.isOfRoot, Codec.flag, "Whether the device is enabled for the root user."),
            .tags(\.tags),
        ]
    ) { device, members in
        guard device.isOfRoot, members.has("user"), try members.decode(FieldName("root"), or: false) else { return }
        throw members.fault("root", expecting: "either user or root, not both")
    }

    private static let seedCodec: FieldCodec<[UInt8]> = Codec.named(
        .pattern("^[A-Za-z2-7]+=*$"), expecting: "the device's seed in base 32", make: { text in text.isEmpty ? nil : base32(text) },
        text: { $0.base32 })

    /// The user that has the device; `nil` for the root user, too.
    fileprivate var userName: String? {
        get { isOfRoot ? nil : user }
        set { user = newValue }
    }

    /// Whether the root user has the device.
    fileprivate var isOfRoot: Bool {
        get { user == "" }
        set { if newValue { user = "" } }
    }

    /// Returns the device of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> MultiFactorDevice {
        var device = self
        device.account = account
        device.created = created
        if user != nil { device.enabled = created }
        return device
    }
}

/// Decodes base 32, with or without padding, in upper or lower case. (RFC 4648 section 6.)
private func base32(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for byte in text.uppercased().utf8.reversed().drop(while: { $0 == UInt8(ascii: "=") }).reversed() {
        let digit: UInt8
        switch byte {
        case 0x41...0x5A: digit = byte - 0x41
        case 0x32...0x37: digit = byte - 0x32 + 26
        default: return nil
        }
        bits = bits << 5 | Int(digit)
        count += 5
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(bits >> count & 0xFF))
            bits &= 1 << count - 1
        }
    }
    return bytes
}

extension OpenIDConnectTrust {
    /// OpenID Connect providers of accounts of AWS in seeds.
    package static let record = SeedRecord<OpenIDConnectTrust>(
        "OpenID Connect provider of an account", blank: .blank,
        fields: [
            .issuer(\.url),
            .clientIDs,
            .defaulted("thumbprints", \.thumbprints, thumbprintsOfAWS, "Certificate thumbprints. They are stored and ignored."),
            .optional(
                "contextProvider", \.contextProvider, Codec.record(ContextProvider.record),
                "What sessions take over from tokens as their trusted context."),
            .tags(\.tags),
        ])

    /// A provider before its fields are read.
    static let blank = OpenIDConnectTrust(account: "", url: "", clientIDs: [])

    private static let thumbprintsOfAWS: FieldCodec<[String]> = Codec.checked(
        .list(.pattern("^.{40}$")), expecting: "thumbprints of 40 characters"
    ) { prints in
        prints.allSatisfy { $0.utf8.count == 40 }
    } write: { prints in
        JSONValue.array(prints.map { JSONValue.string($0) })
    }

    /// Returns the provider of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> OpenIDConnectTrust {
        var trust = self
        trust.account = account
        trust.created = created
        return trust
    }
}

extension SeedField<OpenIDConnectTrust> {
    /// The accepted audiences, in either cloud.
    static var clientIDs: SeedField { required("clientIDs", \.clientIDs, Codec.texts, "Audiences that are accepted.") }
}

extension SeedField {
    /// The URL of an issuer that an account trusts.
    static func issuer(_ path: any WritableKeyPath<Record, String> & Sendable) -> SeedField {
        required("url", path, Codec.form(.issuer, expecting: issuerForm, where: isIssuer), "The issuer's URL.")
    }
}

/// A description of what ``isIssuer(_:)`` accepts.
let issuerForm = "an issuer URL that begins with https://, without query, of at most 255 characters"

/// Returns whether IAM accepts the URL of an OpenID Connect provider. (IAM API Reference, "CreateOpenIDConnectProvider".)
func isIssuer(_ url: String) -> Bool {
    url.hasPrefix("https://") && url.utf8.count > "https://".utf8.count && url.utf8.count <= 255
        && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
}

extension SAMLTrust {
    /// SAML providers of accounts of AWS in seeds: with the metadata of an external identity provider, or the name of one in the seeds.
    package static let record = SeedRecord<SAMLTrust>(
        "SAML provider of an account", blank: .blank,
        fields: [
            .required("name", \.name, nameOfAWS, "The name of the provider."),
            .defaulted(
                "metadata", \.metadata, Codec.text, "The identity provider's metadata document, if it is not one of this seed."),
            .optional("identityProvider", \.identityProvider, Codec.text, "The name of an identity provider of the seeds that has saml."),
            .tags(\.tags),
        ]
    ) { trust, members in try trust.checkMetadata(members) }

    /// A provider before its fields are read.
    static let blank = SAMLTrust(account: "", name: "", metadata: "", created: .fill)

    private static let nameOfAWS = Codec.form(
        .pattern("^[A-Za-z0-9._-]+$"), expecting: "a SAML provider's name of 1 to 128 letters, digits and ._-"
    ) { name in
        isEntityName(name, longest: 128) && !name.contains { "+=,@".contains($0) }
    }

    /// Checks that there is metadata, or the name of a provider of this server, which has its own.
    func checkMetadata(_ members: SeedMembers) throws {
        if identityProvider != nil {
            guard members.has("metadata") else { return }
            throw members.fault("metadata", expecting: "no metadata beside identityProvider, which has its own")
        }
        guard metadata.isEmpty else { return }
        let (key, expected) = (FieldName("metadata"), "the provider's metadata, an XML document")
        guard members.contains(key) else { return try members.reportMissing(key, expecting: expected) }
        try members.refuse(key, expecting: expected)
    }

    /// Returns the provider of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> SAMLTrust {
        var trust = self
        trust.account = account
        trust.created = created
        // AWS reports this period for providers whose metadata has no expiry.
        trust.validUntil = created + .seconds(100 * 365 * 86_400)
        trust.uuid = UniqueName.id(prefix: "SAMLP", of: trust.arn)
        return trust
    }
}
