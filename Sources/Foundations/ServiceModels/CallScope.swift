import WireFormats

/// Where a call is made: what the ARNs of its resources begin with.
package struct CallScope: Sendable {
    /// The partition, such as `aws`.
    package var partition: String
    /// The region in the credential scope.
    package var region: String
    /// The account of the caller.
    package var account: String

    package init(partition: String = "aws", region: String, account: String) {
        self.partition = partition
        self.region = region
        self.account = account
    }

    /// Returns the beginning of the ARNs of a service, up to the colon behind the account.
    /// - Parameters:
    ///   - region: the region in the ARN, `r` for that of the call.
    ///   - account: the account in the ARN, `a` for that of the call.
    func prefix(service: String, region: String, account: String) -> String {
        "arn:\(partition):\(service):\(region == "r" ? self.region : region):\(account == "a" ? self.account : account):"
    }
}
