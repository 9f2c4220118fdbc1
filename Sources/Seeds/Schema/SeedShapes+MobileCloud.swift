extension SeedShapes {
    private static let mobileName = SeedShape.pattern("^[A-Za-z0-9_-]{1,100}$")
    private static let version = SeedKey("version", .pattern("^[0-9]+(\\.[0-9]+)+$"), "The version; 1.0 by default.")
    private static let entries = SeedShape.list(.map(.anything))

    static let mobileCloud = SeedShape.object(
        "Mobile cloud",
        [
            SeedKey("roles", texts, "Names of mobile user roles."),
            SeedKey("policies", .map(.anything), "Environment policies; null removes a default."),
            SeedKey(
                "certificates",
                .list(
                    .object(
                        "Token certificate",
                        [
                            SeedKey("alias", nonempty, "The alias.", required: true), SeedKey("pem", .text, "The certificate in PEM."),
                            SeedKey("identityProvider", nonempty, "The identity provider whose certificate it is, in place of pem."),
                        ])), "Certificates of token issuers."),
            SeedKey("samlIssuers", .list(samlIssuer), "Issuers of SAML tokens."),
            SeedKey("collections", .list(collection), "Storage collections."),
            SeedKey(
                "locations",
                .object(
                    "Locations",
                    [
                        SeedKey("devices", entries, "Location devices."), SeedKey("places", entries, "Places."),
                        SeedKey("assets", entries, "Assets."),
                    ]), "What the Location API knows."),
            SeedKey(
                "teamMembers",
                .list(
                    .object(
                        "Team member",
                        [
                            SeedKey("name", .pattern("^[^:]+$"), "The name, without a colon.", required: true),
                            SeedKey("password", nonempty, "The password.", required: true),
                            SeedKey("roles", .list(.pattern("^Mobile")), "Roles of the team, such as Mobile_DbMgmt."),
                        ])), "Members of the team, who manage tables."),
            SeedKey("realms", .list(realm), "Realms with their users."), SeedKey("backends", .list(backend), "Backends."),
            SeedKey("customAPIs", .list(customAPI), "Custom APIs with fixed, templated or forwarded responses."),
        ])

    private static let samlIssuer = SeedShape.object(
        "Issuer of SAML tokens",
        [
            SeedKey("name", nonempty, "The issuer's name in tokens.", required: true), SeedKey("enabled", .flag, "Whether it is accepted."),
            SeedKey("certificateSubjectNames", .list(.text, atLeast: 1), "Subjects of its certificates.", required: true),
            SeedKey("virtualUserEnabled", .flag, "Whether users need no record in a realm."),
            SeedKey("userAttribute", .text, "The attribute with the user name."),
            SeedKey("roleAttributes", texts, "Attributes with roles."),
            SeedKey(
                "roleMappings",
                .list(
                    .object(
                        "Role mapping",
                        [
                            SeedKey("tokenRole", nonempty, "The role in tokens.", required: true),
                            SeedKey("mappedRoles", .list(.text, atLeast: 1), "Mobile user roles.", required: true),
                        ])), "Roles for the roles in tokens."),
            SeedKey("defaultRoles", texts, "Roles of every user."),
        ])

    private static let collection = SeedShape.object(
        "Storage collection",
        [
            SeedKey("id", nonempty, "The name.", required: true), SeedKey("description", .text, "A description."),
            SeedKey("userIsolated", .flag, "Whether each user has objects of their own."),
            SeedKey("bucket", nonempty, "The bucket that holds the objects.", required: true),
            SeedKey("permissions", .map(texts), "Roles by READ, READ_WRITE, READ_ALL and READ_WRITE_ALL."),
        ])

    private static let userMapping = SeedKey("userMappingAttribute", .text, "How users are matched: uid or mail.")

    private static let realm = SeedShape.object(
        "Realm",
        [
            SeedKey("name", mobileName, "The name.", required: true), version,
            SeedKey("properties", texts, "Names of further user properties."),
            SeedKey(
                "users",
                .list(
                    .object(
                        "Mobile user",
                        [
                            SeedKey("id", .text, "The identifier; derived from the name by default."),
                            SeedKey("username", nonempty, "The user name.", required: true),
                            SeedKey("password", nonempty, "The password."), SeedKey("email", .text, "The mail address."),
                            SeedKey("firstName", .text, "The first name."), SeedKey("lastName", .text, "The last name."),
                            SeedKey("properties", .map(.anything), "Values of the realm's properties."),
                            SeedKey("roles", texts, "Mobile user roles."),
                        ])), "Users."),
            SeedKey(
                "signOn",
                .object(
                    "Single sign-on",
                    [
                        SeedKey(
                            "saml",
                            .object(
                                "Sign-on with SAML",
                                [
                                    SeedKey("identityProvider", .text, "The name of an identity provider of the seeds."),
                                    SeedKey("metadata", .text, "The identity provider's metadata, in place of its name."),
                                    SeedKey("usernameAttribute", .text, "The attribute with the user name."), userMapping,
                                ]), "A SAML identity provider."),
                        SeedKey(
                            "openIDConnect",
                            .object(
                                "Sign-on with OpenID Connect",
                                [
                                    SeedKey("issuer", .pattern("^https?://"), "The issuer's URL.", required: true),
                                    SeedKey("clientID", nonempty, "The client ID at the issuer.", required: true),
                                    SeedKey("clientSecret", .text, "The client secret."), SeedKey("scopes", texts, "Scopes."),
                                    SeedKey("usernameAttribute", .text, "The claim with the user name."), userMapping,
                                ]), "An OpenID Connect issuer."),
                    ]), "Who logs users in; saml or openIDConnect."),
        ])

    private static let backend = SeedShape.object(
        "Backend",
        [
            SeedKey("name", mobileName, "The name.", required: true), version, SeedKey("id", nonempty, "The backend ID."),
            SeedKey("anonymousUser", nonempty, "The user name of anonymous calls."),
            SeedKey("anonymousPassword", nonempty, "The password of anonymous calls."),
            SeedKey("anonymousKey", .text, "Both in base 64, as apps have them."), SeedKey("clientID", nonempty, "The client ID."),
            SeedKey("clientSecret", nonempty, "The client secret."), SeedKey("realm", .text, "The realm; Default(1.0) by default."),
            SeedKey("oauth", .flag, "Whether OAuth is enabled."), SeedKey("basic", .flag, "Whether basic authentication is enabled."),
            SeedKey("sso", .flag, "Whether single sign-on is enabled."),
            SeedKey(
                "facebook",
                .object(
                    "Facebook login",
                    [
                        SeedKey("appID", nonempty, "The app's ID at Facebook.", required: true),
                        SeedKey("appSecret", nonempty, "The app's secret at Facebook.", required: true),
                    ]), "Login with Facebook."),
            SeedKey("appPolicies", .map(.anything), "App policies."),
            SeedKey("apis", .either([.words(["all"]), texts]), "Custom APIs of the backend, or all."),
        ])

    private static let customAPI = SeedShape.object(
        "Custom API",
        [
            SeedKey("name", mobileName, "The name.", required: true), version,
            SeedKey("access", .words(["enterprise", "open", "social"]), "Who may call it; enterprise by default."),
            SeedKey("roles", texts, "Roles that may call it."),
            SeedKey(
                "endpoints",
                .list(
                    .object(
                        "Endpoint",
                        [
                            SeedKey("method", .pattern("^(\\*|[A-Z]+)$"), "The method, or * for each."),
                            SeedKey("path", nonempty, "The path, such as /orders/{id}.", required: true),
                            SeedKey("roles", texts, "Roles that may call it."), SeedKey("status", .integer(200...599), "The status."),
                            SeedKey("headers", .map(.text), "Header fields."), SeedKey("body", .anything, "The body, a text or JSON."),
                            SeedKey("template", .anything, "A body with {{…}} in it."),
                            SeedKey("caller", .flag, "Whether the response describes the caller."),
                            SeedKey("forward", .pattern("^https?://"), "The URL that requests are forwarded to."),
                        ])), "Endpoints."),
        ])
}
