import HTTPTypes
import RequestSigning
import Testing
import WireFormats

/// A request with the signature that a client made for it. oss2 2.19.1 made all but the last three; alibabacloud-oss-v2 1.4.1 made most of
/// them as well, with the inputs in ``OSSVectors``.
struct OSSVector: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var method = "GET"
    /// The path-style target, as both clients address `127.0.0.1:9000`.
    var target: String
    var resource: OSSResource
    var fields: [(String, String)] = []
    var isTemporary = false
    /// The canonical request of Version 4, with `|` for a line feed.
    var canonicalRequest: String?
    var canonicalHash: String?
    /// The string to sign of the older versions, with `|` for a line feed.
    var stringToSign: String?
    var signature: String
    /// The Authorization header before the signature. A presigned request has its signature in the target.
    var authorization: String?

    var request: SignableRequest {
        get throws {
            var request = SignableRequest(method: method, target: target, authority: "127.0.0.1:9000")
            for (name, value) in fields + (authorization.map { [("Authorization", $0 + signature)] } ?? []) {
                guard let name = HTTPField.Name(name) else { throw UnusableField(name: name) }
                request.fields.append(HTTPField(name: name, value: value))
            }
            return request
        }
    }

    struct UnusableField: Error { var name: String }
}

enum OSSVectors {
    static let accessKey = "LTAI5tMockAccessKeyId01"
    static let secret = "MockAccessKeySecret0123456789ABC"
    static let temporaryKey = "STS.NUMockStsKeyId0001"
    static let temporarySecret = "MockStsSecret0123456789"
    static let token = "CAISMockSecurityToken+/0123=="
    static let time = Timestamp(seconds: 1_702_743_657)

    static let object = OSSResource(bucket: "examplebucket", key: "dir/hello world.txt")
    static let bucket = OSSResource(bucket: "examplebucket")
    static let objectPath = "/examplebucket/dir%2Fhello%20world.txt"
    private static let date = ("Date", "Sat, 16 Dec 2023 16:20:57 GMT")
    private static let header = [
        ("Content-Type", "text/plain"), ("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww=="), ("x-oss-meta-author", "alice"),
        ("x-oss-object-acl", "private"),
    ]

    static let v1: [OSSVector] = [
        OSSVector(
            testDescription: "V1-H1", method: "PUT", target: objectPath, resource: object, fields: header + [date],
            stringToSign:
                "PUT|XrY7u+Ae7tCTyyK7j1rNww==|text/plain|Sat, 16 Dec 2023 16:20:57 GMT|x-oss-meta-author:alice|x-oss-object-acl:private|/examplebucket/dir/hello world.txt",
            signature: "NYVpSvuhu/Ne032np4Gsg+cly4A=", authorization: "OSS LTAI5tMockAccessKeyId01:"),
        OSSVector(
            testDescription: "V1-H2",
            target: objectPath + "?response-content-type=image%2Fjpeg&versionId=CAEQ1&prefix=not-signed&acl", resource: object,
            fields: [date, ("x-oss-security-token", token)], isTemporary: true,
            stringToSign:
                "GET|||Sat, 16 Dec 2023 16:20:57 GMT|x-oss-security-token:CAISMockSecurityToken+/0123==|/examplebucket/dir/hello world.txt?acl&response-content-type=image/jpeg&versionId=CAEQ1",
            signature: "rZGEwX4vTsLcEU+anAN5Hc6+LKM=", authorization: "OSS STS.NUMockStsKeyId0001:"),
        OSSVector(
            testDescription: "V1-H3", target: "/?prefix=a&max-keys=10", resource: OSSResource(), fields: [date],
            stringToSign: "GET|||Sat, 16 Dec 2023 16:20:57 GMT|/", signature: "PAQV6rO9Nh8Azuax1mWYkwYaGOA=",
            authorization: "OSS LTAI5tMockAccessKeyId01:"),
        OSSVector(
            testDescription: "V1-H4", target: "/examplebucket/?prefix=a%2F&delimiter=%2F&max-keys=10&encoding-type=url",
            resource: bucket, fields: [date], stringToSign: "GET|||Sat, 16 Dec 2023 16:20:57 GMT|/examplebucket/",
            signature: "2Nao76RMWA+X50LVcfMX+9TgpGQ=", authorization: "OSS LTAI5tMockAccessKeyId01:"),
        OSSVector(
            testDescription: "V1-H5", method: "POST", target: "/examplebucket/?delete&encoding-type=url", resource: bucket,
            fields: [date, ("Content-MD5", "ZmFrZQ==")],
            stringToSign: "POST|ZmFrZQ==||Sat, 16 Dec 2023 16:20:57 GMT|/examplebucket/?delete",
            signature: "i9szJWEfhFQjqhp08HiO++tRppo=", authorization: "OSS LTAI5tMockAccessKeyId01:"),
        OSSVector(
            testDescription: "V1-Q1",
            target: objectPath
                + "?OSSAccessKeyId=LTAI5tMockAccessKeyId01&Expires=1702747257&Signature=sX52s5BNE3cEFbU1bs53JBt4jmY%3D",
            resource: object, stringToSign: "GET|||1702747257|/examplebucket/dir/hello world.txt",
            signature: "sX52s5BNE3cEFbU1bs53JBt4jmY="),
        OSSVector(
            testDescription: "V1-Q2", method: "PUT",
            target: objectPath
                + "?OSSAccessKeyId=STS.NUMockStsKeyId0001&Expires=1702747257&security-token=CAISMockSecurityToken%2B%2F0123%3D%3D"
                + "&Signature=vzfdeRGgi7IJZ7pcFNWPXbuMBAM%3D",
            resource: object, fields: [("Content-Type", "text/plain"), ("x-oss-meta-author", "alice")], isTemporary: true,
            stringToSign:
                "PUT||text/plain|1702747257|x-oss-meta-author:alice|/examplebucket/dir/hello world.txt?security-token=CAISMockSecurityToken+/0123==",
            signature: "vzfdeRGgi7IJZ7pcFNWPXbuMBAM="),
    ]

