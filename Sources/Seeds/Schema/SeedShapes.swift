import Directory

/// The shapes of a seed and of its accounts of AWS.
enum SeedShapes {
    static let seed = SeedShape.object(
        "Virga seed",
        [
            SeedKey("accounts", .list(account), "Accounts of AWS with their principals and buckets."),
            SeedKey(
                "identityProviders", .list(IdentityProvider.record.shape),
                "OpenID Connect issuers, Facebook, Amazon and Google, with their users."),
            SeedKey(
                "eventTargets", .map(.pattern("^https?://")),
                "The URL that receives bucket events, for each ARN of a topic, queue or function."),
            SeedKey("regions", .words(["any", "strict"]), "Whether S3 rejects requests for another region than the bucket's."),
            SeedKey("mobileCloud", SeedMobileCloud.record.shape, "The mobile cloud."),
            SeedKey("alibaba", alibaba, "Accounts of Alibaba Cloud and the app server."),
            SeedKey("vendingMachines", SeedVendingMachines.record.shape, "The token vending machines."),
        ])

    static let name = SeedShape.pattern("^[A-Za-z0-9_+=,.@-]+$")
    static let path = SeedShape.pattern("^/([!-~]*/)?$")
    static let texts = SeedShape.list(.text)
    static let nonempty = SeedShape.pattern("^[\\s\\S]+$")
    static let account12 = SeedShape.pattern("^([0-9]{12})?$")

    private static let account = SeedShape.object(
        "AWS account",
        [
            SeedKey("id", account12, "Twelve digits; may be empty in the dialect ceph.", required: true),
            SeedKey("name", .text, "The account's name; its ID by default."),
            SeedKey("email", .text, "The address of the root user."),
            SeedKey("canonicalUserID", .pattern("^[A-Za-z0-9]{1,64}$"), "The canonical user ID; derived from the ID by default."),
            SeedKey("rootKeys", .list(AccessKey.record.shape), "Access keys of the root user."),
            SeedKey("users", .list(User.record.shape), "IAM users."),
            SeedKey("groups", .list(Group.record.shape), "IAM groups."),
            SeedKey("roles", .list(Role.record.shape), "IAM roles."),
            SeedKey("policies", .list(ManagedPolicy.record.shape), "Customer managed policies."),
            SeedKey("instanceProfiles", .list(InstanceProfile.record.shape), "Instance profiles."),
            SeedKey("devices", .list(MultiFactorDevice.record.shape), "Virtual MFA devices."),
            SeedKey("openIDConnectProviders", .list(OpenIDConnectTrust.record.shape), "OpenID Connect providers that the account trusts."),
            SeedKey("samlProviders", .list(SAMLTrust.record.shape), "SAML providers that the account trusts."),
            SeedKey("buckets", .list(SeedBucket.record.shape), "Buckets with their objects."),
        ])

    static let issuer = SeedShape.pattern("^https://[^?#\\s]+$")
}
