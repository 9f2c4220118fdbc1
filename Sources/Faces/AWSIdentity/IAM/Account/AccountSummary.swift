import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// GetAccountSummary: the numbers of an account's entities and their quotas.
    static let accountSummary: [String: Operation] = ["GetAccountSummary": .authorized(getAccountSummary)]

    private static func getAccountSummary(_ call: IAMCall) async throws -> QueryService.Result? {
        let summary = call.directory.summary(of: call.account)
        return { xml in
            xml.element("SummaryMap") { xml in
                for (key, value) in summary {
                    xml.element("entry") { xml in
                        xml.element("key", key)
                        xml.element("value", value)
                    }
                }
            }
        }
    }
}

extension Directory {
    /// Returns counts, and the quotas of IAM User Guide, "IAM and AWS STS quotas".
    fileprivate func summary(of id: String) -> [(String, Int)] {
        let policies = policies.values.filter { $0.account == id }
        let devices = devices.values.filter { $0.account == id }
        let account = accounts[id]
        return [
            ("Users", users.values.count { $0.user.account == id }), ("UsersQuota", IAMFace.userQuota),
            ("Groups", groups.values.count { $0.account == id }), ("GroupsQuota", IAMFace.groupQuota),
            ("Roles", roles.values.count { $0.role.account == id }), ("RolesQuota", 1000),
            ("InstanceProfiles", instanceProfiles.values.count { $0.account == id }), ("InstanceProfilesQuota", 1000),
            ("Policies", policies.count), ("PoliciesQuota", 1500), ("PolicyVersionsInUse", policies.reduce(0) { $0 + $1.versions.count }),
            ("PolicyVersionsInUseQuota", 10_000), ("VersionsPerPolicyQuota", 5), ("PolicySizeQuota", 6144),
            ("Providers", trusts.values.count { $0.account == id } + samlTrusts.values.count { $0.account == id }),
            ("ServerCertificates", account?.serverCertificates.count ?? 0), ("ServerCertificatesQuota", IAMFace.serverCertificateQuota),
            ("MFADevices", devices.count), ("MFADevicesInUse", devices.count { $0.user != nil }),
            ("AccountMFAEnabled", devices.contains { $0.user == "" } ? 1 : 0),
            ("AccountAccessKeysPresent", account?.rootKeys.isEmpty == false ? 1 : 0), ("AccountPasswordPresent", 1),
            ("AccountSigningCertificatesPresent", 0), ("AccessKeysPerUserQuota", [AccessKey].limit),
            ("GroupsPerUserQuota", IAMFace.groupsPerUserQuota), ("SigningCertificatesPerUserQuota", IAMFace.signingCertificateQuota),
            ("AttachedPoliciesPerUserQuota", IAMFace.attachedQuota), ("AttachedPoliciesPerGroupQuota", IAMFace.attachedQuota),
            ("AttachedPoliciesPerRoleQuota", IAMFace.attachedQuota), ("UserPolicySizeQuota", HolderFamily.user.inlineSize),
            ("GroupPolicySizeQuota", HolderFamily.group.inlineSize), ("RolePolicySizeQuota", 10_240), ("AssumeRolePolicySizeQuota", 2048),
            ("GlobalEndpointTokenVersion", account?.givesLongGlobalTokens == true ? 2 : 1),
        ]
    }
}
