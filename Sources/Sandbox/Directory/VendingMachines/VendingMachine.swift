import WireFormats

/// A token vending machine, with its configuration.
package struct VendingMachine: Hashable, Sendable, Codable {
    /// Which of the two machines it is.
    package var kind: VendingMachines.Kind
    /// The account whose credentials are vended.
    package var account: String
    /// The user whose credentials the machine calls STS with; `nil` for the root user.
    package var user: String?
    /// The app's name in lower case, which is part of password hashes; `PARAM1` of Elastic Beanstalk.
    package var app: String
    /// The policy of the vended credentials, as JSON with placeholders.
    package var policy: String
    /// Host names that address only this machine, in lower case.
    package var hosts: [String]

    package init(
        kind: VendingMachines.Kind, account: String, user: String? = nil, app: String = Self.defaultApp, policy: String? = nil,
        hosts: [String] = []
    ) {
        self.kind = kind
        self.account = account
        self.user = user
        self.app = app
        self.policy = policy ?? Self.policy(of: kind)
        self.hosts = hosts
    }

    /// The app name of the samples.
    package static let defaultApp = "mymobileappname"

    /// Returns the default policy of a machine: the services of its time, except IAM and the machine's own tables.
    private static func policy(of kind: VendingMachines.Kind) -> String {
        let users = kind == .identity ? #""arn:aws:sdb:__REGION__:__ACCOUNT_ID__:domain/__USERS_DOMAIN__","# : ""
        return #"""
            {"Statement":[\#
            {"Effect":"Allow","Action":["s3:*","sdb:*","sqs:*","sns:*","dynamodb:*"],"Resource":"*"},\#
            {"Effect":"Deny","Action":"sdb:*","Resource":[\#(users)"arn:aws:sdb:__REGION__:__ACCOUNT_ID__:domain/__DEVICE_DOMAIN__"]},\#
            {"Effect":"Deny","Action":"iam:*","Resource":"*"}]}
            """#
    }

    /// Returns the policy for one holder of credentials. Names contain no characters with a special meaning in policies.
    /// - Parameter name: the name of a user, or the identifier of a device.
    package func policy(for name: String) -> String {
        let domain = kind == .identity ? "TokenVendingMachine_\(app)" : "TokenVendingMachine"
        let values = [
            "__USERNAME__": name, "__REGION__": "us-east-1", "__ACCOUNT_ID__": account, "__USERS_DOMAIN__": "\(domain)_USERS",
            "__DEVICE_DOMAIN__": "\(domain)_DEVICES",
        ]
        // Placeholders are replaced in one pass, so that values are not searched for placeholders.
        var rest = policy[...]
        var text = ""
        while let start = rest.firstRange(of: "__") {
            text += rest[..<start.lowerBound]
            rest = rest[start.lowerBound...]
            if let (placeholder, value) = values.first(where: { rest.hasPrefix($0.key) }) {
                text += value
                rest = rest.dropFirst(placeholder.count)
            } else {
                text += "_"
                rest = rest.dropFirst()
            }
        }
        return text + rest
    }
}
