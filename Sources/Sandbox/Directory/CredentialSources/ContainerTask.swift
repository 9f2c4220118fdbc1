import WireFormats

/// An ECS task, whose container agent issues the credentials of the task's role. (ECS Developer Guide, "Task IAM role".)
package struct ContainerTask: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The ID: 32 hexadecimal digits.
    package var id: String
    /// The name of the task role.
    package var role: String
    /// The name of the cluster.
    package var cluster = "default"
    /// The region.
    package var region = "us-east-1"
    /// The value that clients must send in `Authorization`; `nil` for none. Without one, only clients of this machine are served.
    package var authorizationToken: String?

    package init(account: String, id: String, role: String) {
        self.account = account
        self.id = id
        self.role = role
    }

    /// The ARN.
    package var arn: String { "arn:aws:ecs:\(region):\(account):task/\(cluster)/\(id)" }

    /// The ID of the task's credentials in URIs: the ID of the task as a UUID.
    package var credentialsID: String {
        let digits = Array(id.utf8)
        guard digits.count == 32 else { return id }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
    }
}
