import Calls
import Directory
import Federation
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("The routing table of the front door")
struct RouteTests {
    static let control = [
        RouteRow(path: "/_virga/health", route: .control(path: "/health")),
        RouteRow(path: "/_virga", route: .control(path: "")),
        RouteRow(host: "s3.amazonaws.com", path: "/_virga/health", route: .control(path: "/health")),
        RouteRow(host: "box.s3.amazonaws.com", path: "/_virga/health", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "known.localhost", path: "/_virga/reset", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "nothing.localhost", path: "/_virga/reset", route: .control(path: "/reset")),
        RouteRow(host: "box.s3-website-us-east-1.amazonaws.com", path: "/_virga/health", route: .website(bucket: "box")),
        RouteRow(host: "box.oss-cn-hangzhou.aliyuncs.com", path: "/_virga/health", route: .oss(bucketFromHost: "box")),
        RouteRow(path: "/_virga/reset", authorization: RouteRow.signed("s3"), route: .control(path: "/reset")),
        RouteRow(path: "/_virga/ui", route: Route(.consolePages)),
        RouteRow(path: "/_virga/ui/journal", route: Route(.consolePages, path: "/journal")),
        RouteRow(path: "/_virga/uix", route: .control(path: "/uix")),
        RouteRow(path: "/_virgax/health", route: .s3(bucketFromHost: nil)),
    ]