    static let v2: [OSSVector] = [
        OSSVector(
            testDescription: "V2-H1", method: "PUT", target: objectPath + "?append&position=0", resource: object,
            fields: header + [date],
            stringToSign:
                "PUT|XrY7u+Ae7tCTyyK7j1rNww==|text/plain|Sat, 16 Dec 2023 16:20:57 GMT|x-oss-meta-author:alice|x-oss-object-acl:private||%2Fexamplebucket%2Fdir%2Fhello%20world.txt?append&position=0",
            signature: "XCokuvOxzJ99b4GUyjmu8F3BItcf0AdrjRREhDjPDSo=",
            authorization: "OSS2 AccessKeyId:LTAI5tMockAccessKeyId01,Signature:"),
        OSSVector(
            testDescription: "V2-H2 with x-oss-date beside Date", target: objectPath, resource: object,
            fields: [date, ("x-oss-date", "Sat, 16 Dec 2023 16:21:57 GMT")],
            stringToSign:
                "GET|||Sat, 16 Dec 2023 16:20:57 GMT|x-oss-date:Sat, 16 Dec 2023 16:21:57 GMT||%2Fexamplebucket%2Fdir%2Fhello%20world.txt",
            signature: "a6lMxMX2nKZJWWEz3zKv1rMZeTuIJP+3fZr241CL6Uk=",
            authorization: "OSS2 AccessKeyId:LTAI5tMockAccessKeyId01,Signature:"),
        OSSVector(
            testDescription: "V2-Q1",
            target: objectPath + "?x-oss-signature-version=OSS2&x-oss-access-key-id=LTAI5tMockAccessKeyId01&x-oss-expires=1702747257"
                + "&x-oss-signature=Dcu1Unda4xjrkWcX%2FrIqczpDpGqlaeN6UkFw%2B4OQhoE%3D",
            resource: object,
            stringToSign:
                "GET|||1702747257||%2Fexamplebucket%2Fdir%2Fhello%20world.txt?x-oss-access-key-id=LTAI5tMockAccessKeyId01&x-oss-expires=1702747257&x-oss-signature-version=OSS2",
            signature: "Dcu1Unda4xjrkWcX/rIqczpDpGqlaeN6UkFw+4OQhoE="),
    ]

