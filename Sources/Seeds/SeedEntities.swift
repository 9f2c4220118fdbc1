import Directory
import Policy
import WireFormats

/// A managed policy of the account.
struct SeedManagedPolicy: Sendable, Decodable {
    var name: String
    var path: String
    var description: String?
    var document: PolicyDocument
    var tags: [Tag]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, path, description, document, tags }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a policy name of 1 to 128 letters, digits and _+=,.@-") {
            isEntityName($0, longest: 128)
        }
        path = try container.path(.path)
        description = try container.decode(ifThere: .description)
        document = try container.decodePolicy(.identity, forKey: .document)
        tags = try container.decode(.tags, or: SeedTags()).tags
    }

    func policy(in account: String, created: Timestamp) -> ManagedPolicy {
        ManagedPolicy(
            account: account, name: name, path: path, id: UniqueName.id(prefix: "ANPA", of: "\(account)/policy/\(name)"),
            description: description, created: created, document: document, tags: tags)
    }
}

struct SeedInstanceProfile: Sendable, Decodable {
    var name: String
    var path: String
    var role: String?
    var tags: [Tag]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, path, role, tags }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "an instance profile's name of 1 to 128 letters, digits and _+=,.@-") {
            isEntityName($0, longest: 128)
        }
        path = try container.path(.path)
        role = try container.decode(ifThere: .role)
        tags = try container.decode(.tags, or: SeedTags()).tags
    }

    func profile(in account: String, created: Timestamp) -> InstanceProfile {
        InstanceProfile(
            account: account, name: name, path: path, id: UniqueName.id(prefix: "AIPA", of: "\(account)/instance-profile/\(name)"),
            created: created, role: role, tags: tags)
    }
}

/// A virtual MFA device, assigned to a user, to the root user, or not at all.
struct SeedDevice: Sendable, Decodable {
    var name: String
    var path: String
    var seed: [UInt8]
    /// The name of the user; empty for the root user; `nil` if the device is not assigned.
    var user: String?
    var tags: [Tag]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, path, seed, user, root, tags }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a device's name of 1 to 226 letters, digits and _+=,.@-") {
            isEntityName($0, longest: 226)
        }
        path = try container.path(.path)
        let text: String = try container.decode(.seed, expecting: "the device's seed in base 32") { !$0.isEmpty && base32($0) != nil }
        seed = base32(text) ?? []
        user = try container.decode(ifThere: .user)
        if try container.decode(.root, or: false) {
            guard user == nil else {
                throw DecodingError.dataCorruptedError(forKey: .root, in: container, debugDescription: "either user or root, not both")
            }
            user = ""
        }
        tags = try container.decode(.tags, or: SeedTags()).tags
    }

    func device(in account: String, created: Timestamp) -> MultiFactorDevice {
        var device = MultiFactorDevice(account: account, name: name, path: path, seed: seed, created: created, tags: tags)
        device.user = user
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

struct SeedTrust: Sendable, Decodable {
    var url: String
    var clientIDs: [String]
    var thumbprints: [String]
    var contextProvider: SeedContextProvider?
    var tags: [Tag]

    private enum CodingKeys: String, CodingKey, CaseIterable { case url, clientIDs, thumbprints, contextProvider, tags }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        contextProvider = try container.decode(ifThere: .contextProvider)
        url = try container.decode(.url, expecting: issuerForm, where: isIssuer)
        clientIDs = try container.decode([String].self, forKey: .clientIDs)
        thumbprints =
            container.contains(.thumbprints)
            ? try container.decode(.thumbprints, expecting: "thumbprints of 40 characters") { (prints: [String]) in
                prints.allSatisfy { $0.utf8.count == 40 }
            } : []
        tags = try container.decode(.tags, or: SeedTags()).tags
    }

    func trust(in account: String, created: Timestamp) -> OpenIDConnectTrust {
        var trust = OpenIDConnectTrust(
            account: account, url: url, clientIDs: clientIDs, thumbprints: thumbprints, created: created, tags: tags)
        trust.contextProvider = contextProvider?.context
        return trust
    }
}

/// A SAML provider of an account: with the metadata of an external identity provider, or the name of one in the seeds.
struct SeedSAMLTrust: Sendable, Decodable {
    var name: String
    var metadata: String
    var identityProvider: String?
    var tags: [Tag]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, metadata, identityProvider, tags }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a SAML provider's name of 1 to 128 letters, digits and ._-") { name in
            isEntityName(name, longest: 128) && !name.contains { "+=,@".contains($0) }
        }
        identityProvider = try container.decode(ifThere: .identityProvider)
        metadata = try container.decodeMetadata(.metadata, ofOurs: identityProvider != nil)
        tags = try container.decode(.tags, or: SeedTags()).tags
    }

    func trust(in account: String, created: Timestamp) -> SAMLTrust {
        var trust = SAMLTrust(account: account, name: name, metadata: metadata, created: created, tags: tags)
        // AWS reports this period for providers whose metadata has no expiry.
        trust.validUntil = created + .seconds(100 * 365 * 86_400)
        trust.uuid = UniqueName.id(prefix: "SAMLP", of: trust.arn)
        trust.identityProvider = identityProvider
        return trust
    }
}
