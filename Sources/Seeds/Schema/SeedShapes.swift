import Directory

/// The shapes of a seed and of its accounts of AWS.
enum SeedShapes {
    static let seed = SeedShape.object(
        "Virga seed",
        [
            SeedKey("accounts", .list(account), "Accounts of AWS with their principals and buckets."),
            SeedKey("identityProviders", .list(provider), "OpenID Connect issuers, Facebook, Amazon and Google, with their users."),
            SeedKey(
                "eventTargets", .map(.pattern("^https?://")),
                "The URL that receives bucket events, for each ARN of a topic, queue or function."),
            SeedKey("regions", .words(["any", "strict"]), "Whether S3 rejects requests for another region than the bucket's."),
            SeedKey("mobileCloud", mobileCloud, "The mobile cloud."),
            SeedKey("alibaba", alibaba, "Accounts of Alibaba Cloud and the app server."),
            SeedKey("vendingMachines", vendingMachines, "The token vending machines."),
        ])

    static let name = SeedShape.pattern("^[A-Za-z0-9_+=,.@-]+$")
    static let path = SeedShape.pattern("^/([!-~]*/)?$")
    static let texts = SeedShape.list(.text)
    static let tags = SeedShape.map(.text)
    static let nonempty = SeedShape.pattern("^[\\s\\S]+$")
    static let account12 = SeedShape.pattern("^([0-9]{12})?$")

    static let keysElement = SeedShape.object(
        "Access key",
        [
            SeedKey("id", nonempty, "The access key ID.", required: true),
            SeedKey("secret", nonempty, "The secret access key.", required: true),
        ])
    static let keys = SeedShape.list(keysElement)

    private static let pathKey = SeedKey("path", path, "The path in the ARN; / by default.")
    private static let tagsKey = SeedKey("tags", tags, "Tags: key to value.")
    private static let inlineKey = SeedKey("policies", .map(.policy), "Inline policies: name to document.")
    private static let attachedKey = SeedKey("attachedPolicies", texts, "ARNs of attached managed policies.")
    private static let boundaryKey = SeedKey("boundary", .text, "The ARN of the permissions boundary.")

    private static let account = SeedShape.object(
        "AWS account",
        [
            SeedKey("id", account12, "Twelve digits; may be empty in the dialect ceph.", required: true),
            SeedKey("name", .text, "The account's name; its ID by default."),
            SeedKey("email", .text, "The address of the root user."),
            SeedKey("canonicalUserID", .pattern("^[A-Za-z0-9]{1,64}$"), "The canonical user ID; derived from the ID by default."),
            SeedKey("rootKeys", keys, "Access keys of the root user."),
            SeedKey("users", .list(user), "IAM users."),
            SeedKey("groups", .list(group), "IAM groups."),
            SeedKey("roles", .list(role), "IAM roles."),
            SeedKey("policies", .list(managedPolicy), "Customer managed policies."),
            SeedKey("instanceProfiles", .list(instanceProfile), "Instance profiles."),
            SeedKey("devices", .list(device), "Virtual MFA devices."),
            SeedKey("openIDConnectProviders", .list(openIDConnectProvider), "OpenID Connect providers that the account trusts."),
            SeedKey("samlProviders", .list(samlProvider), "SAML providers that the account trusts."),
            SeedKey("buckets", .list(bucket), "Buckets with their objects."),
        ])

    private static let user = SeedShape.object(
        "IAM user",
        [
            SeedKey("name", name, "The user name.", required: true), pathKey, SeedKey("accessKeys", keys, "Access keys."), inlineKey,
            attachedKey, SeedKey("groups", texts, "Names of groups of the account."), boundaryKey, tagsKey,
        ])

    private static let group = SeedShape.object(
        "IAM group", [SeedKey("name", name, "The group name.", required: true), pathKey, inlineKey, attachedKey])

    private static let role = SeedShape.object(
        "IAM role",
        [
            SeedKey("name", name, "The role name.", required: true), pathKey, SeedKey("description", .text, "A description."),
            SeedKey("trustPolicy", .policy, "Who may assume the role.", required: true), inlineKey, attachedKey, boundaryKey, tagsKey,
            SeedKey("maximumSessionDuration", .integer(3600...43200), "Seconds; 3600 by default."),
            SeedKey("maximumSignInDuration", .integer(Role.signInDurations), "Seconds; MaxSigninSessionDuration of IAM."),
        ])

    private static let managedPolicy = SeedShape.object(
        "Managed policy",
        [
            SeedKey("name", name, "The policy name.", required: true), pathKey, SeedKey("description", .text, "A description."),
            SeedKey("document", .policy, "The policy document.", required: true), tagsKey,
        ])

    private static let instanceProfile = SeedShape.object(
        "Instance profile",
        [
            SeedKey("name", name, "The name of the profile.", required: true), pathKey,
            SeedKey("role", .text, "The name of a role of the account."), tagsKey,
        ])

