package import Directory
import WireFormats

extension ComputeInstance {
    /// EC2 instances in seeds.
    package static let record = SeedRecord<ComputeInstance>(
        "EC2 instance", blank: ComputeInstance(account: "", id: "", created: .fill),
        fields: [
            .required("id", \.id, idCodec, "The ID of the instance."),
            .optional("profile", \.profile, Codec.text, "The name of an instance profile of the account."),
            .defaulted(
                "metadataTokens", \.metadataTokens, Codec.word(MetadataTokens.self),
                "Whether the metadata service requires tokens; required by default."),
            .defaulted(
                "hopLimit", \.hopLimit, Codec.integer(1...64, "hops"),
                "With 1, the default, only clients of this machine are served."),
            .defaulted("availabilityZone", \.availabilityZone, zoneCodec, "The availability zone; us-east-1a by default."),
            .defaulted("imageID", \.imageID, Codec.nonempty("the ID of an image"), "The ID of the image."),
            .defaulted("instanceType", \.instanceType, Codec.nonempty("the type of an instance"), "The type; t3.micro by default."),
            .defaulted("privateIP", \.privateIP, addressCodec, "The private IPv4 address; 10.0.0.10 by default."),
            .defaulted("vpc", \.vpc, Codec.nonempty("the ID of a VPC"), "The ID of the VPC."),
            .optional("userData", \.userData, Codec.text, "The user data."),
            .tags(\.tags),
            .defaulted("tagsInMetadata", \.tagsInMetadata, Codec.flag, "Whether the metadata contains the tags."),
        ])

    private static let idCodec = Codec.form(
        .pattern("^i-([0-9a-f]{8}|[0-9a-f]{17})$"), expecting: "the ID of an instance, such as i-0123456789abcdef0"
    ) { id in
        id.hasPrefix("i-") && [10, 19].contains(id.utf8.count) && isHexadecimal(id.dropFirst(2))
    }

    private static let zoneCodec = Codec.form(
        .pattern("^[a-z0-9-]+[0-9][a-z]$"), expecting: "an availability zone, such as us-east-1a"
    ) { zone in
        let bytes = Array(zone.utf8)
        return bytes.count >= 3 && bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
            && (0x61...0x7A).contains(bytes[bytes.count - 1]) && (0x30...0x39).contains(bytes[bytes.count - 2])
    }

    private static let addressCodec = Codec.form(
        .pattern("^[0-9]{1,3}(\\.[0-9]{1,3}){3}$"), expecting: "an IPv4 address, such as 10.0.0.10"
    ) { address in
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in part.utf8.count <= 3 && UInt8(part) != nil }
    }

    /// Returns the instance of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> ComputeInstance {
        var instance = self
        instance.account = account
        instance.created = created
        return instance
    }
}

/// Returns whether a text has only hexadecimal digits in lower case.
func isHexadecimal(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
}
