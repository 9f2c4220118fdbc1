import Directory
package import ObjectStore
import Policy
import WireFormats

struct SeedBucket: Sendable, Decodable {
    var name: String
    var region: String
    /// The bucket policy as JSON text; compiled once here so that a faulty one is refused.
    var policy: String?
    /// `nil` if new buckets decide.
    var ownership: ObjectOwnership?
    var publicAccess: PublicAccess?
    var versioning: Bool
    var objects: [SeedObject]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, region, policy, ownership, publicAccess, versioning, objects
    }

    /// What the setting `publicAccess` says.
    enum PublicAccess: String {
        case blocked
        case allowed
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(
            .name, expecting: "a bucket name of 3 to 63 small letters, digits, dots and hyphens", where: Self.isName)
        region = try container.decode(.region, or: "us-east-1")
        if container.contains(.policy) {
            policy = try container.decodePolicy(.resource, forKey: .policy).json.serialized()
        }
        ownership = try container.decode(
            .ownership, named: ObjectOwnership.init, expecting: "BucketOwnerEnforced, BucketOwnerPreferred or ObjectWriter")
        publicAccess = try container.decode(.publicAccess, named: PublicAccess.init, expecting: "blocked or allowed")
        versioning = try container.decode(.versioning, or: false)
        objects = try container.decode(.objects, or: [])
    }

    /// - Parameter base: how new buckets are made.
    func configuration(_ base: BucketConfiguration) -> BucketConfiguration {
        var configuration = base
        if let policy { configuration.documents[.policy] = policy }
        if let ownership { configuration.ownership = ownership }
        switch publicAccess {
        case .blocked: configuration.publicAccessBlock = .all
        case .allowed: configuration.publicAccessBlock = nil
        case nil: break
        }
        if versioning { configuration.versioning = .enabled }
        return configuration
    }

    /// (S3 User Guide, "General purpose bucket naming rules", the characters.)
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
    /// The `Content-Type` field.
    package var contentType: String?
    /// The metadata of the owner.
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

/// A bucket that a seed has, of either vendor.
package struct SeededBucket: Sendable {
    /// The name.
    package var name: String
    /// Its owner's identifier.
    package var account: String
    /// The region.
    package var region: String
    /// Its settings and documents.
    package var configuration: BucketConfiguration
    /// The objects in it.
    package var objects: [SeedObject]
}

extension Seed {
    /// The buckets of its accounts.
    /// - Parameter base: how a bucket of AWS is made where the seed says nothing else.
    package func buckets(_ base: BucketConfiguration) -> [SeededBucket] {
        accounts.flatMap { account in
            account.buckets.map { bucket in
                SeededBucket(
                    name: bucket.name, account: account.account.id, region: bucket.region, configuration: bucket.configuration(base),
                    objects: bucket.objects)
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