    private static let device = SeedShape.object(
        "Virtual MFA device",
        [
            SeedKey("name", name, "The name of the device.", required: true), pathKey,
            SeedKey("seed", .pattern("^[A-Za-z2-7]+=*$"), "The secret in base 32.", required: true),
            SeedKey("user", .text, "The user that the device is enabled for."),
            SeedKey("root", .flag, "Whether the device is enabled for the root user."), tagsKey,
        ])

    static let issuer = SeedShape.pattern("^https://[^?#\\s]+$")

    private static let openIDConnectProvider = SeedShape.object(
        "OpenID Connect provider of an account",
        [
            SeedKey("url", issuer, "The issuer's URL.", required: true),
            SeedKey("clientIDs", texts, "Audiences that are accepted.", required: true),
            SeedKey("thumbprints", .list(.pattern("^.{40}$")), "Certificate thumbprints. They are stored and ignored."),
            SeedKey("contextProvider", contextProvider, "What sessions take over from tokens as their trusted context."), tagsKey,
        ])

    private static let contextKey = SeedShape.pattern("^[A-Za-z0-9_.:/=+@#-]+( [A-Za-z0-9_.:/=+@#-]+)*$")

    private static let contextProvider = SeedShape.object(
        "Context provider",
        [
            SeedKey("subjectSourceKey", contextKey, "The claim with the subject.", required: true),
            SeedKey("subjectTypeValue", .text, "The type of all subjects."),
            SeedKey("subjectTypeSourceKey", contextKey, "The claim with the type of the subject, in place of subjectTypeValue."),
            SeedKey(
                "keyDefinitions",
                .list(
                    .object(
                        "Key definition",
                        [
                            SeedKey("sourceKey", contextKey, "The claim.", required: true),
                            SeedKey("targetKey", contextKey, "The key of the context; the name of the claim by default."),
                        ])), "Further claims, at most ten."),
        ])

    private static let samlProvider = SeedShape.object(
        "SAML provider of an account",
        [
            SeedKey("name", .pattern("^[A-Za-z0-9._-]+$"), "The name of the provider.", required: true),
            SeedKey("metadata", .text, "The identity provider's metadata document, if it is not one of this seed."),
            SeedKey("identityProvider", .text, "The name of an identity provider of the seeds that has saml."), tagsKey,
        ])

    private static let bucket = SeedShape.object(
        "S3 bucket",
        [
            SeedKey("name", .pattern("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"), "The bucket name.", required: true),
            SeedKey("region", .text, "The region; us-east-1 by default."), SeedKey("policy", .policy, "The bucket policy."),
            SeedKey(
                "ownership", .words(["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"]),
                "Object ownership; by default that of new buckets."),
            SeedKey("publicAccess", .words(["blocked", "allowed"]), "Whether public access is blocked; by default that of new buckets."),
            SeedKey("versioning", .flag, "Whether versioning is enabled."), SeedKey("objects", objects, "Objects."),
        ])

    static let objects = SeedShape.list(
        .object(
            "Object",
            [
                SeedKey("key", nonempty, "The object key.", required: true), SeedKey("text", .text, "The body as text."),
                SeedKey("base64", .text, "The body in base 64, in place of text."), SeedKey("contentType", .text, "The Content-Type."),
                SeedKey("metadata", .map(.text), "User metadata."),
            ]))

    private static let hosts = SeedKey("hosts", texts, "Further host names.")

    static let vendingMachines = SeedShape.object(
        "Token vending machines",
        [
            SeedKey("account", nonempty, "The ID of an account of AWS.", required: true),
            SeedKey("user", .text, "The user of the account whose tokens are issued."),
            SeedKey("policy", .anything, "The policy of issued sessions, with placeholders."),
            SeedKey(
                "anonymous",
                .object(
                    "Anonymous token vending machine",
                    [
                        SeedKey("policy", .anything, "The policy of issued sessions, in place of the common one."), hosts,
                        SeedKey(
                            "devices",
                            .list(
                                .object(
                                    "Registered device",
                                    [
                                        SeedKey("uid", .pattern("^.{24,}$"), "The device's identifier.", required: true),
                                        SeedKey("key", .pattern("^[0-9A-Fa-f]{32}$"), "The device's key.", required: true),
                                    ])), "Devices that are registered."),
                    ]), "The machine for anonymous users."),
            SeedKey(
                "identity",
                .object(
                    "Identity token vending machine",
                    [
                        SeedKey("app", nonempty, "The app's name."),
                        SeedKey("policy", .anything, "The policy of issued sessions, in place of the common one."), hosts,
                        SeedKey(
                            "people",
                            .list(
                                .object(
                                    "Registered user",
                                    [
                                        SeedKey("name", nonempty, "The user name.", required: true),
                                        SeedKey("password", nonempty, "The password.", required: true),
                                    ])), "Users that are registered."),
                    ]), "The machine for users who log in."),
        ])
}
