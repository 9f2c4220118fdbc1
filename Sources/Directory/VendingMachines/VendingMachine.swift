/// One machine, as whoever deployed it set it up.
package struct VendingMachine: Hashable, Sendable, Codable {
    /// Which of the two machines it is.
    package var kind: VendingMachines.Kind
    /// The account whose credentials are vended.
    package var account: String
    /// The user whose keys the machine asks STS with; `nil` if it asks in the account's own name.
    package var user: String?
    /// The app's name in lower case, which goes into the hash of passwords; Elastic Beanstalk's `PARAM1`.
    package var app: String
    /// The policy of the vended credentials, as JSON with placeholders.
    package var policy: String
    /// Host names that mean this machine alone, in lower case.
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

    /// The policy that the machine comes with: the services of its time, but neither IAM nor the machine's own tables.
    private static func policy(of kind: VendingMachines.Kind) -> String {
        let users = kind == .identity ? #""arn:aws:sdb:__REGION__:__ACCOUNT_ID__:domain/__USERS_DOMAIN__","# : ""
        return #"""
            {"Statement":[\#
            {"Effect":"Allow","Action":["s3:*","sdb:*","sqs:*","sns:*","dynamodb:*"],"Resource":"*"},\#
            {"Effect":"Deny","Action":"sdb:*","Resource":[\#(users)"arn:aws:sdb:__REGION__:__ACCOUNT_ID__:domain/__DEVICE_DOMAIN__"]},\#
            {"Effect":"Deny","Action":"iam:*","Resource":"*"}]}
            """#
    }

    /// The policy for one holder of credentials. Names never hold what could mean more in a policy than themselves.
    /// - Parameter name: what the credentials are for: a user's name, or a device.
    package func policy(for name: String) -> String {
        let domain = kind == .identity ? "TokenVendingMachine_\(app)" : "TokenVendingMachine"
        let values = [
            "__USERNAME__": name, "__REGION__": "us-east-1", "__ACCOUNT_ID__": account, "__USERS_DOMAIN__": "\(domain)_USERS",
            "__DEVICE_DOMAIN__": "\(domain)_DEVICES",
        ]
        // In one pass, so that no value is looked at for placeholders in its turn.
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
