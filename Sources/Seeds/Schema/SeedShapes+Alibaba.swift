import Directory

extension SeedShapes {
    static let alibaba = SeedShape.object(
        "Alibaba Cloud",
        [
            SeedKey("accounts", .list(ramAccount), "Accounts of Alibaba Cloud with their identities and buckets."),
            SeedKey("appServer", appServer, "The app server that issues credentials to apps."),
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

    private static let appServer = SeedShape.object(
        "App server",
        [
            SeedKey("accessKey", nonempty, "The access key ID of the RAM user that assumes the role."),
            SeedKey("role", .pattern("^acs:ram::"), "The ARN of the role that users get."),
            SeedKey("durationSeconds", .integer(1...43_200), "Seconds that credentials are valid."),
            SeedKey("policy", .anything, "The session policy, with ${user} for the user's name."),
            SeedKey(
                "people",
                .list(
                    .object(
                        "User of the app",
                        [
                            SeedKey("name", nonempty, "The name.", required: true),
                            SeedKey("password", nonempty, "The password.", required: true),
                        ])),
                "Users who log in by password."),
            SeedKey(
                "issuers",
                .list(
                    .object(
                        "Issuer",
                        [
                            SeedKey("provider", nonempty, "The name of an identity provider.", required: true),
                            SeedKey("audience", nonempty, "A client of the provider.", required: true),
                        ])), "Issuers whose ID tokens are accepted."),
            SeedKey("openTo", .text, "The session name for callers who do not log in."),
            SeedKey("signingKey", AccessKey.record.shape, "The key that signs upload policies."),
            SeedKey("instanceRole", .text, "The role of the instance metadata service."),
        ])
}
