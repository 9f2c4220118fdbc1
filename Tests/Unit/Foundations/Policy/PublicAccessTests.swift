import Policy
import Testing
import WireFormats

@Suite("Public policies")
struct PublicAccessTests {
    @Test("have * as principal", arguments: [#""*""#, #"{"AWS":"*"}"#, #"{"AWS":["123456789012","*"]}"#])
    func wildcards(_ principal: String) throws {
        #expect(try policy(["Principal": JSONValue(parsing: principal)], kind: .resource).isPublic)
    }

    @Test("do not have fixed principals", arguments: [#"{"AWS":"123456789012"}"#, #"{"Service":"cloudtrail.amazonaws.com"}"#])
    func fixed(_ principal: String) throws {
        #expect(try !policy(["Principal": JSONValue(parsing: principal)], kind: .resource).isPublic)
    }

    @Test(
        "are those whose conditions do not limit the callers",
        arguments: [
            (#"{"StringEquals":{"aws:SourceVpc":"vpc-1"}}"#, false), (#"{"StringLike":{"aws:SourceVpc":"vpc-*"}}"#, true),
            (#"{"StringEquals":{"aws:PrincipalOrgID":"o-1"}}"#, false), (#"{"StringEquals":{"aws:SourceArn":"${aws:username}"}}"#, true),
            (#"{"StringNotEquals":{"aws:SourceVpc":"vpc-1"}}"#, true), (#"{"StringEqualsIfExists":{"aws:SourceVpc":"vpc-1"}}"#, true),
            (#"{"IpAddress":{"aws:SourceIp":"203.0.113.0/24"}}"#, false), (#"{"IpAddress":{"aws:SourceIp":"0.0.0.0/1"}}"#, true),
            (#"{"NotIpAddress":{"aws:SourceIp":"203.0.113.0/24"}}"#, true), (#"{"StringEquals":{"s3:prefix":"a"}}"#, true),
            (#"{"ArnLike":{"s3:DataAccessPointArn":"arn:aws:s3:us-east-1:123456789012:accesspoint/*"}}"#, false),
            (#"{"ArnLike":{"aws:SourceArn":"arn:aws:s3:::bucket-*"}}"#, true),
        ])
    func conditions(_ condition: String, _ isPublic: Bool) throws {
        let document = try policy(["Condition": JSONValue(parsing: condition)], kind: .resource)
        #expect(document.isPublic == isPublic)
    }

    @Test("do not deny")
    func denial() throws {
        let document = try policy(["Effect": "Deny"], kind: .resource)
        #expect(!document.isPublic)
        #expect(document.denials != nil)
        #expect(try policy(kind: .resource).denials == nil)
    }
}
