import Directory
import ObjectStore
import Policy
import WireFormats

/// A bucket of OSS.
struct SeedOSSBucket: Sendable, Decodable {
    var name: String
    var region: String
    var access: OSSBucketAccess
    var storageClass: String
    var versioning: Bool
    /// The bucket policy as JSON text. It is compiled once here, so that an invalid policy is rejected.
    var policy: String?
    /// Additional host names of the bucket.
    var hosts: [String]
    /// The account of AWS that can also access the bucket through S3.
    var sharedWith: String?
    var objects: [SeedObject]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, region, acl, storageClass, versioning, policy, hosts, sharedWith, objects
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a bucket name of 3 to 63 small letters, digits and hyphens", where: Self.isName)
        region =
            container.contains(.region)
            ? try container.decode(.region, expecting: "a region such as cn-hangzhou", where: Self.isRegion) : "cn-hangzhou"
        access =
            try container.decode(.acl, named: OSSBucketAccess.init, expecting: "private, public-read or public-read-write") ?? .private
        let classes = ["Standard", "IA", "Archive", "ColdArchive", "DeepColdArchive"]
        storageClass =
            try container.decode(.storageClass, named: { classes.contains($0) ? $0 : nil }, expecting: classes.joined(separator: ", "))
            ?? "Standard"
        versioning = try container.decode(.versioning, or: false)
        if container.contains(.policy) { policy = try container.decodePolicy(.resource, forKey: .policy, .ram).json.serialized() }
        hosts = try container.decodeHosts(.hosts)
        sharedWith =
            container.contains(.sharedWith)
            ? try container.decode(.sharedWith, expecting: "an account id of twelve digits") { (id: String) in
                id.utf8.count == 12 && id.utf8.allSatisfy { (0x30...0x39).contains($0) }
            } : nil
        objects = try container.decode(.objects, or: [SeedOSSObject]()).map(\.object)
    }

    /// - Parameter owner: the account number.
    func configuration(owner: String) -> BucketConfiguration {
        var configuration = BucketConfiguration()
        configuration.accessControl = access.list(owner: owner)
        if versioning { configuration.versioning = .enabled }
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

/// An object whose key OSS accepts. (OSS User Guide, "Object naming conventions".)
private struct SeedOSSObject: Sendable, Decodable {
    var object: SeedObject

    private enum CodingKeys: String, CodingKey { case key }

    init(from decoder: any Decoder) throws {
        object = try SeedObject(from: decoder)
        let first = object.key.utf8.first
        guard object.key.utf8.count <= 1023, first != UInt8(ascii: "/"), first != UInt8(ascii: "\\") else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [CodingKeys.key],
                    debugDescription: "an object key of 1 to 1023 bytes that begins with no slash or backslash"))
        }
    }
}
