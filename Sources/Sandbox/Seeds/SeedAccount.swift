package import Directory
import Policy
import WireFormats

/// An account of AWS in a seed.
package struct SeedAccount: Sendable {
    /// The account.
    package var account: Account
    /// The users.
    package var users: [User] = []
    /// The groups.
    package var groups: [Group] = []
    /// The roles.
    package var roles: [Role] = []
    /// Customer managed policies.
    package var policies: [ManagedPolicy] = []
    /// The instance profiles.
    package var instanceProfiles: [InstanceProfile] = []
    /// Virtual MFA devices.
    package var devices: [MultiFactorDevice] = []
    /// The OpenID Connect providers that the account trusts.
    package var openIDConnectProviders: [OpenIDConnectTrust] = []
    /// The SAML providers that the account trusts.
    package var samlProviders: [SAMLTrust] = []
    /// EC2 instances.
    package var instances: [ComputeInstance] = []
    /// ECS tasks.
    package var tasks: [ContainerTask] = []
    /// EKS clusters.
    package var clusters: [KubernetesCluster] = []
    /// Trust anchors of IAM Roles Anywhere.
    package var trustAnchors: [TrustAnchor] = []
    /// Profiles of IAM Roles Anywhere.
    package var anywhereProfiles: [AnywhereProfile] = []
    /// Identity pools of Amazon Cognito.
    package var identityPools: [IdentityPool] = []
    /// User pools of Amazon Cognito.
    package var userPools: [SeedUserPool] = []
    /// The buckets.
    package var buckets: [SeedBucket] = []

    /// - Parameter account: the account itself, without what it owns.
    package init(_ account: Account) { self.account = account }

    /// Accounts of AWS in seeds.
    package static let record = SeedRecord<SeedAccount>(
        "AWS account", blank: SeedAccount(Account(id: "", name: "", rootKeys: [])),
        fields: [
            .required("id", \.account.id, idCodec, "Twelve digits; may be empty in the dialect ceph."),
            .optional("name", \.account.givenName, Codec.text, "The account's name; its ID by default."),
            .optional("email", \.account.email, Codec.text, "The address of the root user."),
            .optional(
                "canonicalUserID", \.account.givenCanonicalUserID, canonicalUserIDCodec,
                "The canonical user ID; derived from the ID by default."),
            .defaulted("rootKeys", \.account.rootKeys, Codec.list(AccessKey.record), "Access keys of the root user."),
            .defaulted("users", \.users, Codec.list(User.record), "IAM users."),
            .defaulted("groups", \.groups, Codec.list(Group.record), "IAM groups."),
            .defaulted("roles", \.roles, Codec.list(Role.record), "IAM roles."),
            .defaulted("policies", \.policies, Codec.list(ManagedPolicy.record), "Customer managed policies."),
            .defaulted("instanceProfiles", \.instanceProfiles, Codec.list(InstanceProfile.record), "Instance profiles."),
            .defaulted("devices", \.devices, Codec.list(MultiFactorDevice.record), "Virtual MFA devices."),
            .defaulted(
                "openIDConnectProviders", \.openIDConnectProviders, Codec.list(OpenIDConnectTrust.record),
                "OpenID Connect providers that the account trusts."),
            .defaulted(
                "samlProviders", \.samlProviders, Codec.list(SAMLTrust.record), "SAML providers that the account trusts."),
            .defaulted(
                "instances", \.instances, Codec.list(ComputeInstance.record), "EC2 instances whose metadata service issues credentials."),
            .defaulted("tasks", \.tasks, Codec.list(ContainerTask.record), "ECS tasks that get the credentials of a role."),
            .defaulted(
                "clusters", \.clusters, Codec.list(KubernetesCluster.record), "EKS clusters whose pods get the credentials of roles."),
            .defaulted(
                "trustAnchors", \.trustAnchors, Codec.list(TrustAnchor.record),
                "Trust anchors of IAM Roles Anywhere: authorities whose certificates get the credentials of roles."),
            .defaulted(
                "anywhereProfiles", \.anywhereProfiles, Codec.list(AnywhereProfile.record), "Profiles of IAM Roles Anywhere."),
            .defaulted("identityPools", \.identityPools, Codec.list(IdentityPool.record), "Identity pools of Amazon Cognito."),
            .defaulted("userPools", \.userPools, Codec.list(SeedUserPool.record), "User pools of Amazon Cognito."),
            .defaulted("buckets", \.buckets, Codec.list(SeedBucket.record), "Buckets with their objects."),
        ])

    private static let idForm = "an account id of twelve digits"

    /// Account numbers. Users in the ceph dialect need no account, and their ARNs do not contain one.
    private static let idCodec = FieldCodec<String>(
        shape: .pattern("^([0-9]{12})?$"), expected: idForm,
        read: { members, key in
            guard let id: String = try members.decode(ifThere: key) else { return nil }
            if !isAccountID(id, digits: 12) {
                let mayBeEmpty = try members.superDecoder(forKey: key).policyDialect == .ceph
                if !id.isEmpty || !mayBeEmpty { try members.refuse(key, expecting: idForm) }
            }
            return id
        },
        write: { JSONValue.string($0) })

    private static let canonicalUserIDCodec = Codec.form(
        .pattern("^[A-Za-z0-9]{1,64}$"), expecting: "a canonical user ID of 1 to 64 letters and digits"
    ) { isCanonicalUserID($0) }

    /// Returns the records of the account's contents, without the account: first policies and groups, which the others refer to.
    func records(created: Timestamp) -> [DirectoryRecord] {
        let id = account.id
        var records = policies.map { DirectoryRecord.policy($0.placed(in: id, created: created)) }
        records += groups.map { .group($0.placed(in: id, created: created)) }
        records += users.map { .user($0.placed(in: id, created: created)) }
        records += roles.map { .role($0.placed(in: id, created: created)) }
        records += instanceProfiles.map { .instanceProfile($0.placed(in: id, created: created)) }
        records += devices.map { .device($0.placed(in: id, created: created)) }
        records += openIDConnectProviders.map { .trust($0.placed(in: id, created: created)) }
        records += samlProviders.map { .samlTrust($0.placed(in: id, created: created)) }
        records += instances.map { .credentialSource(.instance($0.placed(in: id, created: created))) }
        records += tasks.map { .credentialSource(.task($0.placed(in: id))) }
        records += clusters.map { .credentialSource(.cluster($0.placed(in: id))) }
        records += trustAnchors.map { .credentialSource(.trustAnchor($0.placed(in: id))) }
        records += anywhereProfiles.map { .credentialSource(.anywhereProfile($0.placed(in: id))) }
        records += identityPools.map { .identityPool(.pool($0.placed(in: id))) }
        records += userPools.flatMap { $0.records(in: id, created: created) }
        return records
    }
}

extension Account {
    /// The name, unless it is the ID.
    var givenName: String? {
        get { name == id ? nil : name }
        set { name = newValue ?? id }
    }
}

/// Returns whether a text is the number of an account.
/// - Parameter digits: the number of digits, which depends on the cloud.
func isAccountID(_ text: String, digits: Int) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
}

/// Returns whether an ID has the form of AWS (64 hexadecimal digits) or of RADOS Gateway (the account number, or any user name).
private func isCanonicalUserID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
        && id.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
}
