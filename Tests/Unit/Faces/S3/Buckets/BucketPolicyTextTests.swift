import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import S3Face

@Suite("Texts of bucket policies")
struct BucketPolicyTextTests {
    /// Returns a policy with one statement.
    private func policy(_ action: String, _ resource: String, _ condition: String) -> [UInt8] {
        Array(
            """
            {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":{"AWS":"000000000000"},"Action":\(action),\
            "Resource":\(resource),"Condition":{"StringLike":{"\(condition)":"1"}}}]}
            """.utf8)
    }

    private static let bucket = #""arn:aws:s3:::files""#
    private static let objects = #""arn:aws:s3:::files/*""#

    @Test(
        "a condition key must belong to every action of its statement",
        arguments: [
            (#""s3:GetObject""#, objects, "s3:prefix"), (#""s3:GetObject""#, objects, "s3:x-amz-acl"),
            (#"["s3:GetBucketAcl","s3:GetBucketLocation","s3:ListBucket"]"#, bucket, "s3:prefix"),
            (#""s3:DeleteObject""#, objects, "s3:ExistingObjectTag/a"), (#""s3:GetObject""#, objects, "S3:VersionId"),
            (#""s3:GetObject*""#, objects, "s3:RequestObjectTag/a"), (#""s3:GetObject""#, objects, "s3:if-match"),
            (#""s3:ListBucketMultipartUploads""#, bucket, "s3:max-keys"), (#""s3:*""#, objects, "s3:delimiter"),
            (#""s3:GetObject""#, objects, "s3:RequestJobOperation"),
        ])
    func strangers(_ action: String, _ resource: String, _ key: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files?policy", body: policy(action, resource, key))
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedPolicy")
            #expect(answer.detail("Message") == "Conditions do not apply to combination of actions and resources in statement")
            #expect(try await s3.send(.get, "/files?policy").code == "NoSuchBucketPolicy")
        }
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            #expect(try await s3.send(.put, "/files?policy", body: policy(action, resource, key)).status == 204)
        }
    }

    @Test(
        "a condition key that an action has is accepted",
        arguments: [
            (#""s3:ListBucket""#, bucket, "s3:prefix"), (#""s3:List*""#, bucket, "s3:Delimiter"), (#""s3:*""#, objects, "s3:x-amz-acl"),
            (#"["s3:GetObject","s3:PutObject"]"#, objects, "s3:TlsVersion"), (#""s3:GetObject""#, objects, "aws:SourceIp"),
            (#""s3:GetObject""#, objects, "s3:ExistingObjectTag/a"), (#""s3:PutObject""#, objects, "s3:RequestObjectTagKeys"),
            (#"["s3:PutObject","s3:DeleteObject"]"#, objects, "s3:if-match"), (#""*""#, objects, "s3:prefix"),
            (#""s3:GetObjectVersion""#, objects, "s3:versionid"), (#""s3:GetObject""#, objects, "s3:DataAccessPointAccount"),
        ])
    func members(_ action: String, _ resource: String, _ key: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.put, "/files?policy", body: policy(action, resource, key)).status == 204)
        }
    }

    @Test("each action of the table exists, and each key is a known one")
    func table() {
        let names = Set(S3Actions.names)
        for name in names { #expect(S3ConditionKeys.applies("aws:SourceIp", to: name)) }
        for key in ["prefix", "versionid", "x-amz-acl", "requestobjecttag/a", "object-lock-mode", "if-match"] {
            #expect(S3ConditionKeys.isKnown("s3:\(key)"))
            #expect(names.contains { S3ConditionKeys.applies("s3:\(key)", to: $0) })
        }
        #expect(!S3ConditionKeys.isKnown("s3:x-amz-surprise"))
        #expect(S3ConditionKeys.isKnown("s3:RequestJobPriority"))
    }

    @Test(
        "a policy with a fault in its frame is refused with S3's text",
        arguments: [
            ("{", "This policy contains invalid Json"),
            (#"{"Version":"2012-10-17","Statement":[]}"#, "Could not parse the policy: Statement is empty!"),
            (#"{"Version":"2020-01-01","Statement":[{}]}"#, "The policy must contain a valid version string"),
            (#"{"Version":"","Statement":[{}]}"#, "The policy must contain a valid version string"),
            (#"{"Version":"2012-10-17"}"#, "Missing required field Statement"),
            ("[]", "Policies must be valid JSON and the first byte must be '{'"),
            (
                #"{"Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::files/*"}]}"#,
                "Missing required field Principal"
            ),
        ])
    func frame(_ text: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files?policy", body: Array(text.utf8))
            #expect(answer.code == "MalformedPolicy")
            #expect(answer.detail("Message") == message)
        }
    }

    @Test("S3 returns its own text of a policy, RADOS Gateway that of the client")
    func shown() async throws {
        let put = """
            { "Statement" : { "Resource" : ["arn:aws:s3:::files/*"], "Action" : [ "s3:PutObject", "s3:GetObject" ], "Condition" :
            { "StringLike" : { "aws:UserAgent" : [ "a" ], "aws:Referer" : [ "b", "c" ] } }, "Sid" : "One",
            "Principal" : { "AWS" : [ "000000000000" ] }, "Effect" : "Allow" }, "Id" : "P" }
            """
        let got = """
            {"Version":"2008-10-17","Id":"P","Statement":[{"Sid":"One","Effect":"Allow",\
            "Principal":{"AWS":"arn:aws:iam::000000000000:root"},"Action":["s3:PutObject","s3:GetObject"],\
            "Resource":"arn:aws:s3:::files/*","Condition":{"StringLike":{"aws:UserAgent":"a","aws:Referer":["b","c"]}}}]}
            """
        for dialect in Dialect.allCases {
            try await S3Sandbox.run(dialect: dialect) { s3 async throws in
                #expect(try await s3.send(.put, "/files?policy", body: Array(put.utf8)).status == 204)
                #expect(try await s3.send(.get, "/files?policy").text == (dialect == .aws ? got : put))
                guard dialect == .aws else { return }
                #expect(try await s3.send(.put, "/files?policy", body: Array(got.utf8)).status == 204)
                #expect(try await s3.send(.get, "/files?policy").text == got)
            }
        }
    }

    @Test("keep principals of any kind", arguments: [#""*""#, #"{"AWS":"*"}"#, #"{"Service":"logging.s3.amazonaws.com"}"#])
    func principals(_ principal: String) {
        let text = #"{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":\#(principal),"Action":"s3:*","Resource":"*"}]}"#
        #expect((try? JSONValue(parsing: text)).map(BucketPolicyText.text) == text)
    }
}