    private static let newer = [("x-oss-date", "20231216T162057Z"), ("x-oss-content-sha256", "UNSIGNED-PAYLOAD")]
    private static let credential =
        "OSS4-HMAC-SHA256 Credential=LTAI5tMockAccessKeyId01/20231216/cn-hangzhou/oss/aliyun_v4_request,"
    private static let queryCredential =
        "x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20231216T162057Z&x-oss-expires=3600&x-oss-credential="

    static let v4: [OSSVector] = [
        OSSVector(
            testDescription: "V4-H1 as oss2 writes it", method: "PUT", target: objectPath, resource: object, fields: header + newer,
            canonicalRequest:
                "PUT|/examplebucket/dir/hello%20world.txt||content-md5:XrY7u+Ae7tCTyyK7j1rNww==|content-type:text/plain|x-oss-content-sha256:UNSIGNED-PAYLOAD|x-oss-date:20231216T162057Z|x-oss-meta-author:alice|x-oss-object-acl:private|||UNSIGNED-PAYLOAD",
            canonicalHash: "bcf33b852e6ce5c0b1b79d2afb59d308d33adefaba1a8d89ea636858be61c066",
            signature: "0e92b26431a289b30d9cf63c359890ad1fe33cfcb0d1a4cdf08c01b5b7aafaad", authorization: credential + " Signature="),
        OSSVector(
            testDescription: "V4-H1 as alibabacloud-oss-v2 writes it", method: "PUT", target: objectPath, resource: object,
            fields: header + newer, canonicalHash: "bcf33b852e6ce5c0b1b79d2afb59d308d33adefaba1a8d89ea636858be61c066",
            signature: "0e92b26431a289b30d9cf63c359890ad1fe33cfcb0d1a4cdf08c01b5b7aafaad", authorization: credential + "Signature="),
        OSSVector(
            testDescription: "V4-H2",
            target: "/examplebucket/?prefix=a%2F&delimiter=%2F&max-keys=10&encoding-type=url&list-type=2&x%20y=", resource: bucket,
            fields: newer + [("x-oss-security-token", token)], isTemporary: true,
            canonicalRequest:
                "GET|/examplebucket/|delimiter=%2F&encoding-type=url&list-type=2&max-keys=10&prefix=a%2F&x%20y|x-oss-content-sha256:UNSIGNED-PAYLOAD|x-oss-date:20231216T162057Z|x-oss-security-token:CAISMockSecurityToken+/0123==|||UNSIGNED-PAYLOAD",
            canonicalHash: "cd6a0358e4b7edbbe085f599096f1dee09a981b46d278856d10dddf9bcc2a776",
            signature: "dd2a10cc7a4f93148e273e1b69a5bf6b5ceb214238e0be0b6957922d13fbeb04",
            authorization: "OSS4-HMAC-SHA256 Credential=STS.NUMockStsKeyId0001/20231216/cn-hangzhou/oss/aliyun_v4_request,Signature="),
        OSSVector(
            testDescription: "V4-H3", target: "/", resource: OSSResource(), fields: newer,
            canonicalRequest:
                "GET|/||x-oss-content-sha256:UNSIGNED-PAYLOAD|x-oss-date:20231216T162057Z|||UNSIGNED-PAYLOAD",
            canonicalHash: "2f38767d71a05a0897aba7333a9e3f6f721fd19a02a2fc662d8226d004062436",
            signature: "8406cf9e43807c6bc1bdfbdd025fcaeb3aa7c3dd583ada99f02f0444ecb2c13c", authorization: credential + "Signature="),
        OSSVector(
            testDescription: "V4-H4", target: "/examplebucket/a.txt", resource: OSSResource(bucket: "examplebucket", key: "a.txt"),
            fields: newer + [("Range", "bytes=0-9")],
            canonicalRequest:
                "GET|/examplebucket/a.txt||host:127.0.0.1:9000|range:bytes=0-9|x-oss-content-sha256:UNSIGNED-PAYLOAD|x-oss-date:20231216T162057Z||host;range|UNSIGNED-PAYLOAD",
            canonicalHash: "88c6a5001a4d217d5ff96f9664f93c7662f9235589edf7d2f8313d6892ef771e",
            signature: "f178bfb3a57f75b15b5627698c662e40387a40de95d22119826b4ab313f31ca7",
            authorization: credential + "AdditionalHeaders=host;range,Signature="),
        OSSVector(
            testDescription: "V4-Q1",
            target: objectPath + "?\(queryCredential)LTAI5tMockAccessKeyId01%2F20231216%2Fcn-hangzhou%2Foss%2Faliyun_v4_request"
                + "&x-oss-signature=9a5088f6ce1fe13ca1d851041ea3ca0b76bd765b679af8a6561076c8d1cba59c",
            resource: object,
            canonicalRequest:
                "GET|/examplebucket/dir/hello%20world.txt|x-oss-credential=LTAI5tMockAccessKeyId01%2F20231216%2Fcn-hangzhou%2Foss%2Faliyun_v4_request&x-oss-date=20231216T162057Z&x-oss-expires=3600&x-oss-signature-version=OSS4-HMAC-SHA256|||UNSIGNED-PAYLOAD",
            canonicalHash: "a1174b75b4c6cf60102bfdf997ae6a54131b6e23ec2addbeb4934a0da480fb05",
            signature: "9a5088f6ce1fe13ca1d851041ea3ca0b76bd765b679af8a6561076c8d1cba59c"),
        OSSVector(
            testDescription: "V4-Q2", method: "PUT",
            target: objectPath + "?\(queryCredential)STS.NUMockStsKeyId0001%2F20231216%2Fcn-hangzhou%2Foss%2Faliyun_v4_request"
                + "&x-oss-security-token=CAISMockSecurityToken%2B%2F0123%3D%3D"
                + "&x-oss-signature=4473c42bb9f7f1283be72f2c0fc5eaaaa76de1a830d44e437dcc9f6afba2d681",
            resource: object, fields: [("Content-Type", "text/plain")], isTemporary: true,
            canonicalRequest:
                "PUT|/examplebucket/dir/hello%20world.txt|x-oss-credential=STS.NUMockStsKeyId0001%2F20231216%2Fcn-hangzhou%2Foss%2Faliyun_v4_request&x-oss-date=20231216T162057Z&x-oss-expires=3600&x-oss-security-token=CAISMockSecurityToken%2B%2F0123%3D%3D&x-oss-signature-version=OSS4-HMAC-SHA256|content-type:text/plain|||UNSIGNED-PAYLOAD",
            canonicalHash: "76233530d10c0defe249a96f896d37b35135137a59bbf3c4374e84b30bfc5764",
            signature: "4473c42bb9f7f1283be72f2c0fc5eaaaa76de1a830d44e437dcc9f6afba2d681"),
    ]

