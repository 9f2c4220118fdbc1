package import Policy
package import WireFormats

/// An EC2 instance, whose metadata service issues the credentials of its role. (EC2 User Guide, "Instance metadata and user data".)
package struct ComputeInstance: Sendable, Codable {
    /// Whether the metadata service requires a token.
    package enum MetadataTokens: String, Sendable, Codable, CaseIterable {
        /// Only version 2 is served.
        case required
        /// Requests without a token are served, too.
        case optional
    }

    /// The number of the account.
    package var account: String
    /// The ID, `i-…`.
    package var id: String
    /// The name of the instance profile, if the instance has one.
    package var profile: String?
    /// Whether the metadata service requires a token.
    package var metadataTokens = MetadataTokens.required
    /// The number of network hops that the metadata's token may make. With one, only clients of this machine are served.
    package var hopLimit = 1
    /// The availability zone, such as `us-east-1a`.
    package var availabilityZone = "us-east-1a"
    /// The ID of the image.
    package var imageID = "ami-0123456789abcdef0"
    /// The type, such as `t3.micro`.
    package var instanceType = "t3.micro"
    /// The private IPv4 address.
    package var privateIP = "10.0.0.10"
    /// The ID of the VPC.
    package var vpc = "vpc-0123456789abcdef0"
    /// The user data; `nil` for none.
    package var userData: String?
    /// The tags.
    package var tags: [Tag] = []
    /// Whether the metadata contains the tags.
    package var tagsInMetadata = false
    /// When the instance was created.
    package var created: Timestamp

    package init(account: String, id: String, created: Timestamp) {
        self.account = account
        self.id = id
        self.created = created
    }

    /// The region, which is the availability zone without its letter.
    package var region: String { String(availabilityZone.dropLast()) }

    /// The ARN.
    package var arn: String { "arn:aws:ec2:\(region):\(account):instance/\(id)" }
}
