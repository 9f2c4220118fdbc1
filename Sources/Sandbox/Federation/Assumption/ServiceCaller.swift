import WireFormats

/// A service of AWS that assumes a role for one of its resources.
/// (IAM User Guide, "AWS service principals" and "The confused deputy problem".)
package struct ServiceCaller: Sendable {
    /// The principal of trust policies, such as `ec2.amazonaws.com`.
    package var principal: String
    /// The ARN of the resource, which is `aws:SourceArn`; `nil` for services that do not state it.
    package var sourceARN: String?
    /// The account of the resource, which is `aws:SourceAccount`; `nil` for services that do not state it.
    package var sourceAccount: String?
    /// The region of the resource.
    package var region: String

    package init(principal: String, sourceARN: String? = nil, sourceAccount: String? = nil, region: String) {
        self.principal = principal
        self.sourceARN = sourceARN
        self.sourceAccount = sourceAccount
        self.region = region
    }
}
