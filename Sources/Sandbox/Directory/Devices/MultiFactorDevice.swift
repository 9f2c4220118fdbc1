package import Policy
package import WireFormats

/// A virtual device that shows one-time passwords (RFC 6238: SHA-1, six digits, 30 seconds).
package struct MultiFactorDevice: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name.
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The secret that device and service share.
    package var seed: [UInt8]
    /// When it was created.
    package var created: Timestamp
    /// The holder's user name, or `""` for the root user; `nil` while the device is not assigned.
    package var user: String?
    /// When it was assigned to its holder.
    package var enabled: Timestamp?
    /// How many passwords the device's clock is ahead, as found when it was enabled or synchronised.
    package var drift: Int64?
    /// The tags.
    package var tags: [Tag]

    package init(account: String, name: String, path: String, seed: [UInt8], created: Timestamp, tags: [Tag] = []) {
        self.account = account
        self.name = name
        self.path = path
        self.seed = seed
        self.created = created
        self.tags = tags
    }

    /// The serial number, which is the device's ARN.
    package var arn: String { "arn:aws:iam::\(account):mfa\(path)\(name)" }
}
