import Calls
import Directory
import Federation
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("Routes by signatures and actions")
struct SignedRouteTests {
    private static let v2URL = "AWSAccessKeyId=test&Signature=c2ln&Expires=1795357008"

    static let signatures = [
        RouteRow(authorization: RouteRow.signed("sts"), route: .sts),
        RouteRow(authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(authorization: RouteRow.signed("iam"), route: .iam),
        RouteRow(path: "/box/a", authorization: RouteRow.signed("s3express"), route: .s3Unavailable),
        RouteRow(authorization: RouteRow.signed("sts", key: "odd/key/id"), route: .sts),
        RouteRow(path: "/idp/company/token", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(method: .post, authorization: RouteRow.signed("s3"), contentType: RouteRow.form, route: .s3(bucketFromHost: nil)),
        RouteRow(query: "Action=X&Version=2011-06-15", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(authorization: "AWS4-HMAC-SHA256", route: .s3(bucketFromHost: nil)),
        RouteRow(authorization: "AWS4-HMAC-SHA256 Credential=", route: .s3(bucketFromHost: nil)),
        RouteRow(authorization: "AWS4-HMAC-SHA256 Credential=/", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/idp/company", authorization: "AWS test:sig", route: .s3(bucketFromHost: nil)),
        RouteRow(query: RouteRow.presigned("sts"), route: .sts),
        RouteRow(path: "/idp/company", query: RouteRow.presigned("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(query: RouteRow.presigned("iam"), route: .iam),
        RouteRow(path: "/idp/company/token", query: v2URL, route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/sign", query: v2URL, route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/tvm/identity/login", query: v2URL, route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/harbour/x-oss-a", query: "prefix=x-oss-&" + v2URL, route: .s3(bucketFromHost: nil)),
        RouteRow(query: "Action=GetSessionToken&Version=2011-06-15&SignatureVersion=2&" + v2URL, route: .sts),
        RouteRow(path: "/idp/company/token", authorization: "Basic eA==", route: .identityProvider(name: "company", path: "/token")),
        RouteRow(path: "/idp/company/userinfo", authorization: "Bearer x", route: .identityProvider(name: "company", path: "/userinfo")),
    ]

    static let actions = [
        RouteRow(query: "Action=GetCallerIdentity&Version=2011-06-15", route: .sts),
        RouteRow(method: .post, query: "Version=2011-06-15&Action=AssumeRoleWithWebIdentity", route: .sts),
        RouteRow(query: "Action=ListUsers&Version=2010-05-08", route: .iam),
        RouteRow(query: "Action=X&Version=2000-01-01", route: .s3(bucketFromHost: nil)),
        RouteRow(query: "Action=X", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/box/a", query: "Action=AssumeRole&Version=2011-06-15", route: .s3(bucketFromHost: nil)),
        RouteRow(query: "Action=%GG&Version=2011-06-15", route: .s3(bucketFromHost: nil)),
        RouteRow(method: .post, contentType: RouteRow.form, route: .form),
        RouteRow(method: .post, contentType: "Application/X-WWW-Form-Urlencoded; charset=utf-8", route: .form),
        RouteRow(method: .post, path: "/box", contentType: RouteRow.form, route: .s3(bucketFromHost: nil)),
        RouteRow(method: .put, contentType: RouteRow.form, route: .s3(bucketFromHost: nil)),
        RouteRow(method: .post, contentType: "multipart/form-data", route: .s3(bucketFromHost: nil)),
    ]

    /// The AWS SDK for iOS, version 1, signs without a service name if the host is not one of AWS.
    static let nameless = [
        RouteRow(method: .post, authorization: RouteRow.signed("(null)"), contentType: RouteRow.form, route: .form),
        RouteRow(query: "Action=GetCallerIdentity&Version=2011-06-15", authorization: RouteRow.signed("(null)"), route: .sts),
        RouteRow(path: "/box", authorization: RouteRow.signed("(null)"), route: .s3(bucketFromHost: nil)),
        RouteRow(host: "sts.amazonaws.com", authorization: RouteRow.signed("(null)"), route: .sts),
    ]

    @Test("sends each request to the first matching rule", arguments: signatures + actions + nameless)
    func table(_ row: RouteRow) { row.check() }

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
