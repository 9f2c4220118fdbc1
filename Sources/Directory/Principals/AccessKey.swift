package import WireFormats

/// A long-term access key: the identifier that a request names and the secret that signs it.
package struct AccessKey: Sendable, Codable {
    /// The identifier, `AKIA…` or `LTAI…`.
    package var id: String
    /// The secret that signs requests.
    package var secret: String
    /// An inactive key signs nothing. (IAM API Reference, "UpdateAccessKey".)
    package var isInactive: Bool?
    /// When it was created.
    @Filled package var created: Timestamp
    /// When, where and for what the key was used last, as `GetAccessKeyLastUsed` tells.
    package var lastUsed: LastUse?

    /// (IAM API Reference, "AccessKeyLastUsed".)
    package struct LastUse: Sendable, Codable, Equatable {
        /// When the key was used.
        package var time: Timestamp
        /// The service that was called.
        package var service: String
        /// The region of the request.
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

    /// Whether the key can sign.
    package var isActive: Bool { isInactive != true }
}
