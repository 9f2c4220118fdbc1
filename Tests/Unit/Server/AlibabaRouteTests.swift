import Calls
import Directory
import Federation
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("Routes to services of Alibaba Cloud")
struct AlibabaRouteTests {
    private static let ossV4 = "OSS4-HMAC-SHA256 Credential=LTAI/20261121/cn-hangzhou/oss/aliyun_v4_request,Signature=0"

    /// The buckets `harbour` and `mapped` belong only to OSS; `mapped` is also available at `files.example.net`.
    static let alibaba = [
        RouteRow(host: "oss-cn-hangzhou.aliyuncs.com", route: .oss(bucketFromHost: nil)),
        RouteRow(host: "oss-cn-hangzhou-internal.aliyuncs.com", route: .oss(bucketFromHost: nil)),
        RouteRow(host: "oss-accelerate.aliyuncs.com", route: .oss(bucketFromHost: nil)),
        RouteRow(host: "box.oss-cn-hangzhou.aliyuncs.com", route: .oss(bucketFromHost: "box")),
        RouteRow(host: "box.oss-accelerate-overseas.aliyuncs.com", route: .oss(bucketFromHost: "box")),
        // Buckets with names that resemble services.
        RouteRow(host: "oss-my-files.localhost", path: "/a", route: .s3(bucketFromHost: "oss-my-files")),
        RouteRow(host: "oss-my-files.aliyuncs.com", path: "/a", route: .oss(bucketFromHost: nil)),
        RouteRow(
            method: .put, host: "oss-eu-new.localhost", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: "oss-eu-new")),
        RouteRow(host: "oss-eu-new.localhost", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(method: .put, host: "oss-eu-new.localhost", authorization: ossV4, route: .oss(bucketFromHost: nil)),
        RouteRow(host: "sts.oss-cn-hangzhou.aliyuncs.com", route: .oss(bucketFromHost: "sts")),
        RouteRow(host: "sts.oss-cn-hangzhou.localhost", route: .oss(bucketFromHost: "sts")),
        RouteRow(host: "s3-backup.oss.localhost", route: .oss(bucketFromHost: "s3-backup")),
        RouteRow(host: "oss-backup.s3.localhost", route: .s3(bucketFromHost: "oss-backup")),
        RouteRow(host: "sts.aliyuncs.com", route: .alibabaRPC), RouteRow(host: "sts.cn-hangzhou.aliyuncs.com", route: .alibabaRPC),
        RouteRow(host: "sts-vpc.cn-hangzhou.aliyuncs.com", route: .alibabaRPC), RouteRow(host: "ram.aliyuncs.com", route: .alibabaRPC),
        RouteRow(host: "ims.aliyuncs.com", route: .alibabaRPC),
        RouteRow(host: "evilaliyuncs.com", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "oss.localhost", route: .oss(bucketFromHost: nil)),
        RouteRow(host: "box.oss.localhost", route: .oss(bucketFromHost: "box")),
        RouteRow(host: "box.oss-cn-hangzhou.localhost", route: .oss(bucketFromHost: "box")),
        RouteRow(host: "harbour.localhost", route: .oss(bucketFromHost: "harbour")),
        RouteRow(host: "known.localhost", authorization: ossV4, route: .oss(bucketFromHost: "known")),
        RouteRow(method: .put, host: "unknown.localhost", authorization: ossV4, route: .oss(bucketFromHost: "unknown")),
        RouteRow(host: "files.example.net", path: "/a", route: .oss(bucketFromHost: "mapped")),
        RouteRow(host: "files.example.net", path: "/a", authorization: "AWS test:sig", route: .oss(bucketFromHost: "mapped")),
        RouteRow(host: "cdn.localhost", path: "/a", route: .oss(bucketFromHost: "mapped")),
        RouteRow(authorization: ossV4, route: .oss(bucketFromHost: nil)),
        RouteRow(authorization: "OSS LTAI:sig", route: .oss(bucketFromHost: nil)),
        RouteRow(authorization: "OSS2 AccessKeyId:LTAI,Signature:sig", route: .oss(bucketFromHost: nil)),
        RouteRow(authorization: "ACS3-HMAC-SHA256 Credential=LTAI", route: .alibabaRPC),
        RouteRow(path: "/box/a", query: "OSSAccessKeyId=LTAI&Expires=1&Signature=x", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/box/a", query: "x-oss-signature-version=OSS2", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/box/a", query: "x-oss-process=image%2Finfo", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/box/", query: "bucketInfo", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/box/a", query: "objectMeta=", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/box/", query: "statistics", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/box/a", agent: "aliyun-sdk-python/2.19.1(Linux)", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/box/a", agent: "alibabacloud-python-sdk-v2/1.4.1", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/box/a", agent: "aws-cli/2", route: .s3(bucketFromHost: nil)),
        // A bucket of S3 is not routed to OSS by names of sub-resources, nor by values that look like OSS's names.
        RouteRow(path: "/known/a", query: "live", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/known/a", query: "x=1&stat=", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/known", query: "prefix=x-oss-process", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/known", query: "a=1&x-oss-process=x", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/known", query: "prefix=OSSAccessKeyId=", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/known", query: "x-id=x-oss-signature-version=", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/harbour/a", route: .oss(bucketFromHost: nil)), RouteRow(path: "/harbour", route: .oss(bucketFromHost: nil)),
        RouteRow(path: "/harbour/a", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(query: "Action=AssumeRole&Version=2015-04-01", route: .alibabaRPC),
        RouteRow(path: "/box/a", query: "Action=AssumeRole&Version=2015-04-01", route: .s3(bucketFromHost: nil)),
        RouteRow(query: "Action=CreateUser&Version=2015-05-01", route: .alibabaRPC),
        RouteRow(query: "Action=CreateUser&Version=2010-05-08", route: .iam),
    ]

    @Test("sends each request to the first matching rule", arguments: alibaba)
    func table(_ row: RouteRow) { row.check() }
}
