import Policy
import Testing

/// A table for each rule of the Condition element. The policies are shortened from those on the pages that are named.
@Suite("Rules of conditions")
struct ConditionRuleTests {
    /// IAM User Guide, "Conditions with multiple context keys or values": AND across operators and keys, OR across values.
    @Test(
        "operators and keys are all required, values are alternatives",
        arguments: [
            RuleCase("all hold", with: ["aws:username": .one("ann"), "aws:SourceIp": .one("203.0.113.9")], is: true),
            RuleCase("another value", with: ["aws:username": .one("bob"), "aws:SourceIp": .one("198.51.100.3")], is: true),
            RuleCase("one key fails", with: ["aws:username": .one("eve"), "aws:SourceIp": .one("203.0.113.9")], is: false),
            RuleCase("one operator fails", with: ["aws:username": .one("ann"), "aws:SourceIp": .one("192.0.2.1")], is: false),
            RuleCase("one key is missing", with: ["aws:username": .one("ann")], is: false),
        ])
    func combination(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{
                 "StringEquals":{"aws:username":["ann","bob"]},"IpAddress":{"aws:SourceIp":["203.0.113.0/24","198.51.100.0/24"]}}}}
                """)
    }

    /// The same page, "Evaluation logic for negated matching condition operators": NOR over the values.
    @Test(
        "negated operators exclude every value",
        arguments: [
            RuleCase("neither", with: ["aws:PrincipalAccount": .one("111111111111")], is: false),
            RuleCase("the first", with: ["aws:PrincipalAccount": .one("444455556666")], is: true),
            RuleCase("the second", with: ["aws:PrincipalAccount": .one("777788889999")], is: true),
            RuleCase("missing", is: false),
        ])
    func negation(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"},
                 {"Effect":"Deny","Action":"s3:*","Resource":"*","Condition":{"StringNotEquals":{"aws:PrincipalAccount":["444455556666","777788889999"]}}}]}
                """)
    }

    /// "IAM JSON policy elements: Condition operators", "…IfExists condition operators": the example of instance types.
    @Test(
        "IfExists ignores a key that the request does not have",
        arguments: [
            RuleCase("a type that is meant", "ec2:RunInstances", with: ["ec2:InstanceType": .one("t1.micro")], is: true),
            RuleCase("another of them", "ec2:RunInstances", with: ["ec2:InstanceType": .one("m3.large")], is: true),
            RuleCase("a type that is not", "ec2:RunInstances", with: ["ec2:InstanceType": .one("r5.large")], is: false),
            RuleCase("no type at all", "ec2:RunInstances", is: true),
        ])
    func ifExists(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"ec2:RunInstances","Resource":"*","Condition":{
                 "StringLikeIfExists":{"ec2:InstanceType":["t1.*","t2.*","m3.*"]}}}}
                """)
    }

    /// The same page, "Condition operator to check existence of condition keys": only with temporary credentials.
    @Test(
        "Null tests whether a key is absent",
        arguments: [
            RuleCase("temporary", with: ["aws:TokenIssueTime": .one("2026-11-21T00:00:00Z")], is: true),
            RuleCase("with an empty text", with: ["aws:TokenIssueTime": .one("")], is: true), RuleCase("long-term", is: false),
        ])
    func null(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Action":"s3:*","Effect":"Allow","Resource":"*","Condition":{"Null":{"aws:TokenIssueTime":"false"}}}}
                """)
    }

    /// "Set operators for multivalued context keys", `ForAllValues`: the example of tag keys with a Null check beside it.
    @Test(
        "ForAllValues requires every value of the request to be in the policy, and accepts none",
        arguments: [
            RuleCase("one of them", "ec2:CreateTags", with: ["aws:TagKeys": .many(["env"])], is: true),
            RuleCase("all of them", "ec2:CreateTags", with: ["aws:TagKeys": .many(["env", "cost"])], is: true),
            RuleCase("one too many", "ec2:CreateTags", with: ["aws:TagKeys": .many(["env", "owner"])], is: false),
            RuleCase("none", "ec2:CreateTags", is: true),
            RuleCase("none, where some are asked for", "ec2:DeleteTags", is: false),
            RuleCase("one, where some are asked for", "ec2:DeleteTags", with: ["aws:TagKeys": .many(["cost"])], is: true),
        ])
    func forAllValues(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[
                 {"Effect":"Allow","Action":"ec2:CreateTags","Resource":"*","Condition":{"ForAllValues:StringEquals":{"aws:TagKeys":["env","cost"]}}},
                 {"Effect":"Allow","Action":"ec2:DeleteTags","Resource":"*","Condition":{"ForAllValues:StringEquals":{"aws:TagKeys":["env","cost"]},"Null":{"aws:TagKeys":"false"}}}]}
                """)
    }

    /// The same page, `ForAnyValue`, with the Deny of the example.
    @Test(
        "ForAnyValue requires one value of the request to be in the policy",
        arguments: [
            RuleCase("one of two", with: ["aws:TagKeys": .many(["environment", "owner"])], is: true),
            RuleCase("none of two", with: ["aws:TagKeys": .many(["owner", "team"])], is: false), RuleCase("no key", is: false),
            RuleCase("one that is denied", with: ["aws:TagKeys": .many(["environment", "secret"])], is: false),
        ])
    func forAnyValue(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[
                 {"Effect":"Allow","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringEquals":{"aws:TagKeys":["environment","cost-center"]}}},
                 {"Effect":"Deny","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringEquals":{"aws:TagKeys":"secret"}}}]}
                """)
    }

    /// "Single-valued vs. multivalued context keys": only set operators match a list, even a list of one (observed at AWS).
    @Test(
        "plain operators do not match a key with a list of values",
        arguments: [
            RuleCase("a list of one", with: ["aws:TagKeys": .many(["a"])], is: false),
            RuleCase("a list of two", with: ["aws:TagKeys": .many(["a", "b"])], is: false), RuleCase("nothing", is: true),
        ])
    func multivalued(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringNotEqualsIfExists":{"aws:TagKeys":"z"}}}}
                """)
    }

    /// "Condition operators", "Numeric condition operators": the listing of at most ten keys.
    @Test(
        "numbers are compared numerically",
        arguments: [
            RuleCase("fewer", "s3:ListBucket", with: ["s3:max-keys": .one("9")], is: true),
            RuleCase("as many", "s3:ListBucket", with: ["s3:max-keys": .one("010")], is: true),
            RuleCase("spelled as a fraction", "s3:ListBucket", with: ["s3:max-keys": .one("10.0")], is: true),
            RuleCase("more", "s3:ListBucket", with: ["s3:max-keys": .one("100")], is: false),
            RuleCase("no number", "s3:ListBucket", with: ["s3:max-keys": .one("ten")], is: false),
            RuleCase("not said", "s3:ListBucket", is: false),
        ])
    func numeric(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:ListBucket","Resource":"*","Condition":{"NumericLessThanEquals":{"s3:max-keys":"10"}}}}
                """)
    }

    /// The same page, "Date condition operators": a window of time.
    @Test(
        "dates are compared as times",
        arguments: [
            RuleCase("before", with: ["aws:CurrentTime": .one("2026-06-30T23:59:59.999Z")], is: false),
            RuleCase("at the start", with: ["aws:CurrentTime": .one("2026-07-01T00:00:00Z")], is: true),
            RuleCase("between, elsewhere", with: ["aws:CurrentTime": .one("2026-07-01T01:00:00+02:00")], is: false),
            RuleCase("in seconds", with: ["aws:CurrentTime": .one("1784500000")], is: true),
            RuleCase("at the end", with: ["aws:CurrentTime": .one("2026-12-31T00:00:00Z")], is: true),
            RuleCase("after", with: ["aws:CurrentTime": .one("2026-12-31T00:00:00.001Z")], is: false),
        ])
    func date(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{
                 "DateGreaterThanEquals":{"aws:CurrentTime":"2026-07-01T00:00:00Z"},"DateLessThanEquals":{"aws:CurrentTime":"2026-12-31"}}}}
                """)
    }

    /// The same page, "Boolean condition operators".
    @Test(
        "booleans are compared without regard to case, and values other than true are false",
        arguments: [
            RuleCase("secure", with: ["aws:SecureTransport": .one("true")], is: true),
            RuleCase("Secure", with: ["aws:SecureTransport": .one("TRUE")], is: true),
            RuleCase("not secure", with: ["aws:SecureTransport": .one("false")], is: false),
            RuleCase("neither", with: ["aws:SecureTransport": .one("1")], is: false),
        ])
    func bool(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"},
                 {"Effect":"Deny","Action":"*","Resource":"*","Condition":{"Bool":{"aws:SecureTransport":"false"}}}]}
                """)
    }

    /// The same page, "IP address condition operators", and "AWS: Denies access to AWS based on the source IP".
    @Test(
        "addresses are compared with networks",
        arguments: [
            RuleCase("in the first", with: ["aws:SourceIp": .one("192.0.2.200"), "aws:ViaAWSService": .one("false")], is: true),
            RuleCase("in the second", with: ["aws:SourceIp": .one("203.0.113.1"), "aws:ViaAWSService": .one("false")], is: true),
            RuleCase("outside", with: ["aws:SourceIp": .one("198.51.100.1"), "aws:ViaAWSService": .one("false")], is: false),
            RuleCase("outside, by a service", with: ["aws:SourceIp": .one("198.51.100.1"), "aws:ViaAWSService": .one("true")], is: true),
            RuleCase(
                "in IPv6's clothes", with: ["aws:SourceIp": .one("::ffff:192.0.2.200"), "aws:ViaAWSService": .one("false")], is: true),
            RuleCase("of IPv6", with: ["aws:SourceIp": .one("2001:db8::1"), "aws:ViaAWSService": .one("false")], is: false),
        ])
    func address(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"},
                 {"Effect":"Deny","Action":"*","Resource":"*","Condition":{
                  "NotIpAddress":{"aws:SourceIp":["192.0.2.0/24","203.0.113.0/24"]},"Bool":{"aws:ViaAWSService":"false"}}}]}
                """)
    }

    /// The same page, "Amazon Resource Name (ARN) condition operators": each field by itself.
    @Test(
        "ARNs are compared field by field",
        arguments: [
            RuleCase("the topic", with: ["aws:SourceArn": .one("arn:aws:sns:eu-west-1:123456789012:news")], is: true),
            RuleCase("any region", with: ["aws:SourceArn": .one("arn:aws:sns:us-east-1:123456789012:news")], is: true),
            RuleCase("another service", with: ["aws:SourceArn": .one("arn:aws:sqs:us-east-1:123456789012:news")], is: false),
            RuleCase("another account", with: ["aws:SourceArn": .one("arn:aws:sns:us-east-1:210987654321:news")], is: false),
            RuleCase("a colon more", with: ["aws:SourceArn": .one("arn:aws:sns:us-east-1:x:123456789012:news")], is: false),
            RuleCase("no ARN", with: ["aws:SourceArn": .one("news")], is: false),
        ])
    func arn(_ example: RuleCase) throws {
        for name in ["ArnEquals", "ArnLike"] {
            try example.check(
                identity: """
                    {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"\(name)":{"aws:SourceArn":"arn:aws:sns:*:123456789012:*"}}}}
                    """)
        }
    }

    /// The same page, "Binary condition operators": byte for byte, in base64.
    @Test(
        "binary values are compared byte for byte",
        arguments: [
            RuleCase("the same", with: ["x:key": .one("QmluYXJ5VmFsdWVJbkJhc2U2NA==")], is: true),
            RuleCase("another", with: ["x:key": .one("QmluYXJ5VmFsdWVJbkJhc2U2NQ==")], is: false),
            RuleCase("none", with: ["x:key": .one("BinaryValueInBase64!")], is: false),
        ])
    func binary(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"BinaryEquals":{"x:key":"QmluYXJ5VmFsdWVJbkJhc2U2NA=="}}}}
                """)
    }
}
