package import Directory
package import ObjectStore
package import Policy
import WireFormats

/// A bucket of S3 in a seed.
package struct SeedBucket: Sendable {
    /// The name.
    package var name: String
    /// The region.
    package var region: String
    /// The bucket policy.
    var policy: PolicyDocument?
    /// The object ownership; `nil` for the default of new buckets.
    package var ownership: ObjectOwnership?
    /// Whether public access is blocked; `nil` for the default of new buckets.
    package var publicAccess: PublicAccess?
    /// Whether versioning is enabled.
    package var versioning = false
    /// The tags.
    package var tags: [Tag] = []
    /// The objects in it.
    package var objects: [SeedObject] = []

    /// The values of the setting `publicAccess`.
    package enum PublicAccess: String, Sendable, CaseIterable {
        /// All public access is blocked.
        case blocked
        /// No public access is blocked.
        case allowed
    }

    package init(name: String, region: String = "us-east-1") {
        self.name = name
        self.region = region
    }

    /// Buckets of S3 in seeds.
    package static let record = SeedRecord<SeedBucket>(
        "S3 bucket", blank: SeedBucket(name: ""),
        fields: [
            .required("name", \.name, nameCodec, "The bucket name."),
            .defaulted("region", \.region, Codec.text, "The region; us-east-1 by default.", isAlwaysWritten: true),
            .optional("policy", \.policy, Codec.policy(.resource), "The bucket policy."),
            .optional("ownership", \.ownership, ownershipCodec, "Object ownership; by default that of new buckets."),
            .optional(
                "publicAccess", \.publicAccess, Codec.word(PublicAccess.self, expecting: "blocked or allowed"),
                "Whether public access is blocked; by default that of new buckets."),
            .defaulted("versioning", \.versioning, Codec.flag, "Whether versioning is enabled."),
            .tags(\.tags),
            .defaulted("objects", \.objects, Codec.list(SeedObject.record), "Objects."),
        ])

    private static let nameCodec = Codec.form(
        .pattern("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"),
        expecting: "a bucket name of 3 to 63 small letters, digits, dots and hyphens"
    ) { isName($0) }

    private static let ownershipCodec: FieldCodec<ObjectOwnership> = Codec.named(
        .words(["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"]),
        expecting: "BucketOwnerEnforced, BucketOwnerPreferred or ObjectWriter", make: { ObjectOwnership(rawValue: $0) },
        text: { $0.rawValue })

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
        configuration.tags = tags
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
