import Policy
import Testing

/// Documents and responses of GetContextKeysForCustomPolicy at AWS in September 2026. AWS does not document the order.
@Suite("The condition keys that a policy mentions")
struct ContextKeyNameTests {
    @Test(
        "are those of conditions and variables, in their spelling",
        arguments: [
            (
                #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::bucket/${aws:PrincipalTag/Team}/${aws:username}","Condition":{"StringEquals":{"s3:ExistingObjectTag/Owner":"${aws:PrincipalTag/Team}"},"Null":{"AWS:SourceIp":"false"}}}}"#,
                ["AWS:SourceIp", "aws:PrincipalTag/Team", "aws:username", "s3:ExistingObjectTag/Owner"]
            ),
            (
                #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::bucket/${aws:username, 'default'}/${*}/${?}/${$}"}}"#,
                ["$", "*", "?", "aws:username"]
            ),
            (
                #"{"Version":"2008-10-17","Statement":{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::bucket/${aws:username}"}}"#,
                []
            ),
            (
                #"{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"s3:GetObject","NotResource":"arn:aws:s3:::bucket/${aws:PrincipalTag/project}"}}"#,
                ["aws:PrincipalTag/project"]
            ),
            (
                #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/${aws:username}/${AWS:username}","Condition":{"StringEquals":{"aws:username":"${aws:username}","AWS:username":"a"}}}}"#,
                ["AWS:username", "aws:username"]
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Principal":"*","Condition":{"StringEquals":{"aws:username":"a"}}}}"#,
                ["aws:username"]
            ),
            (
                #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"NumericEquals":{"aws:MultiFactorAuthAge":"${aws:PrincipalTag/Age}"}}}}"#,
                ["aws:MultiFactorAuthAge", "aws:PrincipalTag/Age"]
            ),
            (
                #"{"Statement":{"Effect":"Allow","Action":"abc","Resource":"bad","Condition":{"StringEquals":{"aws:username":"a"}}}}"#,
                ["aws:username"]
            ),
            (
                #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"${aws:username}"},"Action":"${aws:username}","Resource":"*"}}"#,
                []
            ),
            (#"{"Version":"2012-10-17"}"#, []), (#"{"Statement":[]}"#, []),
            (#"{"Statement":{"Effect":"Allow","Action":[],"Resource":[],"Condition":{}}}"#, []),
        ])
    func names(_ policy: String, _ expected: [String]) throws {
        #expect(try ContextKeyNames.names(in: policy).sorted() == expected)
    }

    @Test(
        "are refused for an invalid document",
        arguments: [
            #"{"Statement":{"Effect":"Allow","Condition":{"MadeUp":{"aws:username":"a"}}}}"#, #"{"Statement":{"Action":"*"}}"#,
            #"{"Statement":[],"Foo":"x"}"#, #"{"Version":"2099-01-01","Statement":[]}"#, "{", "[]",
        ])
    func refused(_ policy: String) {
        #expect(throws: PolicySyntaxError.self) { try ContextKeyNames.names(in: policy) }
    }
}
