import AWSIdentityFaces
import CognitoFaces
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The front door's table. ``Route/init(_:)`` has the order of the marks; rows with the same mark apply in the order of the table.
enum RoutingTable {
    /// All rows.
    static let rows = hosts + signatures + versions + targets + paths + realms + calls + dialects

    private static let hosts: [RoutingRow] = [
        .init(.label, "sts", .sts), .init(.label, "sts-fips", .sts), .init(.label, "iam", .iam),
        .init(.label, IdentityPoolsFace.label, .identityPools), .init(.label, IdentityPoolsFace.label + "-fips", .identityPools),
        .init(.label, UserPoolsFace.service, .userPools), .init(.label, UserPoolsFace.service + "-fips", .userPools),
    ]

    private static let signatures: [RoutingRow] = [
        // Most requests are signed for S3.
        .init(.scope, "s3", .s3), .init(.scope, "sts", .sts), .init(.scope, "iam", .iam),
        .init(.scope, "organizations", .organizations), .init(.scope, "account", .accountManagement),
        .init(.scope, IdentityPoolsFace.label, .identityPools),
        .init(.scope, UserPoolsFace.service, .userPools),
        .init(.scope, "rolesanywhere", .credentials), .init(.scope, CredentialSources.serviceOfPods, .credentials),
        .init(.scope, "s3express", .s3Unavailable), .init(.scope, "s3-object-lambda", .s3Unavailable),
        .init(.scope, "s3-outposts", .s3Unavailable),
        .init(.scheme, "AWS ", .s3), .init(.scheme, "OSS ", .oss), .init(.scheme, "OSS2 ", .oss), .init(.scheme, "OSS4-", .oss),
        .init(.scheme, "ACS3-", .alibabaRPC),
        .init(.parameter, "x-oss-signature-version=", .oss), .init(.parameter, "OSSAccessKeyId=", .oss),
    ]

    private static let versions: [RoutingRow] = [
        .init(.version, "2011-06-15", .sts), .init(.version, "2010-05-08", .iam), .init(.version, "2015-04-01", .alibabaRPC),
        .init(.version, "2015-05-01", .alibabaRPC), .init(.version, "2019-08-15", .alibabaRPC),
    ]

    private static let targets: [RoutingRow] = [
        .init(.target, OrganizationsFace.target, .organizations, methods: [.post]),
        .init(.target, IdentityPoolsFace.target, .identityPools, methods: [.post]),
        .init(.target, UserPoolsFace.target, .userPools, methods: [.post]),
    ]

    private static let paths: [RoutingRow] = [
        // Before the other paths of issuers.
        .init(.pattern, IssuerPaths.own + "*" + CredentialSources.tokenPathOfIssuers, .credentials),
        .init(.named, IssuerPaths.own, .identityProvider), .init(.path, WellKnownPath.webFinger, .webFinger),
        .init(.metadata, "/.well-known/", .identityProvider), .init(.named, OutboundIssuer.path, .outboundIssuer),
        .init(.machine(.anonymous), "/tvm/anonymous", .anonymousVendingMachine),
        .init(.machine(.identity), "/tvm/identity", .identityVendingMachine),
        // No bucket can have these names. The metadata service, whose paths begin with the name of a possible bucket, is open only with an
        // instance; see `Route.byOwner`.
        .init(.path, CredentialSources.pathOfPods, .credentials), .init(.below, CredentialSources.pathOfTasks, .credentials),
        .init(.below, CredentialSources.pathOfJobs, .credentials), .init(.below, CredentialSources.pathOfTaskMetadata, .credentials),
        .init(.probe, "/v1/authorize", .credentials, methods: [.get, .head, .post]),
        .init(.probe, "/v1/sessions/confirmation", .credentials, methods: [.get]),
        // A signed request for these paths means a bucket, and so does any other method.
        .init(.probe, WellKnownPath.webIdentity, .identityProvider, methods: [.get, .head], name: IdentityProvider.Kind.google.rawValue),
        .init(.probe, IdentityPoolsFace.keysPath, .identityPools, methods: [.get, .head]),
        .init(.probe, "/favicon.ico", .icon, methods: [.get, .head]),
        .init(.probe, "/_localstack/health", .localStackHealth, methods: [.get, .head]),
    ]

    private static let realms =
        IssuerPaths.realms.map { RoutingRow(.realm, $0, .identityProvider) }
        + ["/admin/", "/auth/admin/"].flatMap { base in
            ["realms", "serverinfo"].map { RoutingRow(.administration, base + $0, .keycloakAdmin, name: $0) }
        }

    /// The calls of IAM Identity Center's OIDC service, of AWS Sign-In and of IAM Roles Anywhere. (Their API references; S3 has no unsigned
    /// POST of JSON.) Without Identity Center in the sandbox, the rows for it name the service that is not here; see `Route.byUnsignedCall`.
    private static let calls: [RoutingRow] = [
        .init(.call, "/client/register", .credentials, methods: [.post], name: "sso-oauth"),
        .init(.call, "/device_authorization", .credentials, methods: [.post], name: "sso-oauth"),
        .init(.call, "/token", .credentials, methods: [.post], name: "sso-oauth"),
        .init(.call, "/v1/token", .credentials, methods: [.post]),
        .init(.call, "/sessions", .credentials, methods: [.post]),
    ]

    private static let dialects: [RoutingRow] = [.init(.agent, "aliyun-sdk-", .oss), .init(.agent, "alibabacloud-", .oss)]
}
