package import Policy
package import WireFormats

/// An IAM user with its credentials, policies and groups.
package struct User: Sendable, Codable {
    /// The account that the user belongs to.
    package var account: String
    /// The name, unique in the account without regard to case.
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AIDA…`.
    package var id: String
    /// When the user was created.
    @Filled package var created: Timestamp
    /// The access keys, two at most.
    package var accessKeys: [AccessKey]
    /// Inline policies.
    package var policies: [InlinePolicy]
    /// ARNs of managed policies, in the order in which they were attached.
    @Filled package var attachedPolicies: [String]
    /// Names of the groups that the user belongs to.
    @Filled package var groups: [String]
    /// The ARN of the managed policy that is the user's permissions boundary.
    package var boundary: String?
    /// The tags.
    @Filled package var tags: [Tag]
    /// The password for the console, or `nil` if there is none.
    package var loginProfile: LoginProfile?
    /// SSH keys for CodeCommit.
    @Filled package var publicKeys: [SSHPublicKey]
    /// Certificates that sign SOAP requests.
    @Filled package var signingCertificates: [SigningCertificate]
    /// User names and passwords for single services.
    @Filled package var serviceCredentials: [ServiceCredential]
    /// The attributes that only RAM has, for users at Alibaba Cloud.
    package var profile: UserProfile?
    /// When policies were attached, by ARN. Only RAM returns the dates.
    package var attachmentDates: [String: Timestamp]?
    /// When the user joined groups, by group name. Only RAM returns the dates.
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

    /// The ARN.
    package var arn: String { identityARN(account, "user", path + name) }
}

/// A user's password for the console. (IAM API Reference, "LoginProfile".)
package struct LoginProfile: Sendable, Codable {
    /// The password.
    package var password: String
    /// When the profile was created.
    package var created: Timestamp
    /// Whether the user has to set another password at the next login.
    package var mustChange: Bool
    /// When the password was set last.
    @Filled package var changed: Timestamp
    /// Earlier passwords, the latest first, for password policies that forbid their reuse.
    @Filled package var earlier: [String]
    /// Whether RAM requires the user to bind an MFA device at the next login.
    package var mustBindDevice: Bool?
    /// The maximum duration of a sign-in session of the console, in seconds, if it is set (AWS).
    package var maximumSignInDuration: Int?

    package init(password: String, created: Timestamp, mustChange: Bool) {
        self.password = password
        self.created = created
        self.mustChange = mustChange
        changed = created
        earlier = []
    }

    /// The number of previous passwords that are stored: the highest number that a password policy can compare a new one with.
    /// (IAM API Reference, "PasswordPolicy", `PasswordReusePrevention`.)
    private static let historyLimit = 24

    /// Sets a new password, and stores the present one among the earlier ones.
    package mutating func setPassword(_ new: String, at time: Timestamp) {
        earlier = Array(([password] + earlier).prefix(Self.historyLimit))
        password = new
        changed = time
    }

    /// Returns whether a password is one of the last ones, the present one included.
    /// - Parameter count: the number of passwords to compare with; `nil` for none.
    package func hasUsed(_ password: String, amongLast count: Int?) -> Bool {
        ([self.password] + earlier).prefix(count ?? 0).contains(password)
    }
}

/// An IAM group, whose policies apply to its users. ``User/groups`` stores the membership.
package struct Group: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name, unique in the account without regard to case.
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AGPA…`.
    package var id: String
    /// When the group was created.
    package var created: Timestamp
    /// Inline policies.
    package var policies: [InlinePolicy]
    /// ARNs of managed policies, in the order in which they were attached.
    package var attachedPolicies: [String]
    /// The attributes that only RAM has, for groups at Alibaba Cloud.
    package var profile: GroupProfile?
    /// When policies were attached, by ARN. Only RAM returns the dates.
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

    /// The ARN.
    package var arn: String { identityARN(account, "group", path + name) }
}

/// An IAM role: a trust policy, and the policies of its sessions.
package struct Role: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name, unique in the account without regard to case.
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AROA…`.
    package var id: String
    /// When the role was created.
    @Filled package var created: Timestamp
    package var description: String?
    /// The policy that determines the principals that can assume the role.
    package var trustPolicy: TrustPolicy
    /// Inline policies.
    package var policies: [InlinePolicy]
    /// ARNs of managed policies, in the order in which they were attached.
    @Filled package var attachedPolicies: [String]
    /// The ARN of the managed policy that is the role's permissions boundary.
    package var boundary: String?
    /// The tags.
    @Filled package var tags: [Tag]
    /// The maximum duration of a session, in seconds, 3,600 to 43,200.
    package var maximumSessionDuration: Int
    /// The maximum duration of a sign-in session of the console, in seconds, if it is set.
    package var maximumSignInDuration: Int?
    /// The values of ``maximumSignInDuration``. (IAM API Reference, "CreateRole", `MaxSigninSessionDuration`.)
    package static let signInDurations = 3600...7_776_000
    /// When the role last changed. Only RAM returns it.
    package var updated: Timestamp?
    /// When policies were attached, by ARN. Only RAM returns the dates.
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

    /// The ARN.
    package var arn: String { identityARN(account, "role", path + name) }
}
