package import Policy
package import WireFormats

/// An IAM user with its credentials, policies and groups.
package struct User: Sendable, Codable {
    /// The account that the user belongs to.
    package var account: String
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AIDA…`.
    package var id: String
    @Filled package var created: Timestamp
    package var accessKeys: [AccessKey]
    package var policies: [InlinePolicy]
    /// ARNs of managed policies, in the order in which they were attached.
    @Filled package var attachedPolicies: [String]
    /// Names of groups of the account.
    @Filled package var groups: [String]
    /// The ARN of the managed policy that bounds what the user may do.
    package var boundary: String?
    @Filled package var tags: [Tag]
    package var loginProfile: LoginProfile?
    @Filled package var publicKeys: [SSHPublicKey]
    @Filled package var signingCertificates: [SigningCertificate]
    @Filled package var serviceCredentials: [ServiceCredential]
    /// What RAM knows beside, of users at Alibaba Cloud.
    package var profile: UserProfile?
    /// When policies were attached, by ARN, and when the user joined groups, by name; RAM tells both.
    package var attachmentDates: [String: Timestamp]?
    package var joinDates: [String: Timestamp]?

    package init(
        account: String, name: String, path: String, id: String, created: Timestamp = .fill, accessKeys: [AccessKey] = [],
        policies: [InlinePolicy] = [], attachedPolicies: [String] = [], groups: [String] = [], boundary: String? = nil, tags: [Tag] = []
    ) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.created = created
        self.accessKeys = accessKeys
        self.policies = policies
        self.attachedPolicies = attachedPolicies
        self.groups = groups
        self.boundary = boundary
        self.tags = tags
        publicKeys = []
        signingCertificates = []
        serviceCredentials = []
    }

    package var arn: String { identityARN(account, "user", path + name) }
}

/// A user's password for the console. (IAM API Reference, "LoginProfile".)
package struct LoginProfile: Sendable, Codable {
    package var password: String
    package var created: Timestamp
    package var mustChange: Bool
    /// When the password was set last.
    @Filled package var changed: Timestamp
    /// Passwords of before, the latest first, for policies that forbid to use them again.
    @Filled package var earlier: [String]
    /// Whether RAM asks for a device at the next login.
    package var mustBindDevice: Bool?

    package init(password: String, created: Timestamp, mustChange: Bool) {
        self.password = password
        self.created = created
        self.mustChange = mustChange
        changed = created
        earlier = []
    }
}

/// An IAM group: policies that its users have. Who belongs to it is said by ``User/groups``.
package struct Group: Sendable, Codable {
    package var account: String
    package var name: String
    package var path: String
    /// The unique identifier, `AGPA…`.
    package var id: String
    package var created: Timestamp
    package var policies: [InlinePolicy]
    package var attachedPolicies: [String]
    /// What RAM knows beside, of groups at Alibaba Cloud.
    package var profile: GroupProfile?
    /// When policies were attached, by ARN; RAM tells.
    package var attachmentDates: [String: Timestamp]?

    package init(
        account: String, name: String, path: String, id: String, created: Timestamp, policies: [InlinePolicy] = [],
        attachedPolicies: [String] = []
    ) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.created = created
        self.policies = policies
        self.attachedPolicies = attachedPolicies
    }

    package var arn: String { identityARN(account, "group", path + name) }
}

/// An IAM role: whom it trusts, and what its sessions may do.
package struct Role: Sendable, Codable {
    package var account: String
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AROA…`.
    package var id: String
    @Filled package var created: Timestamp
    package var description: String?
    package var trustPolicy: TrustPolicy
    package var policies: [InlinePolicy]
    /// ARNs of managed policies, in the order in which they were attached.
    @Filled package var attachedPolicies: [String]
    /// The ARN of the managed policy that bounds what the role may do.
    package var boundary: String?
    @Filled package var tags: [Tag]
    /// Seconds, 3,600 to 43,200.
    package var maximumSessionDuration: Int
    /// When something of the role changed last, and when policies were attached, by ARN; RAM tells both.
    package var updated: Timestamp?
    package var attachmentDates: [String: Timestamp]?

    package init(
        account: String, name: String, path: String, id: String, created: Timestamp = .fill, description: String? = nil,
        trustPolicy: TrustPolicy, policies: [InlinePolicy] = [], attachedPolicies: [String] = [], boundary: String? = nil,
        tags: [Tag] = [], maximumSessionDuration: Int = 3600
    ) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.created = created
        self.description = description
        self.trustPolicy = trustPolicy
        self.policies = policies
        self.attachedPolicies = attachedPolicies
        self.boundary = boundary
        self.tags = tags
        self.maximumSessionDuration = maximumSessionDuration
    }

    package var arn: String { identityARN(account, "role", path + name) }
}

/// What lets an instance take a role. (IAM User Guide, "Use instance profiles".)
package struct InstanceProfile: Sendable, Codable {
    package var account: String
    package var name: String
    package var path: String
    /// The unique identifier, `AIPA…`.
    package var id: String
    package var created: Timestamp
    /// The name of the role in it, if there is one.
    package var role: String?
    package var tags: [Tag]

    package init(account: String, name: String, path: String, id: String, created: Timestamp, role: String? = nil, tags: [Tag] = []) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.created = created
        self.role = role
        self.tags = tags
    }

    package var arn: String { "arn:aws:iam::\(account):instance-profile\(path)\(name)" }
}

/// A virtual device that shows one-time passwords (RFC 6238: SHA-1, six digits, 30 seconds).
package struct MultiFactorDevice: Sendable, Codable {
    package var account: String
    package var name: String
    package var path: String
    /// The secret that device and service share.
    package var seed: [UInt8]
    package var created: Timestamp
    /// The holder's user name, or `""` for the root user; nothing while the device is assigned to nobody.
    package var user: String?
    package var enabled: Timestamp?
    /// How many passwords the device's clock is ahead, as found when it was enabled or synchronised.
    package var drift: Int64?
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
