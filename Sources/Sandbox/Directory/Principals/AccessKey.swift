package import WireFormats

/// A long-term access key: an identifier, which requests name, and a secret, which signs them.
package struct AccessKey: Sendable, Codable {
    /// The identifier, `AKIA…` or `LTAI…`.
    package var id: String
    /// The secret that signs requests.
    package var secret: String
    /// Whether requests that the key signs are rejected; `nil` if not. (IAM API Reference, "UpdateAccessKey".)
    package var isInactive: Bool?
    /// When it was created.
    @Filled package var created: Timestamp
    /// The last use of the key, as `GetAccessKeyLastUsed` returns it.
    package var lastUsed: LastUse?

    /// The last use of an access key. (IAM API Reference, "AccessKeyLastUsed".)
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

    /// Whether the key is accepted.
    package var isActive: Bool { isInactive != true }
}
