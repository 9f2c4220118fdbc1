import Directory

extension SeedShapes {
    static let alibaba = SeedShape.object(
        "Alibaba Cloud",
        [
            SeedKey("accounts", .list(ramAccount), "Accounts of Alibaba Cloud with their identities and buckets."),
            SeedKey("appServer", AppServer.record.shape, "The app server that issues credentials to apps."),
        ])

    private static let ramAccount = SeedShape.object(
        "Alibaba Cloud account",
        [
            SeedKey("id", .pattern("^[0-9]{16}$"), "Sixteen digits.", required: true),
            SeedKey("name", .text, "The account's name; its ID by default."),
            SeedKey("rootKeys", .list(AccessKey.record.shape), "Access keys of the account."),
            SeedKey("policies", .list(ManagedPolicy.ramRecord.shape), "Custom policies."),
            SeedKey("groups", .list(Group.ramRecord.shape), "Groups."),
            SeedKey("users", .list(User.ramRecord.shape), "Users."),
            SeedKey("roles", .list(Role.ramRecord.shape), "Roles."),
            SeedKey(
                "openIDConnectProviders", .list(OpenIDConnectTrust.ramRecord.shape), "OpenID Connect providers that the account trusts."),
            SeedKey("samlProviders", .list(SAMLTrust.ramRecord.shape), "SAML providers that the account trusts."),
            SeedKey("buckets", .list(SeedOSSBucket.record.shape), "Buckets of OSS."),
        ])
}
