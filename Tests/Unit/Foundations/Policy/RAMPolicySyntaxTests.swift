import Policy
import Testing
import WireFormats

@Suite("The grammar of Alibaba Cloud's policies")
struct RAMPolicySyntaxTests {
    private func parse(_ statement: String, _ kind: PolicyDocument.Kind = .identity) throws -> PolicyDocument {
        try PolicyDocument(parsing: "{\"Version\":\"1\",\"Statement\":[\(statement)]}", kind: kind, dialect: .ram)
    }

    @Test("accepts the example of the user guide, and one statement without a list")
    func example() throws {
        let statement = """
            {"Effect":"Allow","Action":["oss:GetObject","oss:List*"],"Resource":["acs:oss:*:*:examplebucket","acs:oss:*:*:examplebucket/user/*"],
             "Condition":{"StringLike":{"oss:Prefix":["user/*"]},"IpAddress":{"acs:SourceIp":"127.0.0.0/8"}}}
            """
        let policy = try parse(statement)
        #expect(policy.version == .ram)
        #expect(policy.conditionKeys == ["acs:sourceip", "oss:prefix"])
        _ = try PolicyDocument(parsing: "{\"Statement\":\(statement),\"Version\":\"1\"}", kind: .identity, dialect: .ram)
    }

    @Test(
        "requires the version \"1\"",
        arguments: ["", "\"Version\":\"2012-10-17\",", "\"Version\":1,", "\"Version\":\"2\",", "\"Version\":\"1\",\"Id\":\"x\","])
    func version(members: String) {
        let statement = "{\"Effect\":\"Allow\",\"Action\":\"*\",\"Resource\":\"*\"}"
        #expect(throws: PolicySyntaxError.self) {
            try PolicyDocument(parsing: "{\(members)\"Statement\":[\(statement)]}", kind: .identity, dialect: .ram)
        }
        #expect(throws: PolicySyntaxError.self) {
            try PolicyDocument(parsing: "{\"Version\":\"1\",\"Statement\":[\(statement)]}", kind: .identity, dialect: .aws)
        }
    }

    @Test(
        "reports faults of identity policies",
        arguments: [
            "", "{}", "1", "{\"Effect\":\"Allow\",\"Action\":\"oss:*\"}", "{\"Effect\":\"Allow\",\"Resource\":\"*\"}",
            "{\"Effect\":\"allow\",\"Action\":\"oss:*\",\"Resource\":\"*\"}", "{\"Action\":\"oss:*\",\"Resource\":\"*\"}",
            "{\"Effect\":\"Allow\",\"Action\":[],\"Resource\":\"*\"}", "{\"Effect\":\"Allow\",\"Action\":\"oss\",\"Resource\":\"*\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:a:b\",\"Resource\":\"*\"}", "{\"Effect\":\"Allow\",\"Action\":1,\"Resource\":\"*\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"NotAction\":\"oss:*\",\"Resource\":\"*\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"arn:aws:s3:::b\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"acs:oss:*:b\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"acs:oss:::\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"b/*\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Principal\":[\"*\"]}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Sid\":\"a\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"StringEqualsIfExists\":{\"acs:UserAgent\":\"a\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"Null\":{\"acs:UserAgent\":\"true\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"ForAnyValue:StringLike\":{\"acs:UserAgent\":\"a\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"ArnLike\":{\"acs:SourceArn\":\"acs:a:b:c:d\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"IpAddress\":{\"acs:SourceIp\":\"somewhere\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"IpAddress\":{\"acs:SourceIp\":\"1.*.3.*\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"DateLessThan\":{\"acs:CurrentTime\":\"soon\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"StringEquals\":{\"UserAgent\":\"a\"}}}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"*\",\"Condition\":{\"StringEquals\":{\"acs:UserAgent\":[]}}}",
        ])
    func identityFaults(statement: String) throws {
        let error = #expect(throws: PolicySyntaxError.self) { try parse(statement) }
        #expect(error?.message == "The policy document is malformed.")
    }

    @Test(
        "accepts principals of trust policies",
        arguments: [
            ("RAM", "acs:ram::1234567890123456:root", true), ("RAM", "acs:ram::1234567890123456:user/alice", true),
            ("RAM", "acs:ram::1234567890123456:role/app", true), ("RAM", "*", false), ("RAM", "acs:ram::*:root", false),
            ("RAM", "acs:ram::123456789012:root", false), ("RAM", "acs:ram::1234567890123456:group/g", false),
            ("RAM", "acs:ram::1234567890123456:user/*", false), ("RAM", "arn:aws:iam::123456789012:root", false),
            ("RAM", "1234567890123456", false), ("Service", "ecs.aliyuncs.com", true),
            ("Service", "1234567890123456@ecs.aliyuncs.com", true), ("Service", "ec2.amazonaws.com", false), ("Service", "*", false),
            ("Federated", "acs:ram::1234567890123456:saml-provider/company", true),
            ("Federated", "acs:ram::1234567890123456:oidc-provider/company", true),
            ("Federated", "acs:ram::1234567890123456:user/alice", false), ("Federated", "accounts.google.com", false),
            ("AWS", "acs:ram::1234567890123456:root", false),
        ])
    func trustPrincipals(type: String, name: String, isTaken: Bool) {
        let statement = "{\"Effect\":\"Allow\",\"Action\":\"sts:AssumeRole\",\"Principal\":{\"\(type)\":[\"\(name)\"]}}"
        if isTaken {
            #expect(throws: Never.self) { try parse(statement, .trust) }
        } else {
            #expect(throws: PolicySyntaxError.self) { try parse(statement, .trust) }
        }
    }

    @Test(
        "reports faults of trust policies",
        arguments: [
            "{\"Effect\":\"Allow\",\"Action\":\"sts:AssumeRole\"}", "{\"Effect\":\"Allow\",\"Action\":\"sts:AssumeRole\",\"Principal\":{}}",
            "{\"Effect\":\"Allow\",\"Action\":\"sts:AssumeRole\",\"Principal\":\"*\"}",
            "{\"Effect\":\"Allow\",\"Action\":\"oss:GetObject\",\"Principal\":{\"RAM\":\"acs:ram::1234567890123456:root\"}}",
            "{\"Effect\":\"Allow\",\"Action\":\"*\",\"Principal\":{\"RAM\":\"acs:ram::1234567890123456:root\"}}",
            "{\"Effect\":\"Allow\",\"Action\":\"sts:AssumeRole\",\"Resource\":\"*\",\"Principal\":{\"RAM\":\"acs:ram::1234567890123456:root\"}}",
        ])
    func trustFaults(statement: String) {
        #expect(throws: PolicySyntaxError.self) { try parse(statement, .trust) }
    }

    @Test(
        "accepts principals of bucket policies",
        arguments: [
            ("\"*\"", true), ("[\"*\"]", true), ("[\"1234567890123456\",\"204831508829112233\"]", true),
            ("[\"arn:sts::1234567890123456:assumed-role/app/s1\"]", true), ("[\"arn:sts::1234567890123456:assumed-role/app/*\"]", true),
            ("[]", false), ("[\"alice\"]", false), ("[\"arn:sts::1234567890123456:assumed-role/app\"]", false),
            ("[\"arn:sts::12:assumed-role/app/s\"]", false), ("[\"arn:aws:sts::123456789012:assumed-role/app/s\"]", false),
            ("{\"AWS\":\"*\"}", false), ("1234567890123456", false),
        ])
    func bucketPrincipals(principals: String, isTaken: Bool) {
        let statement = "{\"Effect\":\"Allow\",\"Action\":\"oss:GetObject\",\"Principal\":\(principals),\"Resource\":\"acs:oss:*:*:b/*\"}"
        if isTaken {
            #expect(throws: Never.self) { try parse(statement, .resource) }
        } else {
            #expect(throws: PolicySyntaxError.self) { try parse(statement, .resource) }
        }
    }

    @Test("makes a bucket policy without principal public")
    func nobodyNamed() throws {
        let policy = try parse(
            "{\"Action\":[\"oss:PutObject\"],\"Effect\":\"Allow\",\"Resource\":[\"acs:oss:*:*:b\",\"acs:oss:*:*:b/*\"]}", .resource)
        #expect(policy.isPublic)
        let pinned = try parse(
            "{\"Action\":\"oss:*\",\"Effect\":\"Allow\",\"Principal\":\"*\",\"Resource\":\"*\",\"Condition\":{\"IpAddress\":{\"acs:SourceIp\":\"10.0.0.0/8\"}}}",
            .resource)
        #expect(!pinned.isPublic)
    }

    @Test("has no variables: they are literal")
    func variables() throws {
        let policy = try parse("{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Resource\":\"acs:oss:*:*:b/${acs:UserName}/*\"}")
        #expect(policy.conditionKeys.isEmpty)
    }
}
