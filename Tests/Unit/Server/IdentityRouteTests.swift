import Calls
import Directory
import Federation
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("Routes to identity providers and token vending machines")
struct IdentityRouteTests {
    static let paths = [
        RouteRow(path: "/callback_pub_key_v1.pem", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/callback_pub_key_v1.pem/x", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/idp/company/authorize", route: .identityProvider(name: "company", path: "/authorize")),
        RouteRow(path: "/idp/facebook/v19.0/me", route: .identityProvider(name: "facebook", path: "/v19.0/me")),
        RouteRow(path: "/idp/company", route: .identityProvider(name: "company", path: "")),
        RouteRow(path: "/idp/", route: .identityProvider(name: "", path: "")),
        // RFC 8414 section 3.1.
        RouteRow(
            path: "/.well-known/oauth-authorization-server/idp/company",
            route: .identityProvider(name: "company", path: "/.well-known/oauth-authorization-server")),
        RouteRow(
            path: "/.well-known/openid-configuration/realms/demorealm",
            route: .identityProvider(name: "demorealm", path: "/.well-known/openid-configuration")),
        RouteRow(path: "/.well-known/openid-configuration/idp/company/more", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/.well-known/openid-configuration", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/.well-known/webfinger", query: "resource=acct%3Aalice%40localhost", route: .webFinger),
        RouteRow(path: "/.well-known/webfinger", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/.well-known/webfinger/more", route: .s3(bucketFromHost: nil)),
        RouteRow(
            method: .post, path: "/idp/company/token", contentType: RouteRow.form, route: .identityProvider(name: "company", path: "/token")
        ),
        RouteRow(path: "/.well-known/web-identity", route: .identityProvider(name: "google", path: "/.well-known/web-identity")),
        RouteRow(path: "/.well-known/web-identity", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/idp", route: .s3(bucketFromHost: nil)),
    ]

    /// The realm `demorealm` and the bucket `auth` exist.
    static let realms = [
        RouteRow(path: "/realms/demorealm", route: .identityProvider(name: "demorealm", path: "")),
        RouteRow(
            method: .post, path: "/auth/realms/demorealm/protocol/openid-connect/token", contentType: RouteRow.form,
            route: .identityProvider(name: "demorealm", path: "/protocol/openid-connect/token")),
        RouteRow(path: "/realms/demorealm/", authorization: "Bearer x", route: .identityProvider(name: "demorealm", path: "/")),
        RouteRow(path: "/admin/realms/demorealm/users", route: Route(.keycloakAdmin, name: "realms", path: "/demorealm/users")),
        RouteRow(path: "/auth/admin/realms/demorealm", route: Route(.keycloakAdmin, name: "realms", path: "/demorealm")),
        RouteRow(method: .post, path: "/admin/realms", route: Route(.keycloakAdmin, name: "realms", path: "")),
        RouteRow(path: "/admin/serverinfo", route: Route(.keycloakAdmin, name: "serverinfo", path: "")),
        RouteRow(path: "/auth/admin/realms/nothing", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/admin/realmsx", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/admin/realms/demorealm", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/realms/nothing/x", route: .identityProvider(name: "nothing", path: "/x")),
        RouteRow(path: "/auth/realms/nothing", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/realms", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/realms/", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/realmsx/demorealm", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/realms/demorealm", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "box.s3.localhost", path: "/realms/demorealm", route: .s3(bucketFromHost: "box")),
    ]

    /// The hosts of canonical names: an own one, that of a bucket, and an alias.
    static let issuers = [
        RouteRow(host: "login.company.example", path: "/issuer/token", route: .identityProvider(name: "company", path: "/token")),
        RouteRow(
            host: "login.company.example", path: "/issuer/x", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "login.company.example", path: "/other", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "known.s3.amazonaws.com", path: "/issuer/token", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "storage.example", path: "/issuer/token", route: .identityProvider(name: "company", path: "/token")),
        RouteRow(
            host: "storage.example", path: "/issuer/token", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
    ]

    /// Fixed paths of AD FS select the provider that supports SAML.
    static let fixed = [
        RouteRow(path: "/adfs/ls/idpinitiatedsignon", route: .identityProvider(name: "company", path: "/adfs/ls/idpinitiatedsignon")),
        RouteRow(
            path: "/adfs/ls/IdpInitiatedSignOn.aspx", route: .identityProvider(name: "company", path: "/adfs/ls/IdpInitiatedSignOn.aspx")),
        RouteRow(method: .post, path: "/adfs/ls", contentType: RouteRow.form, route: .identityProvider(name: "company", path: "/adfs/ls")),
        RouteRow(path: "/ADFS/LS/", route: .identityProvider(name: "company", path: "/ADFS/LS/")),
        RouteRow(
            path: "/FederationMetadata/2007-06/FederationMetadata.xml",
            route: .identityProvider(name: "company", path: "/FederationMetadata/2007-06/FederationMetadata.xml")),
        RouteRow(path: "/adfs/lsx", route: .s3(bucketFromHost: nil)), RouteRow(path: "/adfs", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/adfs/ls/", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "box.s3.localhost", path: "/adfs/ls/", route: .s3(bucketFromHost: "box")),
    ]

    /// Both token vending machines, of which the anonymous one has its own host, and an app server that signs.
    static let vendingMachines = [
        RouteRow(path: "/tvm/anonymous/gettoken", route: .vendingMachine(.anonymous, path: "/gettoken")),
        RouteRow(path: "/tvm/identity", route: .vendingMachine(.identity, path: "")),
        RouteRow(
            method: .post, path: "/tvm/identity/registeruser", contentType: RouteRow.form,
            route: .vendingMachine(.identity, path: "/registeruser")),
        RouteRow(host: "identity.tvm.localhost", path: "/login", route: .vendingMachine(.identity, path: "/login")),
        RouteRow(host: "anonymous.tvm.storage.example", route: .vendingMachine(.anonymous, path: "/")),
        RouteRow(method: .post, host: "vending.example", contentType: RouteRow.form, route: .vendingMachine(.anonymous, path: "/")),
        RouteRow(path: "/sign", route: .appServer), RouteRow(method: .post, path: "/sign", contentType: RouteRow.form, route: .appServer),
        RouteRow(path: "/sign", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/tvm/other/gettoken", route: .s3(bucketFromHost: nil)), RouteRow(path: "/tvm", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/tvm/identity/login", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "other.tvm.localhost", path: "/login", route: .s3(bucketFromHost: nil)),
    ]

    /// The doors of an instance, of tasks, of pods, of logins and of certificates (K6, K37).
    static let credentials = [
        RouteRow(path: "/v1/credentials", route: Route(.credentials)),
        RouteRow(path: "/v1/credentials", authorization: "eyJhbGciOiJSUzI1NiJ9.e30.c2ln", route: Route(.credentials)),
        RouteRow(path: "/v2/credentials", route: Route(.credentials)), RouteRow(path: "/v2/credentials/x", route: Route(.credentials)),
        RouteRow(path: "/v2/credentialsx", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/idp/a/actions-token", query: "api-version=2", route: Route(.credentials)),
        RouteRow(path: "/idp/a/b/actions-token", route: .identityProvider(name: "a", path: "/b/actions-token")),
        RouteRow(path: "/idp/actions-token", route: .identityProvider(name: "actions-token", path: "")),
        RouteRow(path: "/v4/x/task", route: Route(.credentials)),
        RouteRow(path: "/creds", route: Route(.credentials)), RouteRow(path: "/role/a", route: Route(.credentials)),
        RouteRow(method: .put, path: "/role/a", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/role/a", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(
            method: .post, path: "/clusters/a/assume-role-for-pod-identity", authorization: RouteRow.signed("eks-auth"),
            route: Route(.credentials)),
        RouteRow(path: "/federation", query: "Action=login&SigninToken=x", route: Route(.credentials)),
        RouteRow(method: .post, path: "/federation", contentType: RouteRow.form, route: Route(.credentials)),
        RouteRow(path: "/federation", query: "list-type=2", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/v2/credentials/x", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/v1/authorize", query: "response_type=code", route: Route(.credentials)),
        RouteRow(method: .post, path: "/v1/authorize", contentType: RouteRow.form, route: Route(.credentials)),
        RouteRow(method: .post, path: "/v1/token", contentType: "application/json", route: Route(.credentials)),
        RouteRow(method: .post, path: "/v1/token", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "us-east-1.signin.aws.amazon.com", path: "/v1/authorize", route: Route(.credentials)),
        RouteRow(host: "signin.aws.amazon.com", path: "/", route: Route(.credentials)),
        RouteRow(method: .post, host: "signin.eu-west-1.amazonaws.com", path: "/list-sessions", route: Route(.credentials)),
        RouteRow(method: .post, path: "/sessions", contentType: "application/json", route: Route(.credentials)),
        RouteRow(method: .post, path: "/sessions", contentType: RouteRow.form, route: .s3(bucketFromHost: nil)),
        RouteRow(method: .post, path: "/sessions", authorization: RouteRow.signed("rolesanywhere"), route: Route(.credentials)),
        RouteRow(method: .post, host: "rolesanywhere.eu-west-1.amazonaws.com", path: "/sessions", route: Route(.credentials)),
        RouteRow(method: .put, path: "/latest/api/token", route: Route(.credentials)),
        RouteRow(path: "/latest/meta-data/", route: Route(.credentials)),
        RouteRow(host: "169.254.169.254", path: "/2021-03-23/meta-data/instance-id", route: Route(.credentials)),
        RouteRow(path: "/latest/meta-data/", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/latest/notes.txt", route: .s3(bucketFromHost: nil)),
        RouteRow(method: .put, path: "/latest/meta-data/notes.txt", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/latest/meta-data/ram/security-credentials/", route: .s3(bucketFromHost: nil)),
    ]

    /// The paths and hosts of IAM Identity Center (K37).
    static let identityCenter = [
        RouteRow(path: "/authorize", query: "response_type=code&client_id=x", route: Route(.credentials)),
        RouteRow(path: "/authorize", query: "prefix=x", route: .s3(bucketFromHost: nil)),
        RouteRow(
            path: "/authorize", query: "response_type=code&client_id=x", authorization: RouteRow.signed("s3"),
            route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/assignment/accounts", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "portal.sso.us-east-1.amazonaws.com", path: "/assignment/accounts", route: Route(.credentials)),
        RouteRow(host: "portal.sso.eu-west-1.amazonaws.com", path: "/assignment/accounts", route: .unavailable(service: "sso")),
        RouteRow(host: "oidc.us-east-1.amazonaws.com", path: "/unknown", route: Route(.credentials)),
        RouteRow(
            method: .post, host: "oidc.us-east-1.amazonaws.com", path: "/token", authorization: RouteRow.signed("sso-oauth"),
            route: .unavailable(service: "sso-oauth")),
        RouteRow(
            host: "oidc.us-east-1.amazonaws.com", path: "/idp/company/identity-center/device",
            route: .identityProvider(name: "company", path: "/identity-center/device")),
        RouteRow(host: "d-0123456789.awsapps.com", path: "/start", route: Route(.credentials)),
        RouteRow(method: .post, path: "/token", contentType: "application/json", route: Route(.credentials, name: "sso-oauth")),
    ]

    @Test(
        "sends each request to the first matching rule",
        arguments: paths + realms + issuers + fixed + vendingMachines + credentials + identityCenter)
    func table(_ row: RouteRow) { row.check() }
}

@Suite("Paths and hosts of token vending machines without a seed")
struct MissingVendingMachineTests {
    @Test(
        "are routed as those of buckets",
        arguments: [
            ("localhost", "/tvm/identity/login", .s3(bucketFromHost: nil)), ("identity.tvm.localhost", "/login", .s3(bucketFromHost: nil)),
            ("known.tvm.localhost", "/login", .s3(bucketFromHost: "known.tvm")),
        ] as [(String, String, Route)])
    func buckets(host: String, path: String, route: Route) {
        let facts = RoutingFacts(method: .get, host: host, path: path, query: "", residents: OneBucket())
        #expect(Route(facts) == route)
    }
}

/// A stub with one bucket whose name looks like a token vending machine.
private struct OneBucket: Residents {
    func isBucket(_ name: String) -> Bool { name == "known.tvm" }
    func isOSSBucket(_ name: String) -> Bool { false }
    func isS3Bucket(_ name: String) -> Bool { false }
    func bucketOfHost(_ host: String) -> String? { nil }
    func isProvider(_ name: String) -> Bool { false }
    func issuer(atHost host: String, path: String) -> IssuerPlace? { nil }
    func hasMobileBackends() -> Bool { false }
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { false }
    func hasInstances() -> Bool { false }
    func hasTasks() -> Bool { false }
    func hasIdentityCenter() -> Bool { false }
    func isIdentityCenter(host: String) -> Bool { false }
    func userPool(ofDomain host: String) -> String? { nil }
    func isAppServer(_ path: String) -> Bool { false }
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { nil }
    func samlProvider() -> String? { nil }
}
