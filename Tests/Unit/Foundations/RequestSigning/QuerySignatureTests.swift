import Cryptography
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("Signature V2 of the Query protocol")
struct QuerySignatureTests {
    private static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

    /// The example of the AWS General Reference, "Create the string to sign for signature version 2".
    static let published: FormFields = [
        "Action": "DescribeJobFlows", "Version": "2009-03-31", "AWSAccessKeyId": "AKIAIOSFODNN7EXAMPLE", "SignatureVersion": "2",
        "SignatureMethod": "HmacSHA256", "Timestamp": "2011-10-03T15:19:30", "Signature": "i91nKc4PWAt0JJIdXwz9HxZCJDdiy6cf/Mj6vPxyYIs=",
    ]

    private func changed(_ name: String, _ value: String?) -> FormFields {
        var fields = Self.published
        fields.fields.removeAll { $0.name == name }
        if let value { fields.fields.append(.init(name: name, value: value)) }
        return fields
    }

    private func request(_ method: String = "GET", _ authority: String = "elasticmapreduce.amazonaws.com", path: String = "/")
        -> SignableRequest
    {
        SignableRequest(method: method, target: path, authority: authority)
    }

    @Test("of the published example is verified", arguments: ["elasticmapreduce.amazonaws.com", "ElasticMapReduce.AmazonAWS.com:443"])
    func published(authority: String) throws {
        let presented = try #require(try QuerySignature(Self.published))
        #expect(presented.accessKey == "AKIAIOSFODNN7EXAMPLE")
        #expect(presented.sessionToken == nil)
        #expect(presented.validity == .signed(try #require(Timestamp(iso8601: "2011-10-03T15:19:30Z")), text: "2011-10-03T15:19:30"))
        try presented.verify(request("GET", authority), secret: Self.secret)
    }

    @Test("covers method, host, path, parameters and secret")
    func tampering() throws {
        let presented = try #require(try QuerySignature(Self.published))
        for other in [request("POST"), request("GET", "sts.amazonaws.com"), request(path: "/x")] {
            #expect(throws: SignatureMismatch.self) { try presented.verify(other, secret: Self.secret) }
        }
        #expect(throws: SignatureMismatch.self) { try presented.verify(request(), secret: "x") }
        for (name, value) in [("Action", "Other"), ("Version", nil), ("More", ""), ("SignatureMethod", "HmacSHA1")] as [(String, String?)] {
            let altered = try #require(try QuerySignature(changed(name, value)))
            let mismatch = #expect(throws: SignatureMismatch.self) { try altered.verify(request(), secret: Self.secret) }
            #expect(mismatch?.canonicalRequest == nil)
        }
    }

    @Test("may have either digest, an expiry, and a session token")
    func forms() throws {
        var fields: FormFields = [
            "AWSAccessKeyId": "a", "SignatureVersion": "2", "SignatureMethod": "HmacSHA1", "Expires": "2013-08-13T04:33:00Z",
            "SecurityToken": "t/+=", "Z z": "~é*",
        ]
        let text =
            "POST\nlocalhost:4566\n/\nAWSAccessKeyId=a&Expires=2013-08-13T04%3A33%3A00Z&SecurityToken=t%2F%2B%3D&SignatureMethod=HmacSHA1"
            + "&SignatureVersion=2&Z%20z=~%C3%A9%2A"
        fields.fields.append(.init(name: "Signature", value: hmacSHA1(key: Array("s".utf8), Array(text.utf8)).base64))
        let presented = try #require(try QuerySignature(fields))
        #expect(presented.sessionToken == "t/+=")
        #expect(presented.validity == .until(Timestamp(seconds: 1_376_368_380)))
        try presented.verify(request("POST", "localhost:4566"), secret: "s")
    }

    @Test("reports what is missing or unknown")
    func faults() throws {
        #expect(try QuerySignature(["Action": "X", "SecurityToken": "t", "Timestamp": "x"]) == nil)
        for name in ["SignatureVersion", "SignatureMethod", "AWSAccessKeyId", "Signature", "Timestamp"] {
            #expect(throws: QuerySignatureError.missing(name)) { try QuerySignature(changed(name, nil)) }
            #expect(throws: QuerySignatureError.missing(name)) { try QuerySignature(changed(name, "")) }
        }
        for (name, value) in [("SignatureVersion", "1"), ("SignatureMethod", "HmacMD5"), ("Timestamp", "now"), ("Timestamp", "2011-10-03")]
        {
            #expect(throws: QuerySignatureError.unsupported(name, value)) { try QuerySignature(changed(name, value)) }
        }
        #expect(throws: QuerySignatureError.severalTimes) { try QuerySignature(changed("Expires", "2013-08-13T04:33:00Z")) }
    }
}

@Suite("Signature V2 of the first mobile SDKs")
struct MobileSDKSignatureTests {
    /// A listing of a bucket in the host, with a session token, and a content type although it is a GET. The parameters of listings are not
    /// signed.
    @Test("is verified")
    func list() throws {
        var request = SignableRequest(
            method: "GET", target: "/?prefix=110169484474386276334%2F&max-keys=100", authority: "wif-bucket.s3.amazonaws.com")
        for (name, value) in [
            ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"), ("Date", "Tue, 13 Aug 2013 04:33:00 GMT"),
            ("x-amz-security-token", "tok"), ("Authorization", "AWS AKID:hLFki1HcnVlT7OgqSLeRp49oHPo="),
        ] {
            request.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let presented = try #require(try SignatureV2.Presented(request))
        #expect(presented.sessionToken == "tok")
        try presented.verify(request, bucket: "wif-bucket", secret: "s3cr3t")
        #expect(throws: SignatureMismatch.self) { try presented.verify(request, bucket: "other", secret: "s3cr3t") }
        request.fields[.contentType] = nil
        #expect(throws: SignatureMismatch.self) { try presented.verify(request, bucket: "wif-bucket", secret: "s3cr3t") }
    }
}
