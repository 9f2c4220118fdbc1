package import WireFormats

/// A long-term access key: the identifier that a request names and the secret that signs it.
package struct AccessKey: Sendable, Codable {
    package var id: String
    package var secret: String
    /// An inactive key signs nothing. (IAM API Reference, "UpdateAccessKey".)
    package var isInactive: Bool?
    @Filled package var created: Timestamp
    /// When, where and for what the key was used last, as `GetAccessKeyLastUsed` tells.
    package var lastUsed: LastUse?

    /// (IAM API Reference, "AccessKeyLastUsed".)
    package struct LastUse: Sendable, Codable, Equatable {
        package var time: Timestamp
        package var service: String
        package var region: String

        package init(time: Timestamp, service: String, region: String) {
            self.time = time
            self.service = service
            self.region = region
        }
    }

    package init(id: String, secret: String, created: Timestamp = .fill) {
        self.id = id
        self.secret = secret
        self.created = created
    }

    package var isActive: Bool { isInactive != true }
}