    /// The vectors that the unit tests of the SDKs share, with the key `ak` and the secret `sk`.
    static let ofSDKs: [OSSVector] = [
        sdk("without a token", date: "20231216T162057Z", "e21d18daa82167720f9b1047ae7e7f1ce7cb77a31e8203a7d5f4624fa0284afe"),
        sdk(
            "with a token", date: "20231217T034736Z", fields: [("x-oss-security-token", "token")],
            "b94a3f999cf85bcdc00d332fbd3734ba03e48382c36fa4d5af5df817395bd9ea"),
        sdk(
            "with additional headers", date: "20231216T172512Z", additional: "AdditionalHeaders=abc;zabc,",
            "4a4183c187c07c8947db7620deb0a6b38d9fbdd34187b6dbaccb316fa251212f"),
    ]

    private static func sdk(
        _ name: String, date: String, fields: [(String, String)] = [], additional: String = "", _ signature: String
    ) -> OSSVector {
        OSSVector(
            testDescription: name, method: "PUT",
            target: "/bucket/1234%2B-/123/1.txt?param1=value1&%7Cparam1=value4&%2Bparam1=value3&%2Bparam2=&%7Cparam2=&param2=",
            resource: OSSResource(bucket: "bucket", key: "1234+-/123/1.txt"),
            fields: [
                ("x-oss-head1", "value"), ("abc", "value"), ("ZAbc", "value"), ("XYZ", "value"), ("content-type", "text/plain"),
                ("x-oss-content-sha256", "UNSIGNED-PAYLOAD"), ("x-oss-date", date),
            ] + fields, signature: signature,
            authorization: "OSS4-HMAC-SHA256 Credential=ak/\(date.prefix(8))/cn-hangzhou/oss/aliyun_v4_request,\(additional)Signature=")
    }
}
