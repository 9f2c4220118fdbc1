import Policy
import Testing
import WireFormats

private let statement = #""Effect":"Allow","Action":"s3:*","Resource":"*""#
private let trusting = #""Effect":"Allow","Action":"sts:AssumeRole""#
private let syntax = "Syntax errors in policy."
private let legacy = "The policy failed legacy parsing"

@Suite("The grammar of policies")
struct PolicySyntaxTests {
    func fault(_ text: String, _ kind: PolicyDocument.Kind) -> String? {
        do {
            _ = try PolicyDocument(parsing: text, kind: kind)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        "identity policies: errors and their messages",
        arguments: [
            ("", syntax), ("[]", syntax), ("{}", syntax), (#"{"Statement":[]}"#, syntax), (#"{"Statement":"x"}"#, syntax),
            (#"{"Version":"2012-10-18","Statement":{\#(statement)}}"#, syntax), (#"{"Id":1,"Statement":{\#(statement)}}"#, syntax),
            (#"{"Statement":{\#(statement)},"Extra":1}"#, syntax), (#"{"Statement":{\#(statement)},"Statement":{\#(statement)}}"#, syntax),
            (#"{"Statement":{\#(statement),"Foo":1}}"#, syntax), (#"{"Statement":{\#(statement),"NotAction":"s3:*"}}"#, syntax),
            (#"{"Statement":{\#(statement),"NotResource":"*"}}"#, syntax), (#"{"Statement":{"Action":"s3:*","Resource":"*"}}"#, syntax),
            (#"{"Statement":{"Effect":"allow","Action":"s3:*","Resource":"*"}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{"Effect":"Permit","Action":"s3:*","Resource":"*"}}"#, syntax),
            (#"{"Statement":{"Effect":"Allow","Resource":"*"}}"#, "Policy statement must contain actions."),
            (#"{"Statement":{"Effect":"Allow","Action":[],"Resource":"*"}}"#, "Policy statement must contain actions."),
            (#"{"Statement":{"Effect":"Allow","Action":[1],"Resource":"*"}}"#, syntax),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:*"}}"#, "Policy statement must contain resources."),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:*","NotResource":[]}}"#, "Policy statement must contain resources."),
            (#"{"Statement":{\#(statement),"Principal":"*"}}"#, "Policy document should not specify a principal."),
            (#"{"Statement":{\#(statement),"NotPrincipal":{"AWS":"*"}}}"#, "Policy document should not specify a principal."),
            (
                #"{"Statement":{"Effect":"Allow","Action":"GetObject","Resource":"*"}}"#,
                "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc."
            ),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:a:b","Resource":"*"}}"#, "Actions/Condition can contain only one colon."),
            (#"{"Statement":{"Effect":"Allow","Action":"s_3:*","Resource":"*"}}"#, "Vendor s_3 is not valid"),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"b/k"}}"#, #"Resource b/k must be in ARN format or "*"."#),
            (
                #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"arn:foo:s3:::b"}}"#,
                #"Partition "foo" is not valid for resource "arn:foo:s3:::b"."#
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"arn:aws"}}"#,
                "Resource vendor must be fully qualified and cannot contain regexes."
            ),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:b"}}"#, "The policy failed legacy parsing"),
            (
                #"{"Statement":{\#(statement),"Sid":"a b"}}"#,
                "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*"
            ),
            (
                #"{"Statement":[{\#(statement),"Sid":"a"},{\#(statement),"Sid":"a"}]}"#,
                "Statement IDs (SID) in a single policy must be unique."
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:iam:us-east-1:1:user/a"}}"#,
                "IAM resource arn:aws:iam:us-east-1:1:user/a cannot contain region information."
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:s3:us-east-1::b"}}"#,
                "Resource arn:aws:s3:us-east-1::b can not contain region information."
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:iam::1:people/a"}}"#,
                "IAM resource path must either be \"*\", root, or start with user/, federated-user/, role/, group/, instance-profile/, mfa/, server-certificate/, policy/, sms-mfa/, saml-provider/, oidc-provider/, report/, access-report/."
            ),
            (#"{"Statement":{\#(statement),"Condition":[]}}"#, syntax),
            (#"{"Statement":{\#(statement),"Condition":{"Bool":"true"}}}"#, syntax),
            (#"{"Statement":{\#(statement),"Condition":{"StringEqual":{"aws:username":"a"}}}}"#, syntax),
            (#"{"Statement":{\#(statement),"Condition":{"stringequals":{"aws:username":"a"}}}}"#, syntax),
            (#"{"Statement":{\#(statement),"Condition":{"ForSomeValue:Bool":{"aws:x":"true"}}}}"#, syntax),
            (#"{"Statement":{\#(statement),"Condition":{"NullIfExists":{"aws:x":"true"}}}}"#, syntax),
            (#"{"Statement":{\#(statement),"Condition":{"StringEquals":{"aws:username":null}}}}"#, syntax),
            (#"{"Statement":{\#(statement),"Condition":{"NumericEquals":{"x:k":"ten"}}}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{\#(statement),"Condition":{"DateLessThan":{"x:k":"tomorrow"}}}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{\#(statement),"Condition":{"Bool":{"x:k":"yes"}}}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{\#(statement),"Condition":{"Null":{"x:k":"1"}}}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{\#(statement),"Condition":{"IpAddress":{"x:k":"10.0.0.0/33"}}}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{\#(statement),"Condition":{"IpAddress":{"x:k":"10.0.0"}}}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{\#(statement),"Condition":{"BinaryEquals":{"x:k":"?"}}}}"#, "The policy failed legacy parsing"),
            (#"{"Statement":{\#(statement),"Condition":{"ArnLike":{"x:k":"*"}}}}"#, "The policy failed legacy parsing"),
        ] as [(String, String)])
    func identity(_ text: String, _ message: String) {
        #expect(fault(text, .identity) == message)
    }

    @Test(
        "identity policies with several faults: the reported one does not depend on their order",
        arguments: [
            (#"{"Statement":[{"Effect":"Allow","Action":"GetObject","Resource":"x"},{"Effect":"Allow","Foo":1}]}"#, syntax),
            (#"{"Statement":{"Effect":"Allow","Action":"s:3:List","Resource":"x"}}"#, #"Resource x must be in ARN format or "*"."#),
            (#"{"Statement":{"Effect":"Allow","Resource":"arn:aws:s3::b"}}"#, legacy),
            (#"{"Statement":{"Effect":"Allow","Condition":{"DateEquals":{"a:b":"soon"}}}}"#, legacy),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":["arn:no:s3:::b","arn:aws::::b"]}}"#, legacy),
            (
                #"{"Statement":[{\#(statement),"Sid":"a"},{"Effect":"Allow","Sid":"a"}]}"#,
                "Statement IDs (SID) in a single policy must be unique."
            ),
            (
                #"{"Statement":{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole"}}"#,
                "Policy document should not specify a principal."
            ),
            (#"{"Statement":{"Effect":"Allow","Resource":"b/k"}}"#, "Policy statement must contain actions."),
            (
                #"{"Statement":{"Effect":"Allow","Action":"List"}}"#,
                "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc."
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"s3::b/*"}}"#,
                #"Partition "" is not valid for resource "arn::b/*:*:*:*"."#
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"a:b:c:d:e:f:g:h"}}"#,
                #"Partition "b" is not valid for resource "arn:b:c:d:e:f:g:h"."#
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"a:aws:s3:::b"}}"#,
                #"Resource a:aws:s3:::b must be in ARN format or "*"."#
            ),
        ] as [(String, String)])
    func severalFaults(_ text: String, _ message: String) {
        #expect(fault(text, .identity) == message)
    }

    @Test(
        "identity policies: the path of an IAM resource",
        arguments: [
            ("*", true), ("root", true), ("role/*", true), ("user/*/${aws:username}", true), ("oidc-provider/*", true), ("*/cdk-*", false),
            ("*admin*", false), ("ro*", false), ("role", false), ("role*", false), ("?oot", false), ("root/a", false), ("", false),
            ("account-alias/*", false),
        ])
    func pathsOfIAM(_ path: String, isAccepted: Bool) {
        let text = #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"iam:*","Resource":"arn:aws:iam::1:\#(path)"}}"#
        #expect((fault(text, .identity) == nil) == isAccepted)
    }

    @Test(
        "identity policies: elements that have no effect and are accepted",
        arguments: [
            #""Condition":{"DateGreaterThan":{}}"#, #""Condition":{"whatever":{}}"#, #""Condition":{"DateGreaterThan":{"a":[]}}"#,
            #""Condition":{"StringEquals":{"a":"b"}}"#, #""Condition":{"DateGreaterThan":{"a":"01T"}}"#,
            #""Condition":{"DateLessThanEquals":{"a":"2016-12-13t2:00:00.593194+23"}}"#,
            #""Condition":{"DateLessThanEquals":{"a":"2016-12-13T21:20:37.593194+00:00"}}"#,
            #""Condition":{"DateLessThan":{"a":"-292275054"}}"#,
        ])
    func meaningless(_ condition: String) {
        #expect(fault("{\"Statement\":{\(statement),\(condition)}}", .identity) == nil)
    }

    @Test(
        "dates that are invalid",
        arguments: [
            "234-13", "2016-12-13t2:00:00.593194+1", "2016-12-13t2:00:00.1999999999+10:59", "9223372036854775808000", "2020-02-30",
            "2020-1-1T24",
            "T10", "2020-01-01T10:60", "2020-01-01T10:00:00.", "2020-01-01T10:00:00+24", "2020-", "20201-01-01",
        ])
    func noDates(_ text: String) {
        let condition = #""Condition":{"DateLessThan":{"a:b":"\#(text)"}}"#
        #expect(fault("{\"Statement\":{\(statement),\(condition)}}", .identity) == legacy)
    }

    @Test(
        "resource policies: errors and their messages",
        arguments: [
            ("x", "This policy contains invalid Json"),
            (#"{"Statement":{\#(statement)}}"#, "Missing required field Principal"),
            (#"{"Statement":{\#(statement),"Principal":"*","NotPrincipal":{"AWS":"*"}}}"#, syntax),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:*","Principal":"*"}}"#, "Missing required field Resource"),
            (#"{"Statement":{"Effect":"Allow","Resource":"*","Principal":"*"}}"#, "Missing required field Action"),
            (#"{"Statement":{"Action":"s3:*","Resource":"*","Principal":"*"}}"#, "Missing required field Effect"),
            (#"{"Statement":{"Effect":"Permit","Action":"s3:*","Resource":"*","Principal":"*"}}"#, "Invalid effect: Permit"),
            (#"{"Statement":{\#(statement),"Principal":"*","Foo":1}}"#, "Unknown field Foo"),
            (#"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"b","Principal":"*"}}"#, "Policy has invalid resource"),
            (#"{"Statement":{\#(statement),"Principal":"alice"}}"#, "Invalid principal in policy"),
            (#"{"Statement":{\#(statement),"Principal":{"AWS":"user"}}}"#, "Invalid principal in policy"),
            (#"{"Statement":{"Effect":"Allow","Action":"invalid_action","Resource":"*","Principal":"*"}}"#, "Policy has invalid action"),
            (#"{"Statement":{\#(statement),"Principal":{"AWS":[]}}}"#, "Invalid principal in policy"),
            (#"{"Statement":{\#(statement),"Principal":{"GCP":"x"}}}"#, "Invalid principal in policy"),
            (#"{"Statement":{\#(statement),"Principal":{}}}"#, "Invalid policy syntax."),
        ] as [(String, String)])
    func resource(_ text: String, _ message: String) {
        #expect(fault(text, .resource) == message)
    }

    @Test(
        "trust policies: errors and their messages",
        arguments: [
            (#"{"Statement":{\#(trusting)}}"#, "Missing required field Principal"),
            (#"{"Statement":{\#(trusting),"Principal":{"AWS":"*"},"Resource":"*"}}"#, "Has prohibited field Resource"),
            (#"{"Statement":{\#(trusting),"NotPrincipal":{"AWS":"123456789012"}}}"#, "Allow with NotPrincipal is not allowed."),
            (
                #"{"Statement":{"Effect":"Deny","Action":"sts:*","NotPrincipal":{"AWS":"123456789012"}}}"#,
                "AssumeRole policy must not contain NotPrincipal field."
            ),
            (
                #"{"Statement":{\#(trusting),"Principal":"*"}}"#, #"AssumeRolepolicy contained an invalid principal: "STAR":"*"."#
            ),
            (#"{"Statement":{\#(trusting),"Principal":"alice"}}"#, "Principal must be a JSON object."),
            (
                #"{"Statement":{\#(trusting),"Principal":{"Federated":"*"}}}"#,
                "Federated principals must be valid domain names or SAML metadata ARNs"
            ),
            (#"{"Statement":{\#(trusting),"Principal":{}}}"#, "Missing required field Principal cannot be empty!"),
            (
                #"{"Statement":{\#(trusting),"Principal":{"AWS":"*"},"NotResource":"*"}}"#,
                "AssumeRole policy must not contain resources."
            ),
            ("{", "This policy contains invalid Json"), ("[]", "This policy contains invalid Json"),
            (#"{"Statement":[]}"#, "Could not parse the policy: Statement is empty!"),
            (#"{"Version":"2","Statement":[]}"#, "The policy must contain a valid version string"),
            (
                #"{"Statement":[{\#(trusting),"Sid":"a","Principal":{"AWS":"*"}},{\#(trusting),"Sid":"a","Principal":{"AWS":"*"}}]}"#,
                "The Statement Ids in the policy are not unique"
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"s3:GetObject","Principal":{"AWS":"*"}}}"#,
                "AssumeRole policy may only specify STS AssumeRole actions."
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"*","Principal":{"AWS":"*"}}}"#,
                "AssumeRole policy may only specify STS AssumeRole actions."
            ),
        ] as [(String, String)])
    func trust(_ text: String, _ message: String) {
        #expect(fault(text, .trust) == message)
    }

    @Test(
        "principals in an unknown form are refused",
        arguments: [
            ("AWS", "arn:aws:iam::123456789012:user/*"), ("AWS", "arn:aws:iam::123456789012:role/a?"), ("AWS", "arn:aws:iam::12345:root"),
            ("AWS", "12345"),
            ("AWS", "alice"), ("AWS", "arn:aws:iam::123456789012:group/g"), ("AWS", "arn:aws:iam::123456789012:user/"),
            ("AWS", "arn:aws:s3:::b"),
            ("AWS", "arn:aws:sts::123456789012:assumed-role/r"), ("Federated", "example.com"),
            ("Federated", "arn:aws:iam::123456789012:role/r"),
            ("Service", "ec2"), ("Service", "ec2.*"), ("CanonicalUser", ""),
        ])
    func principals(_ type: String, _ text: String) {
        #expect(
            fault(#"{"Statement":{\#(trusting),"Principal":{"\#(type)":"\#(text)"}}}"#, .trust)
                == #"Invalid principal in policy: "\#(type.uppercased())":"\#(text)""#)
    }

    @Test("accepts every form of every element")
    func accepts() throws {
        let document = try PolicyDocument(
            parsing: #"""
                {"Version":"2012-10-17","Id":"x","Statement":[
                  {"Sid":"One two","Effect":"Allow","Principal":{"AWS":["*","123456789012","arn:aws:iam::123456789012:root","arn:aws:iam::123456789012:user/a/b",
                    "arn:aws:iam::123456789012:role/r","arn:aws:sts::123456789012:assumed-role/r/s","arn:aws:sts::123456789012:federated-user/f",
                    "AROAEXAMPLEEXAMPLE12"],"Federated":["graph.facebook.com","arn:aws:iam::123456789012:oidc-provider/id.example.com/x"],
                    "Service":["s3.amazonaws.com","*"],"CanonicalUser":"79a5"},"NotAction":["s3:Get*"],"NotResource":["*","arn:aws:s3:::b/${aws:username}"],
                    "Condition":{"NumericLessThan":{"s3:max-keys":[10,"20"]},"Bool":{"aws:SecureTransport":true},"Null":{"x:y":"false"}}},
                  {"Sid":"","Effect":"Deny","NotPrincipal":{"AWS":"123456789012"},"Action":"*","Resource":"arn:aws:s3*"},
                  {"Sid":"","Effect":"Deny","Principal":"*","Action":["S3:*"],"Resource":["*"],"Condition":{}}]}
                """#, kind: .resource)
        #expect(document.version == .y2012)
        #expect(document.id == "x")
        #expect(document.conditionKeys == ["aws:securetransport", "aws:username", "s3:max-keys", "x:y"])
        #expect(document.json["Id"] == "x")
    }

    @Test("without a version the version is 2008-10-17")
    func version() throws {
        #expect(try PolicyDocument(parsing: "{\"Statement\":{\(statement)}}", kind: .identity).version == .y2008)
    }

    @Test("an error has the position of the fault")
    func place() throws {
        let error = #expect(throws: PolicySyntaxError.self) {
            try PolicyDocument(
                parsing: #"{"Statement":[{\#(statement)},{\#(statement),"Condition":{"Bool":{"x:k":"maybe"}}}]}"#, kind: .identity)
        }
        #expect(error?.place == "Statement[1].Condition.Bool.x:k")
        #expect(error?.detail == "\"maybe\" is not true or false.")
    }
}
