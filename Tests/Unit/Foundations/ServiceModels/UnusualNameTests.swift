import ServiceModels
import Testing
import WireFormats

@Suite("Names that could mean another resource")
struct UnusualNameTests {
    @Test(
        "an ARN that the call cannot mean is refused, because an upstream could read its end only",
        arguments: [
            "arn:aws:dynamodb:us-east-1:111122223333:table/a", "arn:aws:dynamodb:eu-west-1::table/a",
            "arn:aws:dynamodb:eu-west-1:x:table/a",
            "arn:aws-cn:dynamodb:eu-west-1:111122223333:table/a", "arn:aws:sqs:eu-west-1:111122223333:table/a",
            "arn:aws:dynamodb:eu-west-1:111122223333:a", "arn:aws:dynamodb:eu-west-1:111122223333:table/a/index/b", "arn:a",
        ])
    func arns(_ arn: String) {
        #expect(throws: UndecidableCall.contradiction(arn)) {
            try Needs("dynamodb", "GetItem", ["TableName": .string(arn)]).permissions()
        }
    }

    @Test("so is one of a function or of a tagged resource")
    func furtherARNs() {
        let function = "arn:aws:lambda:us-east-1:111122223333:function:f"
        #expect(throws: UndecidableCall.contradiction(function)) {
            try Needs("lambda", "GetFunction", labels: ["FunctionName": function]).permissions()
        }
        let parameter = "arn:aws:ssm:eu-west-1::parameter/a"
        #expect(throws: UndecidableCall.contradiction(parameter)) {
            try Needs("ssm", "AddTagsToResource", ["ResourceType": "Parameter", "ResourceId": .string(parameter)]).permissions()
        }
    }

    @Test("a document of AWS has no account in its ARN")
    func documents() throws {
        let arn = "arn:aws:ssm:eu-west-1::document/AWS-RunShellScript"
        let found = try Needs("ssm", "DescribeDocument", ["Name": .string(arn)]).permissions()
        #expect(found == [RequiredPermission("ssm:DescribeDocument", on: .known(arn))])
    }

    @Test("an owner that is no account is refused", arguments: ["", " ", "a", "11112222333"])
    func owners(_ owner: String) {
        #expect(throws: UndecidableCall.contradiction("registryId")) {
            try Needs("ecr", "ListImages", ["registryId": .string(owner), "repositoryName": "a"]).permissions()
        }
    }

    @Test(
        "a version or a label is no part of a parameter",
        arguments: ["/a", "/a:1", "a:live", "arn:aws:ssm:eu-west-1:111122223333:parameter/a:1"])
    func versions(_ name: String) throws {
        let found = try Needs("ssm", "GetParameter", ["Name": .string(name)]).permissions()
        #expect(found == [need("ssm:GetParameter", "ssm:parameter/a")])
    }

    @Test("a parameter that stands for a secret needs the permission to read the secret")
    func secretsAsParameters() throws {
        let found = try Needs("ssm", "GetParameters", ["Names": ["/aws/reference/secretsmanager/db"]]).permissions()
        #expect(
            found == [
                need("ssm:GetParameters", "ssm:parameter/aws/reference/secretsmanager/db"),
                RequiredPermission(
                    "secretsmanager:GetSecretValue", on: .secret("arn:aws:secretsmanager:eu-west-1:111122223333:secret:db", id: "db")),
            ])
    }

    @Test("lists that are longer than those of AWS are refused before they are searched")
    func longLists() {
        let names = (0..<1001).map { JSONValue.string("p\($0)") }
        #expect(throws: UndecidableCall.contradiction("A list of resources")) {
            try Needs("ssm", "GetParameters", ["Names": .array(names)]).permissions()
        }
        var form: FormFields = [:]
        form.fields += (0..<1001).map { FormFields.Field(name: "AlarmNames.member.\($0)", value: "a") }
        #expect(throws: UndecidableCall.contradiction("A list of resources")) {
            try Needs("cloudwatch", "DeleteAlarms", form: form).permissions()
        }
    }
}
