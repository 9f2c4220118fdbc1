import Cryptography
import Directory
import Policy
import WireFormats

/// The items of an instance's metadata that are not credentials. (EC2 User Guide, "Instance metadata categories".)
struct MetadataTree {
    /// The items by path, in the order of listings.
    private var items: [(path: String, text: String)] = []

    /// - Parameters:
    ///   - profile: the instance profile, if the instance has one.
    ///   - role: the name of the role in the profile.
    ///   - time: the time of the request.
    init(of instance: ComputeInstance, profile: InstanceProfile?, role: String?, at time: Timestamp) {
        let host = Self.hostName(of: instance)
        var data: [(String, String)] = [
            ("ami-id", instance.imageID), ("hostname", host), ("instance-id", instance.id), ("instance-type", instance.instanceType),
            ("local-hostname", host), ("local-ipv4", instance.privateIP), ("mac", Self.hardwareAddress(of: instance)),
            ("placement/availability-zone", instance.availabilityZone),
            ("placement/availability-zone-id", Self.zoneID(of: instance)), ("placement/region", instance.region),
            ("services/domain", "amazonaws.com"), ("services/partition", "aws"),
        ]
        if let profile, let role {
            let info: JSONObject = [
                "Code": "Success", "LastUpdated": .string(time.iso8601), "InstanceProfileArn": .string(profile.arn),
                "InstanceProfileId": .string(profile.id),
            ]
            // The credentials themselves are not an item here.
            data += [("iam/info", JSONValue.object(info).serialized()), ("iam/security-credentials/\(role)", "")]
        }
        if instance.tagsInMetadata { data += instance.tags.map { ("tags/instance/\($0.key)", $0.value) } }
        items = data.map { ("meta-data/\($0.0)", $0.1) }
        items.append(("dynamic/instance-identity/document", ""))
        if let userData = instance.userData { items.append(("user-data", userData)) }
    }

    /// The text of an item, or the listing of a folder; `nil` if there is neither.
    subscript(path: String) -> String? {
        if let item = items.first(where: { $0.path == path }) { return item.text }
        var names: [String] = []
        for item in items where item.path.hasPrefix(path + "/") {
            let rest = item.path.dropFirst(path.count + 1)
            let name = rest.prefix { $0 != "/" }
            // Roles and tags are listed without a slash, as are all names without items below them.
            let entry = name.count < rest.count ? "\(name)/" : String(name)
            if !names.contains(where: { $0 == entry }) { names.append(entry) }
        }
        return names.isEmpty ? nil : names.sorted { $0 < $1 }.joined(separator: "\n")
    }

    /// Returns the document of `dynamic/instance-identity/document`.
    static func identityDocument(of instance: ComputeInstance) -> JSONValue {
        [
            "accountId": .string(instance.account), "architecture": "x86_64", "availabilityZone": .string(instance.availabilityZone),
            "billingProducts": .null, "devpayProductCodes": .null, "marketplaceProductCodes": .null,
            "imageId": .string(instance.imageID), "instanceId": .string(instance.id), "instanceType": .string(instance.instanceType),
            "kernelId": .null, "pendingTime": .string(instance.created.iso8601), "privateIp": .string(instance.privateIP),
            "ramdiskId": .null, "region": .string(instance.region), "version": "2017-09-30",
        ]
    }

    private static func hostName(of instance: ComputeInstance) -> String {
        let address = instance.privateIP.replacing(".", with: "-")
        return "ip-\(address).\(instance.region == "us-east-1" ? "ec2" : "\(instance.region).compute").internal"
    }

    /// Returns a locally administered address that depends only on the ID.
    private static func hardwareAddress(of instance: ComputeInstance) -> String {
        ([2] + SHA256.hash(instance.id).prefix(5)).map { [$0].hex }.joined(separator: ":")
    }

    /// Returns the ID of the zone, such as `use1-az1` for `us-east-1a`. In AWS, which zone has which ID differs between accounts.
    private static func zoneID(of instance: ComputeInstance) -> String {
        let parts = instance.region.split(separator: "-").map { String($0) }
        let letter = instance.availabilityZone.utf8.last ?? UInt8(ascii: "a")
        guard parts.count == 3 else { return "\(instance.region)-az1" }
        return "\(parts[0])\(directions[parts[1]] ?? String(parts[1].prefix(1)))\(parts[2])-az\(Int(letter) - 0x60)"
    }

    private static let directions = [
        "northeast": "ne", "southeast": "se", "northwest": "nw", "southwest": "sw", "central": "c", "north": "n", "south": "s", "east": "e",
        "west": "w",
    ]
}
