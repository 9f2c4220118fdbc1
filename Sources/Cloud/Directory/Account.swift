/// An AWS account of the sandbox: the owner of users, roles and buckets.
package struct Account: Hashable, Sendable, Codable {
    /// Twelve digits.
    package var id: String
    /// What ACLs and listings show as the owner's display name.
    package var name: String
    /// Keys of the root user. A root key may do everything that no policy denies.
    package var rootKeys: [AccessKey]

    package init(id: String, name: String, rootKeys: [AccessKey]) {
        self.id = id
        self.name = name
        self.rootKeys = rootKeys
    }

    /// `arn:aws:iam::<id>:root`
    package var rootARN: String { "arn:aws:iam::\(id):root" }
}

/// A long-term access key: the identifier that a request names and the secret that signs it.
package struct AccessKey: Hashable, Sendable, Codable {
    package var id: String
    package var secret: String

    package init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }
}
