import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("The routing table of the front door")
struct RouteTests {
    private static let form = "application/x-www-form-urlencoded"

    /// A request and its route. The first matching rule applies.
    struct Row: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.get
        var host = "localhost"
        var path = "/"
        var query = ""
        var authorization: String?
        var contentType: String?
        var agent: String?
        /// The header `x-amz-sdk-checksum-algorithm`.
        var checksum: String?
        /// The header `x-amz-account-id`.
        var account: String?
        var route: Route

        var testDescription: String { "\(method) \(host) \(path)?\(query) \(authorization ?? "") → \(route)" }
    }

    static func signed(_ service: String, key: String = "test") -> String {
        "AWS4-HMAC-SHA256 Credential=\(key)/20261121/us-east-1/\(service)/aws4_request, SignedHeaders=host, Signature=0"
    }

    static func presigned(_ service: String) -> String {
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20261121%2Fus-east-1%2F\(service)%2Faws4_request"
    }

    private static let v2URL = "AWSAccessKeyId=test&Signature=c2ln&Expires=1795357008"

    static let control = [
        Row(path: "/_virga/health", route: .control(path: "/health")),
        Row(path: "/_virga", route: .control(path: "")),
        Row(host: "s3.amazonaws.com", path: "/_virga/health", route: .control(path: "/health")),
        Row(host: "box.s3.amazonaws.com", path: "/_virga/health", route: .s3(bucketFromHost: "box")),
        Row(host: "known.localhost", path: "/_virga/reset", route: .s3(bucketFromHost: "known")),
        Row(host: "nothing.localhost", path: "/_virga/reset", route: .control(path: "/reset")),
        Row(host: "box.s3-website-us-east-1.amazonaws.com", path: "/_virga/health", route: .website(bucket: "box")),
        Row(host: "box.oss-cn-hangzhou.aliyuncs.com", path: "/_virga/health", route: .oss(bucketFromHost: "box")),
        Row(path: "/_virga/reset", authorization: signed("s3"), route: .control(path: "/reset")),
        Row(path: "/_virgax/health", route: .s3(bucketFromHost: nil)),
    ]

    static let hosts = [
        Row(host: "sts.amazonaws.com", route: .sts),
        Row(host: "sts.eu-central-1.amazonaws.com", route: .sts),
        Row(host: "sts.amazonaws.com", authorization: signed("s3"), route: .sts),
        Row(host: "sts.localhost", route: .sts),
        Row(host: "iam.amazonaws.com", route: .iam),
        Row(host: "s3.amazonaws.com", route: .s3(bucketFromHost: nil)),
        Row(host: "s3.eu-central-1.amazonaws.com", route: .s3(bucketFromHost: nil)),
        Row(host: "s3-eu-west-1.amazonaws.com", route: .s3(bucketFromHost: nil)),
        Row(host: "s3.dualstack.eu-west-1.amazonaws.com", route: .s3(bucketFromHost: nil)),
        Row(host: "box.s3.amazonaws.com", route: .s3(bucketFromHost: "box")),
        Row(host: "a.b.s3.eu-central-1.amazonaws.com", route: .s3(bucketFromHost: "a.b")),
        Row(host: "s3.box.s3.amazonaws.com", route: .s3(bucketFromHost: "s3.box")),
        Row(host: "box.s3-website-us-east-1.amazonaws.com", route: .website(bucket: "box")),
        Row(host: "a.b.s3-website.eu-central-1.amazonaws.com", route: .website(bucket: "a.b")),
        Row(host: "box.s3-website.localhost", route: .website(bucket: "box")),
        Row(host: "box.s3-website.storage.example", route: .website(bucket: "box")),
        Row(host: "s3.cn-north-1.amazonaws.com.cn", route: .s3(bucketFromHost: nil)),
        Row(host: "box.s3.cn-north-1.amazonaws.com.cn", route: .s3(bucketFromHost: "box")),
        Row(host: "box.s3.dualstack.eu-west-1.amazonaws.com", route: .s3(bucketFromHost: "box")),
        Row(host: "box.s3-accelerate.amazonaws.com", route: .s3(bucketFromHost: "box")),
        Row(host: "box.s3-accelerate.dualstack.amazonaws.com", route: .s3(bucketFromHost: "box")),
        Row(host: "s3.dualstack.us-west-2.api.aws", route: .s3(bucketFromHost: nil)),
        Row(host: "box.s3.us-west-2.api.aws", route: .s3(bucketFromHost: "box")),
        Row(host: "sts.us-west-2.api.aws", route: .sts), Row(host: "iam.global.api.aws", route: .iam),
        Row(host: "files-000000000000.s3-accesspoint.us-east-1.amazonaws.com", authorization: signed("s3"), route: .s3Unavailable),
        Row(host: "alias.accesspoint.s3-global.amazonaws.com", authorization: signed("s3"), route: .s3Unavailable),
        Row(host: "box--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com", query: "session", route: .s3Unavailable),
        Row(host: "000000000000.s3-control.us-east-1.amazonaws.com", path: "/x", route: .unavailable(service: "s3-control")),
        Row(host: "sts.box.s3.amazonaws.com", route: .s3(bucketFromHost: "sts.box")),
        Row(host: "sts.cn-north-1.amazonaws.com.cn", route: .sts),
        Row(host: "box.s3.amazonaws.com", authorization: signed("sts"), route: .s3(bucketFromHost: "box")),
        Row(host: "box.s3.localhost", route: .s3(bucketFromHost: "box")),
        Row(host: "a.b.s3.localhost", route: .s3(bucketFromHost: "a.b")),
        Row(host: "s3.localhost", route: .s3(bucketFromHost: nil)),
        Row(host: "known.localhost", route: .s3(bucketFromHost: "known")),
        Row(host: "unknown.localhost", route: .s3(bucketFromHost: nil)),
        Row(host: "unknown.localhost", path: "/idp/company/token", route: .identityProvider(name: "company", path: "/token")),
        Row(
            host: "localhost", path: "/_aws/tokens/a1/.well-known/jwks.json",
            route: .outboundIssuer(id: "a1", path: "/.well-known/jwks.json")),
        Row(method: .put, host: "unknown.localhost", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(method: .head, host: "unknown.localhost", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(method: .put, host: "unknown.localhost", query: presigned("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(method: .put, host: "unknown.localhost", route: .s3(bucketFromHost: nil)),
        Row(method: .put, host: "unknown.localhost", authorization: signed("sts"), route: .sts),
        Row(method: .put, host: "unknown.localhost", path: "/box", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(host: "unknown.localhost", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(host: "unknown.localhost", query: "list-type=2", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(host: "unknown.localhost", query: "encoding-type=url", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(host: "unknown.localhost", query: "versioning", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(host: "unknown.localhost", query: "prefix=a&x-id=ListBuckets", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(host: "unknown.localhost", query: presigned("s3"), route: .s3(bucketFromHost: nil)),
        Row(host: "unknown.localhost", path: "/a/b", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(host: "unknown.localhost", path: "/known/b", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(method: .put, host: "unknown.localhost", path: "/a", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(method: .put, host: "unknown.localhost", path: "/box/b", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        // A key with one segment in a missing bucket: the request does not create a bucket.
        Row(
            method: .put, host: "unknown.localhost", path: "/box", query: "x-id=PutObject", authorization: signed("s3"),
            route: .s3(bucketFromHost: "unknown")),
        Row(
            method: .put, host: "unknown.localhost", path: "/Notes.txt", authorization: signed("s3"),
            route: .s3(bucketFromHost: "unknown")),
        Row(
            method: .put, host: "unknown.localhost", path: "/box", authorization: signed("s3"), checksum: "CRC32",
            route: .s3(bucketFromHost: "unknown")),
        Row(host: "box.s3.eu-central-1.localhost", route: .s3(bucketFromHost: "box")),
        Row(host: "storage.example", route: .s3(bucketFromHost: nil)),
        Row(host: "known.storage.example", route: .s3(bucketFromHost: "known")),
        Row(host: "known.deep.storage.example", route: .s3(bucketFromHost: "known")),
        Row(host: "box.s3.storage.example", route: .s3(bucketFromHost: "box")),
        Row(host: "a.b.s3.storage.example", route: .s3(bucketFromHost: "a.b")),
        Row(host: "s3.storage.example", route: .s3(bucketFromHost: nil)),
        Row(host: "sts.storage.example", route: .sts),
        Row(method: .put, host: "unknown.storage.example", authorization: signed("s3"), route: .s3(bucketFromHost: "unknown")),
        Row(host: "known.storage.example.org", route: .s3(bucketFromHost: nil)),
        Row(host: "knownstorage.example", route: .s3(bucketFromHost: nil)),
        Row(host: "known.virga", route: .s3(bucketFromHost: "known")),
        Row(host: "box.s3.virga", route: .s3(bucketFromHost: "box")),
        Row(host: "known.host.docker.internal", route: .s3(bucketFromHost: "known")),
        Row(host: "files.example.org", route: .s3(bucketFromHost: "files.example.org")),
        Row(host: "127.0.0.1", route: .s3(bucketFromHost: nil)),
        Row(host: "[::1]", route: .s3(bucketFromHost: nil)),
        Row(host: "a1.tokens.sts.global.api.aws", path: "/x", route: .outboundIssuer(id: "a1", path: "/x")),
        Row(host: "graph.facebook.com", path: "/me", route: .identityProvider(name: "facebook", path: "/me")),
        Row(host: "www.facebook.com", path: "/dialog/oauth", route: .identityProvider(name: "facebook", path: "/dialog/oauth")),
        Row(host: "m.facebook.com", path: "/", route: .identityProvider(name: "facebook", path: "/")),
        Row(host: "www.amazon.com", path: "/ap/oa", route: .identityProvider(name: "amazon", path: "/ap/oa")),
        Row(host: "developers.facebook.com", path: "/tools/x", route: .identityProvider(name: "facebook", path: "/tools/x")),
        Row(host: "amazon.com", path: "/us/code", route: .identityProvider(name: "amazon", path: "/us/code")),
        Row(host: "www.google.com", path: "/device", route: .identityProvider(name: "google", path: "/device")),
        Row(host: "api.amazon.com", path: "/user/profile", route: .identityProvider(name: "amazon", path: "/user/profile")),
        Row(host: "accounts.google.com", path: "/x", route: .identityProvider(name: "google", path: "/x")),
        Row(host: "oauth2.googleapis.com", path: "/token", route: .identityProvider(name: "google", path: "/token")),
        Row(host: "www.googleapis.com", path: "/c", route: .identityProvider(name: "google", path: "/c")),
        Row(host: "openidconnect.googleapis.com", path: "/u", route: .identityProvider(name: "google", path: "/u")),
        Row(host: "evilamazonaws.com", route: .s3(bucketFromHost: nil)),
        // The first SDKs sign for the host's first label as the service, and the parameters select the service.
        Row(query: "Action=A&Version=2011-06-15", authorization: signed("localhost"), route: .sts),
        Row(host: "127.0.0.1", query: "Action=A&Version=2010-05-08", authorization: signed("127"), route: .iam),
        Row(method: .post, host: "127.0.0.1", authorization: signed("127"), contentType: form, route: .form),
        Row(method: .post, host: "virga", authorization: signed("virga"), contentType: form, route: .form),
        Row(method: .post, host: "127.0.0.1", authorization: signed("0"), contentType: form, route: .unavailable(service: "0")),
        Row(host: "sqs.localhost", authorization: signed("sqs"), route: .unavailable(service: "sqs")),
        Row(host: "127.0.0.1", path: "/authorization-details/a1", authorization: signed("iam"), route: .iam),
        Row(host: "dynamodb.us-east-1.amazonaws.com", authorization: signed("dynamodb"), route: .unavailable(service: "dynamodb")),
        Row(method: .post, host: "cognito-idp.eu-west-1.amazonaws.com", route: .unavailable(service: "cognito-idp")),
        Row(host: "a1.execute-api.eu-west-1.amazonaws.com", path: "/x", route: .unavailable(service: "execute-api")),
    ]

    static let accounts = [
        Row(
            path: "/v20180820/configuration/publicAccessBlock", authorization: signed("s3"), account: "000000000000",
            route: .unavailable(service: "s3-control")),
        Row(
            method: .put, host: "000000000000.localhost", path: "/v20180820/configuration/publicAccessBlock", authorization: signed("s3"),
            account: "000000000000", route: .unavailable(service: "s3-control")),
        Row(
            host: "000000000000.s3-control.us-east-1.amazonaws.com", path: "/v20180820/accesspoint", authorization: signed("s3"),
            account: "000000000000", route: .unavailable(service: "s3-control")),
        Row(path: "/v20180820/a", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(path: "/box/a", authorization: signed("s3"), account: "000000000000", route: .s3(bucketFromHost: nil)),
    ]

    static let signatures = [
        Row(authorization: signed("sts"), route: .sts),
        Row(authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(authorization: signed("iam"), route: .iam), Row(path: "/box/a", authorization: signed("s3express"), route: .s3Unavailable),
        Row(authorization: signed("sts", key: "odd/key/id"), route: .sts),
        Row(path: "/idp/company/token", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(method: .post, authorization: signed("s3"), contentType: form, route: .s3(bucketFromHost: nil)),
        Row(query: "Action=X&Version=2011-06-15", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(authorization: "AWS4-HMAC-SHA256", route: .s3(bucketFromHost: nil)),
        Row(authorization: "AWS4-HMAC-SHA256 Credential=", route: .s3(bucketFromHost: nil)),
        Row(authorization: "AWS4-HMAC-SHA256 Credential=/", route: .s3(bucketFromHost: nil)),
        Row(path: "/idp/company", authorization: "AWS test:sig", route: .s3(bucketFromHost: nil)),
        Row(query: presigned("sts"), route: .sts),
        Row(path: "/idp/company", query: presigned("s3"), route: .s3(bucketFromHost: nil)),
        Row(query: presigned("iam"), route: .iam),
        Row(path: "/idp/company/token", query: v2URL, route: .s3(bucketFromHost: nil)),
        Row(path: "/sign", query: v2URL, route: .s3(bucketFromHost: nil)),
        Row(path: "/tvm/identity/login", query: v2URL, route: .s3(bucketFromHost: nil)),
        Row(path: "/harbour/x-oss-a", query: "prefix=x-oss-&" + v2URL, route: .s3(bucketFromHost: nil)),
        Row(query: "Action=GetSessionToken&Version=2011-06-15&SignatureVersion=2&" + v2URL, route: .sts),
        Row(path: "/idp/company/token", authorization: "Basic eA==", route: .identityProvider(name: "company", path: "/token")),
        Row(path: "/idp/company/userinfo", authorization: "Bearer x", route: .identityProvider(name: "company", path: "/userinfo")),
    ]

    static let actions = [
        Row(query: "Action=GetCallerIdentity&Version=2011-06-15", route: .sts),
        Row(method: .post, query: "Version=2011-06-15&Action=AssumeRoleWithWebIdentity", route: .sts),
        Row(query: "Action=ListUsers&Version=2010-05-08", route: .iam),
        Row(query: "Action=X&Version=2000-01-01", route: .s3(bucketFromHost: nil)),
        Row(query: "Action=X", route: .s3(bucketFromHost: nil)),
        Row(path: "/box/a", query: "Action=AssumeRole&Version=2011-06-15", route: .s3(bucketFromHost: nil)),
        Row(query: "Action=%GG&Version=2011-06-15", route: .s3(bucketFromHost: nil)),
        Row(method: .post, contentType: form, route: .form),
        Row(method: .post, contentType: "Application/X-WWW-Form-Urlencoded; charset=utf-8", route: .form),
        Row(method: .post, path: "/box", contentType: form, route: .s3(bucketFromHost: nil)),
        Row(method: .put, contentType: form, route: .s3(bucketFromHost: nil)),
        Row(method: .post, contentType: "multipart/form-data", route: .s3(bucketFromHost: nil)),
    ]

    static let paths = [
        Row(path: "/callback_pub_key_v1.pem", route: .oss(bucketFromHost: nil)),
        Row(path: "/callback_pub_key_v1.pem/x", route: .s3(bucketFromHost: nil)),
        Row(path: "/idp/company/authorize", route: .identityProvider(name: "company", path: "/authorize")),
        Row(path: "/idp/facebook/v19.0/me", route: .identityProvider(name: "facebook", path: "/v19.0/me")),
        Row(path: "/idp/company", route: .identityProvider(name: "company", path: "")),
        Row(path: "/idp/", route: .identityProvider(name: "", path: "")),
        // RFC 8414 section 3.1.
        Row(
            path: "/.well-known/oauth-authorization-server/idp/company",
            route: .identityProvider(name: "company", path: "/.well-known/oauth-authorization-server")),
        Row(
            path: "/.well-known/openid-configuration/realms/demorealm",
            route: .identityProvider(name: "demorealm", path: "/.well-known/openid-configuration")),
        Row(path: "/.well-known/openid-configuration/idp/company/more", route: .s3(bucketFromHost: nil)),
        Row(path: "/.well-known/openid-configuration", route: .s3(bucketFromHost: nil)),
        Row(path: "/.well-known/webfinger", query: "resource=acct%3Aalice%40localhost", route: .webFinger),
        Row(path: "/.well-known/webfinger", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(path: "/.well-known/webfinger/more", route: .s3(bucketFromHost: nil)),
        Row(method: .post, path: "/idp/company/token", contentType: form, route: .identityProvider(name: "company", path: "/token")),
        Row(path: "/idp", route: .s3(bucketFromHost: nil)),
    ]

    /// The realm `demorealm` and the bucket `auth` exist.
    static let realms = [
        Row(path: "/realms/demorealm", route: .identityProvider(name: "demorealm", path: "")),
        Row(
            method: .post, path: "/auth/realms/demorealm/protocol/openid-connect/token", contentType: form,
            route: .identityProvider(name: "demorealm", path: "/protocol/openid-connect/token")),
        Row(path: "/realms/demorealm/", authorization: "Bearer x", route: .identityProvider(name: "demorealm", path: "/")),
        Row(path: "/realms/nothing/x", route: .identityProvider(name: "nothing", path: "/x")),
        Row(path: "/auth/realms/nothing", route: .s3(bucketFromHost: nil)),
        Row(path: "/realms", route: .s3(bucketFromHost: nil)),
        Row(path: "/realms/", route: .s3(bucketFromHost: nil)),
        Row(path: "/realmsx/demorealm", route: .s3(bucketFromHost: nil)),
        Row(path: "/auth/admin/realms/demorealm", route: .s3(bucketFromHost: nil)),
        Row(path: "/realms/demorealm", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(host: "box.s3.localhost", path: "/realms/demorealm", route: .s3(bucketFromHost: "box")),
    ]

    /// Fixed paths of AD FS select the provider that supports SAML.
    static let fixed = [
        Row(path: "/adfs/ls/idpinitiatedsignon", route: .identityProvider(name: "company", path: "/adfs/ls/idpinitiatedsignon")),
        Row(path: "/adfs/ls/IdpInitiatedSignOn.aspx", route: .identityProvider(name: "company", path: "/adfs/ls/IdpInitiatedSignOn.aspx")),
        Row(method: .post, path: "/adfs/ls", contentType: form, route: .identityProvider(name: "company", path: "/adfs/ls")),
        Row(path: "/ADFS/LS/", route: .identityProvider(name: "company", path: "/ADFS/LS/")),
        Row(
            path: "/FederationMetadata/2007-06/FederationMetadata.xml",
            route: .identityProvider(name: "company", path: "/FederationMetadata/2007-06/FederationMetadata.xml")),
        Row(path: "/adfs/lsx", route: .s3(bucketFromHost: nil)), Row(path: "/adfs", route: .s3(bucketFromHost: nil)),
        Row(path: "/adfs/ls/", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(host: "box.s3.localhost", path: "/adfs/ls/", route: .s3(bucketFromHost: "box")),
    ]

    private static let ossV4 = "OSS4-HMAC-SHA256 Credential=LTAI/20261121/cn-hangzhou/oss/aliyun_v4_request,Signature=0"

    /// The buckets `harbour` and `mapped` belong only to OSS; `mapped` is also available at `files.example.net`.
    static let alibaba = [
        Row(host: "oss-cn-hangzhou.aliyuncs.com", route: .oss(bucketFromHost: nil)),
        Row(host: "oss-cn-hangzhou-internal.aliyuncs.com", route: .oss(bucketFromHost: nil)),
        Row(host: "oss-accelerate.aliyuncs.com", route: .oss(bucketFromHost: nil)),
        Row(host: "box.oss-cn-hangzhou.aliyuncs.com", route: .oss(bucketFromHost: "box")),
        Row(host: "box.oss-accelerate-overseas.aliyuncs.com", route: .oss(bucketFromHost: "box")),
        // Buckets with names that resemble services.
        Row(host: "oss-my-files.localhost", path: "/a", route: .s3(bucketFromHost: "oss-my-files")),
        Row(host: "oss-my-files.aliyuncs.com", path: "/a", route: .oss(bucketFromHost: nil)),
        Row(method: .put, host: "oss-eu-new.localhost", authorization: signed("s3"), route: .s3(bucketFromHost: "oss-eu-new")),
        Row(host: "oss-eu-new.localhost", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(method: .put, host: "oss-eu-new.localhost", authorization: ossV4, route: .oss(bucketFromHost: nil)),
        Row(host: "sts.oss-cn-hangzhou.aliyuncs.com", route: .oss(bucketFromHost: "sts")),
        Row(host: "sts.oss-cn-hangzhou.localhost", route: .oss(bucketFromHost: "sts")),
        Row(host: "s3-backup.oss.localhost", route: .oss(bucketFromHost: "s3-backup")),
        Row(host: "oss-backup.s3.localhost", route: .s3(bucketFromHost: "oss-backup")),
        Row(host: "sts.aliyuncs.com", route: .alibabaRPC), Row(host: "sts.cn-hangzhou.aliyuncs.com", route: .alibabaRPC),
        Row(host: "sts-vpc.cn-hangzhou.aliyuncs.com", route: .alibabaRPC), Row(host: "ram.aliyuncs.com", route: .alibabaRPC),
        Row(host: "ims.aliyuncs.com", route: .alibabaRPC),
        Row(host: "evilaliyuncs.com", route: .s3(bucketFromHost: nil)),
        Row(host: "oss.localhost", route: .oss(bucketFromHost: nil)), Row(host: "box.oss.localhost", route: .oss(bucketFromHost: "box")),
        Row(host: "box.oss-cn-hangzhou.localhost", route: .oss(bucketFromHost: "box")),
        Row(host: "harbour.localhost", route: .oss(bucketFromHost: "harbour")),
        Row(host: "known.localhost", authorization: ossV4, route: .oss(bucketFromHost: "known")),
        Row(method: .put, host: "unknown.localhost", authorization: ossV4, route: .oss(bucketFromHost: "unknown")),
        Row(host: "files.example.net", path: "/a", route: .oss(bucketFromHost: "mapped")),
        Row(host: "files.example.net", path: "/a", authorization: "AWS test:sig", route: .oss(bucketFromHost: "mapped")),
        Row(host: "cdn.localhost", path: "/a", route: .oss(bucketFromHost: "mapped")),
        Row(authorization: ossV4, route: .oss(bucketFromHost: nil)), Row(authorization: "OSS LTAI:sig", route: .oss(bucketFromHost: nil)),
        Row(authorization: "OSS2 AccessKeyId:LTAI,Signature:sig", route: .oss(bucketFromHost: nil)),
        Row(authorization: "ACS3-HMAC-SHA256 Credential=LTAI", route: .alibabaRPC),
        Row(path: "/box/a", query: "OSSAccessKeyId=LTAI&Expires=1&Signature=x", route: .oss(bucketFromHost: nil)),
        Row(path: "/box/a", query: "x-oss-signature-version=OSS2", route: .oss(bucketFromHost: nil)),
        Row(path: "/box/a", query: "x-oss-process=image%2Finfo", route: .oss(bucketFromHost: nil)),
        Row(path: "/box/", query: "bucketInfo", route: .oss(bucketFromHost: nil)),
        Row(path: "/box/a", query: "objectMeta=", route: .oss(bucketFromHost: nil)),
        Row(path: "/box/", query: "statistics", route: .s3(bucketFromHost: nil)),
        Row(path: "/box/a", agent: "aliyun-sdk-python/2.19.1(Linux)", route: .oss(bucketFromHost: nil)),
        Row(path: "/box/a", agent: "alibabacloud-python-sdk-v2/1.4.1", route: .oss(bucketFromHost: nil)),
        Row(path: "/box/a", agent: "aws-cli/2", route: .s3(bucketFromHost: nil)),
        // A bucket of S3 is not routed to OSS by names of sub-resources, nor by values that look like OSS's names.
        Row(path: "/known/a", query: "live", route: .s3(bucketFromHost: nil)),
        Row(path: "/known/a", query: "x=1&stat=", route: .s3(bucketFromHost: nil)),
        Row(path: "/known", query: "prefix=x-oss-process", route: .s3(bucketFromHost: nil)),
        Row(path: "/known", query: "a=1&x-oss-process=x", route: .oss(bucketFromHost: nil)),
        Row(path: "/known", query: "prefix=OSSAccessKeyId=", route: .s3(bucketFromHost: nil)),
        Row(path: "/known", query: "x-id=x-oss-signature-version=", route: .s3(bucketFromHost: nil)),
        Row(path: "/harbour/a", route: .oss(bucketFromHost: nil)), Row(path: "/harbour", route: .oss(bucketFromHost: nil)),
        Row(path: "/harbour/a", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(query: "Action=AssumeRole&Version=2015-04-01", route: .alibabaRPC),
        Row(path: "/box/a", query: "Action=AssumeRole&Version=2015-04-01", route: .s3(bucketFromHost: nil)),
        Row(query: "Action=CreateUser&Version=2015-05-01", route: .alibabaRPC),
        Row(query: "Action=CreateUser&Version=2010-05-08", route: .iam),
    ]

    /// Both token vending machines, of which the anonymous one has its own host, and an app server that signs.
    static let vendingMachines = [
        Row(path: "/tvm/anonymous/gettoken", route: .vendingMachine(.anonymous, path: "/gettoken")),
        Row(path: "/tvm/identity", route: .vendingMachine(.identity, path: "")),
        Row(method: .post, path: "/tvm/identity/registeruser", contentType: form, route: .vendingMachine(.identity, path: "/registeruser")),
        Row(host: "identity.tvm.localhost", path: "/login", route: .vendingMachine(.identity, path: "/login")),
        Row(host: "anonymous.tvm.storage.example", route: .vendingMachine(.anonymous, path: "/")),
        Row(method: .post, host: "vending.example", contentType: form, route: .vendingMachine(.anonymous, path: "/")),
        Row(path: "/sign", route: .appServer), Row(method: .post, path: "/sign", contentType: form, route: .appServer),
        Row(path: "/sign", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(path: "/tvm/other/gettoken", route: .s3(bucketFromHost: nil)), Row(path: "/tvm", route: .s3(bucketFromHost: nil)),
        Row(path: "/tvm/identity/login", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(host: "other.tvm.localhost", path: "/login", route: .s3(bucketFromHost: nil)),
    ]

    /// The AWS SDK for iOS, version 1, signs without a service name if the host is not one of AWS.
    static let nameless = [
        Row(method: .post, authorization: signed("(null)"), contentType: form, route: .form),
        Row(query: "Action=GetCallerIdentity&Version=2011-06-15", authorization: signed("(null)"), route: .sts),
        Row(path: "/box", authorization: signed("(null)"), route: .s3(bucketFromHost: nil)),
        Row(host: "sts.amazonaws.com", authorization: signed("(null)"), route: .sts),
    ]

    static let rest = [
        Row(route: .s3(bucketFromHost: nil)), Row(path: "/box/key", route: .s3(bucketFromHost: nil)),
        Row(method: .options, path: "*", route: .s3(bucketFromHost: nil)), Row(host: "", path: "", route: .s3(bucketFromHost: nil)),
    ]

    @Test(
        "sends each request to the first matching rule",
        arguments: control + accounts + hosts + signatures + actions + paths + realms + fixed + alibaba + vendingMachines + nameless
            + probes + rest
    )
    func table(_ row: Row) {
        var headers = HTTPFields()
        headers[.userAgent] = row.agent
        headers[HTTPField.Name(literal: "x-amz-sdk-checksum-algorithm")] = row.checksum
        headers[HTTPField.Name(literal: "x-amz-account-id")] = row.account
        let facts = RoutingFacts(
            method: row.method, host: row.host, path: row.path, query: row.query, authorization: row.authorization,
            contentType: row.contentType,
            names: HostNames(aliases: ["storage.example", "deep.storage.example"]),
            headers: headers, residents: FewResidents())
        #expect(Route(facts) == row.route)
    }

    @Test(
        "routes an unsigned form by its version",
        arguments: [
            ("AssumeRoleWithWebIdentity", "2011-06-15", .sts), ("ListUsers", "2010-05-08", .iam),
            ("X", nil, .s3(bucketFromHost: nil)), (nil, "2011-06-15", .s3(bucketFromHost: nil)), (nil, nil, .s3(bucketFromHost: nil)),
        ] as [(String?, String?, Route)])
    func forms(action: String?, version: String?, route: Route) {
        #expect(Route(action: action, version: version) == route)
    }
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

/// A stub with buckets of both clouds, a provider, token vending machines and an app server.
private struct FewResidents: Residents {
    func isBucket(_ name: String) -> Bool {
        ["known", "files.example.org", "auth", "harbour", "mapped", "oss-my-files"].contains(name)
    }
    func isOSSBucket(_ name: String) -> Bool { ["harbour", "mapped"].contains(name) }
    func isS3Bucket(_ name: String) -> Bool { name == "known" }
    func bucketOfHost(_ host: String) -> String? { ["files.example.net", "cdn.localhost"].contains(host) ? "mapped" : nil }
    func isProvider(_ name: String) -> Bool { name == "demorealm" }
    func hasMobileBackends() -> Bool { false }
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { true }
    func isAppServer(_ path: String) -> Bool { path == "/sign" }
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { host == "vending.example" ? .anonymous : nil }
    func samlProvider() -> String? { "company" }
}

/// A stub with one bucket whose name looks like a token vending machine.
private struct OneBucket: Residents {
    func isBucket(_ name: String) -> Bool { name == "known.tvm" }
    func isOSSBucket(_ name: String) -> Bool { false }
    func isS3Bucket(_ name: String) -> Bool { false }
    func bucketOfHost(_ host: String) -> String? { nil }
    func isProvider(_ name: String) -> Bool { false }
    func hasMobileBackends() -> Bool { false }
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { false }
    func isAppServer(_ path: String) -> Bool { false }
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { nil }
    func samlProvider() -> String? { nil }
}
