import Directory
package import ObjectStore
package import Policy
import WireFormats

/// A bucket of OSS in a seed.
package struct SeedOSSBucket: Sendable {
    /// The name.
    package var name: String
    /// The region.
    package var region: String
    /// The ACL.
    package var access = OSSBucketAccess.private
    /// The storage class.
    package var storageClass = "Standard"
    /// Whether versioning is enabled.
    package var versioning = false
    /// The tags.
    package var tags: [Tag] = []
    /// The bucket policy as JSON text. It is compiled once here, so that an invalid policy is rejected.
    package var policy: String?
    /// Additional host names of the bucket.
    package var hosts: [String] = []
    /// The account of AWS that can also access the bucket through S3.
    package var sharedWith: String?
    /// The objects in it.
    package var objects: [SeedObject] = []

    package init(name: String, region: String = "cn-hangzhou") {
        self.name = name
        self.region = region
    }

    /// Buckets of OSS in seeds.
    package static let record = SeedRecord<SeedOSSBucket>(
        "OSS bucket", blank: SeedOSSBucket(name: ""),
        fields: [
            .required("name", \.name, nameCodec, "The bucket name."),
            .defaulted("region", \.region, regionCodec, "The region; cn-hangzhou by default.", isAlwaysWritten: true),
            .defaulted(
                "acl", \.access, Codec.word(OSSBucketAccess.self, expecting: "private, public-read or public-read-write"),
                "The ACL; private by default."),
            .defaulted("storageClass", \.storageClass, classCodec, "The storage class."),
            .defaulted("versioning", \.versioning, Codec.flag, "Whether versioning is enabled."),
            .tags(\.tags),
            .optional("policy", \.policy, policyCodec, "The bucket policy."),
            .defaulted("hosts", \.hosts, Codec.hosts, "Further host names."),
            .optional("sharedWith", \.sharedWith, accountCodec, "The AWS account that sees the bucket at S3."),
            .defaulted("objects", \.objects, Codec.list(SeedObject.ossRecord), "Objects."),
        ])

    private static let nameCodec = Codec.form(
        .pattern("^[a-z0-9-]{3,63}$"), expecting: "a bucket name of 3 to 63 small letters, digits and hyphens"
    ) { isName($0) }

    private static let regionCodec = Codec.form(.text, expecting: "a region such as cn-hangzhou") { isRegion($0) }

    private static let classes = ["Standard", "IA", "Archive", "ColdArchive", "DeepColdArchive"]

    private static let classCodec: FieldCodec<String> = Codec.named(
        .text, expecting: classes.joined(separator: ", "), make: { classes.contains($0) ? $0 : nil }, text: { $0 })

    private static let policyCodec: FieldCodec<String> = {
        let codec = Codec.policy(.resource, .ram)
        return FieldCodec<String>(
            shape: codec.shape, expected: nil, read: { members, key in try codec.read(members, key)?.json.serialized() },
            write: { try JSONValue(parsing: $0) })
    }()

    private static let accountCodec = Codec.form(.pattern("^[0-9]{12}$"), expecting: "an account id of twelve digits") {
        isAccountID($0, digits: 12)
    }

    /// - Parameter owner: the account number.
    func configuration(owner: String) -> BucketConfiguration {
        var configuration = BucketConfiguration()
        configuration.accessControl = access.list(owner: owner)
        if versioning { configuration.versioning = .enabled }
        configuration.tags = tags
        if let policy { configuration.documents[.ossPolicy] = policy }
        if storageClass != "Standard" { configuration.documents[.ossStorageClass] = storageClass }
        if !hosts.isEmpty { configuration.documents[.ossHosts] = JSONValue.array(hosts.map { .string($0) }).serialized() }
        if let sharedWith { configuration.documents[.sharedWith] = sharedWith }
        return configuration
    }

    /// Returns whether a text has the form of a region. (OSS User Guide, "Regions and endpoints".)
    private static func isRegion(_ name: String) -> Bool {
        let labels = name.split(separator: "-", omittingEmptySubsequences: false)
        return labels.count >= 2 && !name.hasPrefix("oss-")
            && labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) } }
    }

    /// Returns whether a text is a valid bucket name. (OSS User Guide, "Bucket naming conventions".)
    private static func isName(_ name: String) -> Bool {
        (3...63).contains(name.utf8.count) && name.first != "-" && name.last != "-"
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
