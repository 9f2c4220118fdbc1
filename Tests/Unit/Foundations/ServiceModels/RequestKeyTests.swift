import ServiceModels
import Testing
import WireFormats

@Suite("Condition keys of a call")
struct RequestKeyTests {
    private func keys(_ service: String, _ operation: String, _ input: CallInput, partitionKey: String? = nil) throws -> [String] {
        let model = try #require(ServiceTable.builtIn.service(prefix: service))
        let called = try #require(model.operations[operation])
        return try model.keys(for: called, input, partitionKey: partitionKey, in: Needs.scope).map {
            "\($0.name)=\($0.values.joined(separator: ","))"
        }
    }

    private func keys(_ service: String, _ operation: String, _ document: JSONValue, partitionKey: String? = nil) throws -> [String] {
        try keys(service, operation, CallInput(document: document), partitionKey: partitionKey)
    }

    @Test("G16: tags in each form of the services")
    func tags() throws {
        let expected = ["aws:RequestTag/team=a", "aws:RequestTag/stage=b", "aws:TagKeys=team,stage"]
        #expect(try keys("sqs", "CreateQueue", ["QueueName": "q", "tags": ["team": "a", "stage": "b"]]) == expected)
        #expect(
            try keys("dynamodb", "TagResource", ["Tags": [["Key": "team", "Value": "a"], ["Key": "stage", "Value": "b"]]]) == expected)
        #expect(
            try keys("kms", "TagResource", ["Tags": [["TagKey": "team", "TagValue": "a"], ["TagKey": "stage", "TagValue": "b"]]])
                == expected)
        #expect(
            try keys("states", "TagResource", ["tags": [["key": "team", "value": "a"], ["key": "stage", "value": "b"]]]) == expected)
        let form: FormFields = [
            "Tags.member.1.Key": "team", "Tags.member.1.Value": "a", "Tags.member.2.Key": "stage", "Tags.member.2.Value": "b",
        ]
        #expect(try keys("sns", "CreateTopic", CallInput(form: form)) == expected)
        let flat: FormFields = ["Tag.1.Key": "team", "Tag.1.Value": "a", "Tag.2.Key": "stage", "Tag.2.Value": "b"]
        #expect(try keys("sqs", "TagQueue", CallInput(form: flat)) == expected)
    }

    @Test("G16: tags that are removed")
    func removedTags() throws {
        #expect(try keys("dynamodb", "UntagResource", ["TagKeys": ["team"]]) == ["aws:TagKeys=team"])
        #expect(try keys("sqs", "UntagQueue", CallInput(form: ["TagKey.1": "team"])) == ["aws:TagKeys=team"])
        #expect(try keys("lambda", "UntagResource", CallInput(repeated: ["tagKeys": ["a", "b"]])) == ["aws:TagKeys=a,b"])
    }

    @Test("G16: members that are keys of their service")
    func members() throws {
        #expect(
            try keys("secretsmanager", "GetSecretValue", ["SecretId": "db", "VersionStage": "AWSCURRENT"]) == [
                "secretsmanager:SecretId=db", "secretsmanager:VersionStage=AWSCURRENT",
            ])
        #expect(
            try keys("secretsmanager", "DeleteSecret", ["SecretId": "db", "ForceDeleteWithoutRecovery": true]) == [
                "secretsmanager:ForceDeleteWithoutRecovery=true", "secretsmanager:SecretId=db",
            ])
        #expect(try keys("cloudwatch", "PutMetricData", ["Namespace": "App"]) == ["cloudwatch:namespace=App"])
        #expect(
            try keys("sns", "Subscribe", CallInput(form: ["Protocol": "sqs", "Endpoint": "arn:q"])) == [
                "sns:Endpoint=arn:q", "sns:Protocol=sqs",
            ])
        #expect(try keys("sns", "Publish", CallInput(form: ["Protocol": "sqs"])) == [])
        #expect(
            try keys("events", "PutEvents", ["Entries": [["Source": "a"], ["Source": "b"]]]) == ["events:source=a,b"])
        #expect(
            try keys("lambda", "CreateEventSourceMapping", ["FunctionName": "f"]) == [
                "lambda:FunctionArn=arn:aws:lambda:eu-west-1:111122223333:function:f"
            ])
    }

    @Test("G16: the encryption context and the alias of KMS")
    func encryptionContext() throws {
        #expect(
            try keys("kms", "Encrypt", ["KeyId": "alias/app", "EncryptionContext": ["stage": "test"]]) == [
                "kms:EncryptionContext:stage=test", "kms:EncryptionContextKeys=stage", "kms:RequestAlias=alias/app",
            ])
    }

    @Test("G16: attributes and leading keys of DynamoDB")
    func dynamoDB() throws {
        #expect(
            try keys("dynamodb", "GetItem", ["Key": ["id": ["S": "alice"]], "ProjectionExpression": "a, b.c, #n"], partitionKey: "id") == [
                "dynamodb:Attributes=id,a,b,#n", "dynamodb:LeadingKeys=alice",
            ])
        #expect(
            try keys(
                "dynamodb", "Query",
                [
                    "Select": "SPECIFIC_ATTRIBUTES", "KeyConditionExpression": "#k = :v AND begins_with(sort, :p)",
                    "FilterExpression": "size(blob) > :n OR NOT hidden = :h", "ExpressionAttributeNames": ["#k": "id"],
                    "ExpressionAttributeValues": [":v": ["S": "alice"], ":p": ["S": "x"], ":n": ["N": "1"], ":h": ["BOOL": true]],
                ], partitionKey: "id") == [
                    "dynamodb:Select=SPECIFIC_ATTRIBUTES", "dynamodb:Attributes=id,sort,blob,hidden", "dynamodb:LeadingKeys=alice",
                ])
        #expect(
            try keys(
                "dynamodb", "TransactWriteItems",
                [
                    "TransactItems": [
                        ["Put": ["Item": ["id": ["S": "a"], "x": ["S": "1"]]]], ["Delete": ["Key": ["id": ["S": "b"]]]],
                    ]
                ], partitionKey: "id") == ["dynamodb:Attributes=id,x", "dynamodb:LeadingKeys=a,b"])
        // Without the key schema, the leading key is not known.
        #expect(try keys("dynamodb", "GetItem", ["Key": ["id": ["S": "a"]]]) == ["dynamodb:Attributes=id"])
    }

    @Test(
        "tags that two readers could read differently are refused",
        arguments: [
            ["Tags": [["TagKey": "team", "TagValue": "a"]], "tags": ["team": "b"]],
            ["Tags": [["TagKey": "team", "TagValue": "a", "Key": "team", "Value": "b"]]],
            ["Tags": [["TagKey": "team", "TagValue": "a"], ["TagKey": "Team", "TagValue": "b"]]],
        ] as [JSONValue])
    func ambiguousTags(_ document: JSONValue) {
        #expect(throws: UndecidableCall.contradiction("Tags")) { try keys("kms", "CreateKey", document) }
    }

    @Test("each place that can name the partition key counts")
    func placesOfLeadingKeys() throws {
        let query: JSONValue = [
            "Key": ["id": ["S": "a"]], "KeyConditions": ["id": ["ComparisonOperator": "EQ", "AttributeValueList": [["S": "b"]]]],
            "KeyConditionExpression": "id = :c AND id = :d", "ExpressionAttributeValues": [":c": ["S": "c"], ":d": ["S": "d"]],
        ]
        #expect(try keys("dynamodb", "Query", query, partitionKey: "id") == ["dynamodb:Attributes=id", "dynamodb:LeadingKeys=a,b,c,d"])
        let put: JSONValue = ["Key": ["id": ["S": "a"]], "Item": ["id": ["S": "b"]]]
        #expect(try keys("dynamodb", "PutItem", put, partitionKey: "id") == ["dynamodb:Attributes=id", "dynamodb:LeadingKeys=a,b"])
        #expect(throws: UndecidableCall.unexpectedType(member: "Key")) {
            try keys("dynamodb", "GetItem", ["Key": ["id": ["N": "1", "S": "a"]]], partitionKey: "id")
        }
    }
}
