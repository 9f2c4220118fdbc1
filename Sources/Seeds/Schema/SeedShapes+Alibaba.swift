extension SeedShapes {
    private static let ramName = SeedKey("name", nonempty, "The name.", required: true)
    private static let description = SeedKey("description", .text, "A description.")
    private static let comments = SeedKey("comments", .text, "Comments.")
    private static let policyNames = SeedKey("policies", texts, "Names of policies of the account or of Alibaba Cloud.")

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
            SeedKey("name", .text, "The account's name; its ID by default."), SeedKey("rootKeys", keys, "Access keys of the account."),
            SeedKey(
                "policies",
                .list(
                    .object(
                        "Custom policy", [ramName, description, SeedKey("document", .policy, "The policy document.", required: true)])),
                "Custom policies."),
            SeedKey("groups", .list(.object("RAM group", [ramName, comments, policyNames])), "Groups."),
            SeedKey(
                "users",
                .list(
                    .object(
                        "RAM user",
                        [
                            ramName, SeedKey("displayName", .text, "The display name."), comments,
                            SeedKey("email", .text, "The mail address."),
                            SeedKey("mobilePhone", .text, "The phone number."), SeedKey("accessKeys", keys, "Access keys."), policyNames,
                            SeedKey("groups", texts, "Names of groups of the account."),
                        ])), "Users."),
            SeedKey(
                "roles",
                .list(
                    .object(
                        "RAM role",
                        [
                            ramName, description, SeedKey("trustPolicy", .policy, "Who may assume the role.", required: true), policyNames,
                            SeedKey("maximumSessionDuration", .integer(3600...43200), "Seconds; 3600 by default."),
                        ])), "Roles."),
            SeedKey(
                "openIDConnectProviders",
                .list(
                    .object(
                        "OpenID Connect provider",
                        [
                            ramName, SeedKey("url", issuer, "The issuer's URL.", required: true),
                            SeedKey("clientIDs", texts, "Audiences that are accepted.", required: true),
                            SeedKey("fingerprints", texts, "Certificate fingerprints. They are stored and ignored."), description,
                        ])), "OpenID Connect providers that the account trusts."),
            SeedKey(
                "samlProviders",
                .list(
                    .object(
                        "SAML provider",
                        [
                            ramName, SeedKey("metadata", .text, "The identity provider's metadata."),
                            SeedKey("identityProvider", .text, "The name of an identity provider of the seeds, in place of metadata."),
                            description,
                        ])), "SAML providers that the account trusts."),
            SeedKey("buckets", .list(ossBucket), "Buckets of OSS."),
        ])

    private static let ossBucket = SeedShape.object(
        "OSS bucket",
        [
            SeedKey("name", .pattern("^[a-z0-9-]{3,63}$"), "The bucket name.", required: true),
            SeedKey("region", .text, "The region; cn-hangzhou by default."),
            SeedKey("acl", .words(["private", "public-read", "public-read-write"]), "The ACL; private by default."),
            SeedKey("storageClass", .text, "The storage class."), SeedKey("versioning", .flag, "Whether versioning is enabled."),
            SeedKey("policy", .policy, "The bucket policy."), SeedKey("hosts", texts, "Further host names."),
            SeedKey("sharedWith", .pattern("^[0-9]{12}$"), "The AWS account that sees the bucket at S3."),
            SeedKey("objects", objects, "Objects."),
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
                    .object("User of the app", [ramName, SeedKey("password", nonempty, "The password.", required: true)])),
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
            SeedKey("signingKey", keysElement, "The key that signs upload policies."),
            SeedKey("instanceRole", .text, "The role of the instance metadata service."),
        ])
}