    static let accounts = [
        RouteRow(
            path: "/v20180820/configuration/publicAccessBlock", authorization: RouteRow.signed("s3"), account: "000000000000",
            route: .unavailable(service: "s3-control")),
        RouteRow(
            method: .put, host: "000000000000.localhost", path: "/v20180820/configuration/publicAccessBlock",
            authorization: RouteRow.signed("s3"),
            account: "000000000000", route: .unavailable(service: "s3-control")),
        RouteRow(
            host: "000000000000.s3-control.us-east-1.amazonaws.com", path: "/v20180820/accesspoint", authorization: RouteRow.signed("s3"),
            account: "000000000000", route: .unavailable(service: "s3-control")),
        RouteRow(path: "/v20180820/a", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/box/a", authorization: RouteRow.signed("s3"), account: "000000000000", route: .s3(bucketFromHost: nil)),
    ]

    static let hosts = [
        RouteRow(host: "sts.amazonaws.com", route: .sts),
        RouteRow(host: "sts.eu-central-1.amazonaws.com", route: .sts),
        RouteRow(host: "sts.amazonaws.com", authorization: RouteRow.signed("s3"), route: .sts),
        RouteRow(host: "sts.localhost", route: .sts),
        RouteRow(host: "iam.amazonaws.com", route: .iam),
        RouteRow(host: "organizations.us-east-1.amazonaws.com", route: Route(.organizations)),
        RouteRow(host: "account.us-east-1.amazonaws.com", route: Route(.accountManagement)),
        RouteRow(host: "cognito-identity.eu-west-1.amazonaws.com", route: Route(.identityPools)),
        // Clients of identity pools need no signature, and one that is not valid changes nothing.
        RouteRow(
            method: .post, authorization: "AWS4-HMAC-SHA256 nonsense", target: "AWSCognitoIdentityService.GetId",
            route: Route(.identityPools)),
        RouteRow(host: "cognito-idp.eu-west-1.amazonaws.com", route: Route(.userPools)),
        RouteRow(host: "cognito-idp.eu-west-1.amazonaws.com", path: "/eu-west-1_AbC/.well-known/jwks.json", route: Route(.userPools)),
        RouteRow(path: "/eu-west-1_AbC/.well-known/jwks.json", route: Route(.userPools)),
        RouteRow(path: "/eu-west-1_AbC/.well-known/openid-configuration", route: Route(.userPools)),
        RouteRow(
            method: .post, path: "/us-east-1_AbC/oauth2/token", contentType: RouteRow.form,
            route: Route(.userPools, name: "us-east-1_AbC", path: "/oauth2/token")),
        RouteRow(path: "/us-east-1_AbC/login", query: "client_id=a", route: Route(.userPools, name: "us-east-1_AbC", path: "/login")),
        RouteRow(path: "/us-east-1_AbC/oauth2/nothing", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/known/oauth2/token", route: .s3(bucketFromHost: nil)),
        RouteRow(
            host: "lighthouse.auth.us-east-1.amazoncognito.com", path: "/oauth2/token",
            route: Route(.userPools, name: "us-east-1_AbC", path: "/oauth2/token")),
        RouteRow(
            host: "sign-in.lighthouse.example", path: "/oauth2/token",
            route: Route(.userPools, name: "us-east-1_AbC", path: "/oauth2/token")),
        RouteRow(
            host: "unknown.auth.us-east-1.amazoncognito.com", path: "/oauth2/token",
            route: Route(.userPools, name: "", path: "/oauth2/token")),
        // A name of this process stays one, whatever domain a pool has.
        RouteRow(host: "storage.example", path: "/oauth2/token", route: .s3(bucketFromHost: nil)),
        RouteRow(method: .post, target: "AWSCognitoIdentityProviderService.SignUp", route: Route(.userPools)),
        RouteRow(
            method: .post, authorization: "AWS4-HMAC-SHA256 nonsense", target: "AWSCognitoIdentityProviderService.SignUp",
            route: Route(.userPools)),
        RouteRow(method: .post, authorization: RouteRow.signed("cognito-idp"), route: Route(.userPools)),
        // The host of an endpoint in a VPC names the service before the region.
        RouteRow(host: "vpce-1.sts.eu-central-1.amazonaws.com", route: .sts),
        RouteRow(host: "s3.amazonaws.com", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "s3.eu-central-1.amazonaws.com", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "s3-eu-west-1.amazonaws.com", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "s3.dualstack.eu-west-1.amazonaws.com", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "box.s3.amazonaws.com", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "a.b.s3.eu-central-1.amazonaws.com", route: .s3(bucketFromHost: "a.b")),
        RouteRow(host: "s3.box.s3.amazonaws.com", route: .s3(bucketFromHost: "s3.box")),
        RouteRow(host: "box.s3-website-us-east-1.amazonaws.com", route: .website(bucket: "box")),
        RouteRow(host: "a.b.s3-website.eu-central-1.amazonaws.com", route: .website(bucket: "a.b")),
        RouteRow(host: "box.s3-website.localhost", route: .website(bucket: "box")),
        RouteRow(host: "box.s3-website.storage.example", route: .website(bucket: "box")),
        RouteRow(host: "s3.cn-north-1.amazonaws.com.cn", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "box.s3.cn-north-1.amazonaws.com.cn", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "box.s3.dualstack.eu-west-1.amazonaws.com", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "box.s3-accelerate.amazonaws.com", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "box.s3-accelerate.dualstack.amazonaws.com", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "s3.dualstack.us-west-2.api.aws", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "box.s3.us-west-2.api.aws", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "sts.us-west-2.api.aws", route: .sts), RouteRow(host: "iam.global.api.aws", route: .iam),
        RouteRow(
            host: "files-000000000000.s3-accesspoint.us-east-1.amazonaws.com", authorization: RouteRow.signed("s3"), route: .s3Unavailable),
        RouteRow(host: "alias.accesspoint.s3-global.amazonaws.com", authorization: RouteRow.signed("s3"), route: .s3Unavailable),
        RouteRow(host: "box--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com", query: "session", route: .s3Unavailable),
        RouteRow(host: "000000000000.s3-control.us-east-1.amazonaws.com", path: "/x", route: .unavailable(service: "s3-control")),
        RouteRow(host: "sts.box.s3.amazonaws.com", route: .s3(bucketFromHost: "sts.box")),
        RouteRow(host: "sts.cn-north-1.amazonaws.com.cn", route: .sts),
        RouteRow(host: "box.s3.amazonaws.com", authorization: RouteRow.signed("sts"), route: .s3(bucketFromHost: "box")),
        RouteRow(host: "box.s3.localhost", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "a.b.s3.localhost", route: .s3(bucketFromHost: "a.b")),
        RouteRow(host: "s3.localhost", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "known.localhost", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "unknown.localhost", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "unknown.localhost", path: "/idp/company/token", route: .identityProvider(name: "company", path: "/token")),
        RouteRow(
            host: "localhost", path: "/_aws/tokens/a1/.well-known/jwks.json",
            route: .outboundIssuer(id: "a1", path: "/.well-known/jwks.json")),
        RouteRow(method: .put, host: "unknown.localhost", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "unknown")),
        RouteRow(method: .head, host: "unknown.localhost", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "unknown")),
        RouteRow(method: .put, host: "unknown.localhost", query: RouteRow.presigned("s3"), route: .s3(bucketFromHost: "unknown")),
        RouteRow(method: .put, host: "unknown.localhost", route: .s3(bucketFromHost: nil)),
        RouteRow(method: .put, host: "unknown.localhost", authorization: RouteRow.signed("sts"), route: .sts),
        RouteRow(
            method: .put, host: "unknown.localhost", path: "/box", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "unknown.localhost", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(
            host: "unknown.localhost", query: "list-type=2", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "unknown")),
        RouteRow(
            host: "unknown.localhost", query: "encoding-type=url", authorization: RouteRow.signed("s3"),
            route: .s3(bucketFromHost: "unknown")),
        RouteRow(
            host: "unknown.localhost", query: "versioning", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "unknown")),
        RouteRow(
            host: "unknown.localhost", query: "prefix=a&x-id=ListBuckets", authorization: RouteRow.signed("s3"),
            route: .s3(bucketFromHost: nil)),
        RouteRow(host: "unknown.localhost", query: RouteRow.presigned("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "unknown.localhost", path: "/a/b", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "unknown")),
        RouteRow(host: "unknown.localhost", path: "/known/b", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(
            method: .put, host: "unknown.localhost", path: "/a", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "unknown")
        ),
        RouteRow(
            method: .put, host: "unknown.localhost", path: "/box/b", authorization: RouteRow.signed("s3"),
            route: .s3(bucketFromHost: "unknown")),
        // A key with one segment in a missing bucket: the request does not create a bucket.
        RouteRow(
            method: .put, host: "unknown.localhost", path: "/box", query: "x-id=PutObject", authorization: RouteRow.signed("s3"),
            route: .s3(bucketFromHost: "unknown")),
        RouteRow(
            method: .put, host: "unknown.localhost", path: "/Notes.txt", authorization: RouteRow.signed("s3"),
            route: .s3(bucketFromHost: "unknown")),
        RouteRow(
            method: .put, host: "unknown.localhost", path: "/box", authorization: RouteRow.signed("s3"), checksum: "CRC32",
            route: .s3(bucketFromHost: "unknown")),
        RouteRow(host: "box.s3.eu-central-1.localhost", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "storage.example", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "known.storage.example", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "known.deep.storage.example", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "box.s3.storage.example", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "a.b.s3.storage.example", route: .s3(bucketFromHost: "a.b")),
        RouteRow(host: "s3.storage.example", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "sts.storage.example", route: .sts),
        RouteRow(
            method: .put, host: "unknown.storage.example", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "unknown")),
        RouteRow(host: "known.storage.example.org", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "knownstorage.example", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "known.virga", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "box.s3.virga", route: .s3(bucketFromHost: "box")),
        RouteRow(host: "known.host.docker.internal", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "files.example.org", route: .s3(bucketFromHost: "files.example.org")),
        RouteRow(host: "127.0.0.1", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "[::1]", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "a1.tokens.sts.global.api.aws", path: "/x", route: .outboundIssuer(id: "a1", path: "/x")),
        RouteRow(host: "graph.facebook.com", path: "/me", route: .identityProvider(name: "facebook", path: "/me")),
        RouteRow(host: "www.facebook.com", path: "/dialog/oauth", route: .identityProvider(name: "facebook", path: "/dialog/oauth")),
        RouteRow(host: "m.facebook.com", path: "/", route: .identityProvider(name: "facebook", path: "/")),
        RouteRow(host: "www.amazon.com", path: "/ap/oa", route: .identityProvider(name: "amazon", path: "/ap/oa")),
        RouteRow(host: "developers.facebook.com", path: "/tools/x", route: .identityProvider(name: "facebook", path: "/tools/x")),
        RouteRow(host: "amazon.com", path: "/us/code", route: .identityProvider(name: "amazon", path: "/us/code")),
        RouteRow(host: "www.google.com", path: "/device", route: .identityProvider(name: "google", path: "/device")),
        RouteRow(host: "api.amazon.com", path: "/user/profile", route: .identityProvider(name: "amazon", path: "/user/profile")),
        RouteRow(host: "accounts.google.com", path: "/x", route: .identityProvider(name: "google", path: "/x")),
        RouteRow(host: "oauth2.googleapis.com", path: "/token", route: .identityProvider(name: "google", path: "/token")),
        RouteRow(host: "www.googleapis.com", path: "/c", route: .identityProvider(name: "google", path: "/c")),
        RouteRow(host: "github.com", path: "/login/device", route: .identityProvider(name: "github", path: "/login/device")),
        RouteRow(host: "api.github.com", path: "/user", route: .identityProvider(name: "github", path: "/user")),
        RouteRow(host: "openidconnect.googleapis.com", path: "/u", route: .identityProvider(name: "google", path: "/u")),
        RouteRow(host: "evilamazonaws.com", route: .s3(bucketFromHost: nil)),
        // The first SDKs sign for the host's first label as the service, and the parameters select the service.
        RouteRow(query: "Action=A&Version=2011-06-15", authorization: RouteRow.signed("localhost"), route: .sts),
        RouteRow(host: "127.0.0.1", query: "Action=A&Version=2010-05-08", authorization: RouteRow.signed("127"), route: .iam),
        RouteRow(method: .post, host: "127.0.0.1", authorization: RouteRow.signed("127"), contentType: RouteRow.form, route: .form),
        RouteRow(method: .post, host: "virga", authorization: RouteRow.signed("virga"), contentType: RouteRow.form, route: .form),
        RouteRow(
            method: .post, host: "127.0.0.1", authorization: RouteRow.signed("0"), contentType: RouteRow.form,
            route: .unavailable(service: "0")),
        RouteRow(host: "sqs.localhost", authorization: RouteRow.signed("sqs"), route: .unavailable(service: "sqs")),
        RouteRow(host: "127.0.0.1", path: "/authorization-details/a1", authorization: RouteRow.signed("iam"), route: .iam),
        RouteRow(
            host: "dynamodb.us-east-1.amazonaws.com", authorization: RouteRow.signed("dynamodb"), route: .unavailable(service: "dynamodb")),
        RouteRow(host: "a1.execute-api.eu-west-1.amazonaws.com", path: "/x", route: .unavailable(service: "execute-api")),
    ]

    static let rest = [
        RouteRow(route: .s3(bucketFromHost: nil)), RouteRow(path: "/box/key", route: .s3(bucketFromHost: nil)),
        RouteRow(method: .options, path: "*", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "", path: "", route: .s3(bucketFromHost: nil)),
    ]

    @Test("sends each request to the first matching rule", arguments: control + accounts + hosts + probes + rest)
    func table(_ row: RouteRow) { row.check() }
}
