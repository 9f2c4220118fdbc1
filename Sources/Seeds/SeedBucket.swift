package import Directory
package import ObjectStore
import Policy
import WireFormats

struct SeedBucket: Sendable, Decodable {
    var name: String
    var region: String
    /// The bucket policy.
    var policy: PolicyDocument?
    /// The object ownership; `nil` for the default of new buckets.
    var ownership: ObjectOwnership?
    var publicAccess: PublicAccess?
    var versioning: Bool
    var objects: [SeedObject]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, region, policy, ownership, publicAccess, versioning, objects
    }

    /// The values of the setting `publicAccess`.
    enum PublicAccess: String {
        case blocked
        case allowed
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(
            .name, expecting: "a bucket name of 3 to 63 small letters, digits, dots and hyphens", where: Self.isName)
        region = try container.decode(.region, or: "us-east-1")
        if container.contains(.policy) { policy = try container.decodePolicy(.resource, forKey: .policy) }
        ownership = try container.decode(
            .ownership, named: ObjectOwnership.init, expecting: "BucketOwnerEnforced, BucketOwnerPreferred or ObjectWriter")
        publicAccess = try container.decode(.publicAccess, named: PublicAccess.init, expecting: "blocked or allowed")
        versioning = try container.decode(.versioning, or: false)
        objects = try container.decode(.objects, or: [])
    }

    /// - Parameters:
    ///   - base: the configuration of new buckets.
    ///   - directory: has the principals that the bucket policy is bound to. Unknown names are left unchanged.
    func configuration(_ base: BucketConfiguration, _ directory: Directory) -> BucketConfiguration {
        var configuration = base
        if let policy {
            configuration.documents[.policy] = policy.json.serialized()
            configuration.documents[.policyPrincipals] = BoundPrincipals(of: policy, in: directory).stored
        }
        if let ownership { configuration.ownership = ownership }
        switch publicAccess {
        case .blocked: configuration.publicAccessBlock = .all
        case .allowed: configuration.publicAccessBlock = nil
        case nil: break
        }
        if versioning { configuration.versioning = .enabled }
        return configuration
    }

    /// Returns whether a bucket name has valid characters. (S3 User Guide, "General purpose bucket naming rules".)
    private static func isName(_ name: String) -> Bool {
        func isLetterOrDigit(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
        guard (3...63).contains(name.utf8.count), let first = name.utf8.first, let last = name.utf8.last else { return false }
        return isLetterOrDigit(first) && isLetterOrDigit(last)
            && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }
}

/// An object of a bucket in a seed.
package struct SeedObject: Sendable, Decodable {
    /// The key.
    package var key: String
    /// The content.
    package var body: [UInt8]
    /// The value of the `Content-Type` header.
    package var contentType: String?
    /// The user metadata.
    package var metadata: [MetadataField]

    private enum CodingKeys: String, CodingKey, CaseIterable { case key, text, base64, contentType, metadata }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        key = try container.decode(.key, expecting: "an object key of 1 to 1024 bytes") { (1...1024).contains($0.utf8.count) }
        if let encoded: String = try container.decode(ifThere: .base64) {
            guard !container.contains(.text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .text, in: container, debugDescription: "either text or base64, not both")
            }
            guard let bytes = [UInt8](base64: encoded) else {
                throw DecodingError.dataCorruptedError(forKey: .base64, in: container, debugDescription: "base 64 text")
            }
            body = bytes
        } else {
            body = Array(try container.decode(.text, expecting: "the object's text, or base64", where: { (_: String) in true }).utf8)
        }
        contentType = try container.decode(ifThere: .contentType)
        let fields = try container.decode(.metadata, or: [String: String]())
        metadata = fields.sorted { $0.key < $1.key }.map { MetadataField(name: $0.key, value: $0.value) }
    }
}

/// A bucket in a seed, of AWS or of Alibaba Cloud.
package struct SeededBucket: Sendable {
    /// The name.
    package var name: String
    /// The account number of the owner.
    package var account: String
    /// The region.
    package var region: String
    /// The settings and documents of the bucket.
    package var configuration: BucketConfiguration
    /// The objects in it.
    package var objects: [SeedObject]
}

extension Seed {
    /// Returns the buckets of the seed's accounts.
    /// - Parameters:
    ///   - base: the configuration of AWS buckets for settings that the seed does not specify.
    ///   - directory: has the principals of all seeds.
    package func buckets(_ base: BucketConfiguration, in directory: Directory) -> [SeededBucket] {
        accounts.flatMap { account in
            account.buckets.map { bucket in
                SeededBucket(
                    name: bucket.name, account: account.account.id, region: bucket.region,
                    configuration: bucket.configuration(base, directory), objects: bucket.objects)
            }
        }
            + (alibaba?.accounts ?? []).flatMap { account in
                account.buckets.map { bucket in
                    SeededBucket(
                        name: bucket.name, account: account.account.id, region: bucket.region,
                        configuration: bucket.configuration(owner: account.account.id), objects: bucket.objects)
                }
            }
    }
}
