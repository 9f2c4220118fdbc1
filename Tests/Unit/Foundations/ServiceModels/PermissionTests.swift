import ServiceModels
import Testing
import WireFormats

@Suite("The permissions of a call")
struct PermissionTests {
    @Test(
        "G12: one resource is named by URL, name, ARN, path or qualifier",
        arguments: [
            Needs(
                "sqs", "SendMessage", ["QueueUrl": "http://127.0.0.1:4566/111122223333/orders"], need("sqs:SendMessage", "sqs:orders")),
            Needs("sqs", "SendMessage", ["QueueUrl": "orders"], need("sqs:SendMessage", "sqs:orders")),
            Needs(
                "sqs", "SendMessage", ["QueueUrl": "https://sqs.eu-west-1.amazonaws.com/444455556666/orders"],
                RequiredPermission("sqs:SendMessage", on: .known("arn:aws:sqs:eu-west-1:444455556666:orders"))),
            Needs(
                "sqs", "GetQueueUrl", ["QueueName": "orders", "QueueOwnerAWSAccountId": "444455556666"],
                RequiredPermission("sqs:GetQueueUrl", on: .known("arn:aws:sqs:eu-west-1:444455556666:orders"))),
            Needs("sqs", "ListQueues", [:], need("sqs:ListQueues", "sqs:*")),
            Needs("dynamodb", "GetItem", ["TableName": "orders", "Key": [:]], need("dynamodb:GetItem", "dynamodb:table/orders")),
            Needs(
                "dynamodb", "GetItem", ["TableName": "arn:aws:dynamodb:eu-west-1:444455556666:table/orders"],
                RequiredPermission("dynamodb:GetItem", on: .known("arn:aws:dynamodb:eu-west-1:444455556666:table/orders"))),
            Needs("dynamodb", "Query", ["TableName": "orders"], need("dynamodb:Query", "dynamodb:table/orders")),
            Needs(
                "dynamodb", "Query", ["TableName": "orders", "IndexName": "byDate"],
                need("dynamodb:Query", "dynamodb:table/orders/index/byDate")),
            Needs(
                "dynamodb", "Scan", ["TableName": "arn:aws:dynamodb:eu-west-1:111122223333:table/orders", "IndexName": "byDate"],
                need("dynamodb:Scan", "dynamodb:table/orders/index/byDate")),
            Needs("ssm", "GetParameter", ["Name": "/app/db/password"], need("ssm:GetParameter", "ssm:parameter/app/db/password")),
            // A slash at the end stays. (aws-ia/terraform-aws-control_tower_account_factory#174)
            Needs("ssm", "GetParametersByPath", ["Path": "/app/db/"], need("ssm:GetParametersByPath", "ssm:parameter/app/db/")),
            Needs("ssm", "GetParameter", ["Name": "plain"], need("ssm:GetParameter", "ssm:parameter/plain")),
            Needs("events", "PutRule", ["Name": "daily"], need("events:PutRule", "events:rule/daily")),
            Needs(
                "events", "PutRule", ["Name": "daily", "EventBusName": "orders"], need("events:PutRule", "events:rule/orders/daily")),
            Needs(
                "events", "DescribeRule",
                ["Name": "daily", "EventBusName": "arn:aws:events:eu-west-1:111122223333:event-bus/orders"],
                need("events:DescribeRule", "events:rule/orders/daily")),
            Needs(
                "logs", "PutLogEvents", ["logGroupName": "/app", "logStreamName": "s1"],
                need("logs:PutLogEvents", "logs:log-group:/app:log-stream:s1")),
            Needs(
                "logs", "PutRetentionPolicy", ["logGroupName": "/app"],
                need("logs:PutRetentionPolicy", "logs:log-group:/app:log-stream:")),
            Needs(
                "logs", "FilterLogEvents", ["logGroupIdentifier": "arn:aws:logs:eu-west-1:111122223333:log-group:/app:*"],
                need("logs:FilterLogEvents", "logs:log-group:/app:log-stream:")),
            Needs("logs", "DescribeLogGroups", [:], need("logs:DescribeLogGroups", "logs:log-group::log-stream:")),
            Needs(
                "kms", "Encrypt", ["KeyId": "1234abcd-12ab-34cd-56ef-1234567890ab"],
                need("kms:Encrypt", "kms:key/1234abcd-12ab-34cd-56ef-1234567890ab")),
            Needs(
                "kms", "Encrypt", ["KeyId": "alias/app"],
                RequiredPermission("kms:Encrypt", on: .keyOfAlias("arn:aws:kms:eu-west-1:111122223333:alias/app"))),
            Needs("kms", "Decrypt", ["CiphertextBlob": "AA=="], RequiredPermission("kms:Decrypt", on: .known("*"))),
            Needs(
                "secretsmanager", "GetSecretValue", ["SecretId": "db"],
                RequiredPermission(
                    "secretsmanager:GetSecretValue", on: .secret("arn:aws:secretsmanager:eu-west-1:111122223333:secret:db", id: "db"))),
            Needs(
                "secretsmanager", "CreateSecret", ["Name": "db"],
                need("secretsmanager:CreateSecret", "secretsmanager:secret:db-??????")),
            Needs(
                "ecr", "PutImage", ["repositoryName": "app", "registryId": "444455556666"],
                RequiredPermission("ecr:PutImage", on: .known("arn:aws:ecr:eu-west-1:444455556666:repository/app"))),
            Needs(
                "states", "StartExecution", ["stateMachineArn": "arn:aws:states:eu-west-1:111122223333:stateMachine:m", "name": "run"],
                need("states:StartExecution", "states:stateMachine:m")),
            Needs("cloudwatch", "PutMetricData", ["Namespace": "App"], RequiredPermission("cloudwatch:PutMetricData", on: .known("*"))),
        ] as [Needs])
    func resources(_ needs: Needs) throws { try needs.check() }

    @Test(
        "G12: functions of Lambda by name, account, ARN and qualifier",
        arguments: [
            Needs("lambda", "Invoke", labels: ["FunctionName": "f"], need("lambda:InvokeFunction", "lambda:function:f")),
            Needs(
                "lambda", "Invoke", labels: ["FunctionName": "f", "Qualifier": "prod"],
                need("lambda:InvokeFunction", "lambda:function:f:prod")),
            Needs("lambda", "Invoke", labels: ["FunctionName": "f:prod"], need("lambda:InvokeFunction", "lambda:function:f:prod")),
            Needs(
                "lambda", "Invoke", labels: ["FunctionName": "f:prod", "Qualifier": "prod"],
                need("lambda:InvokeFunction", "lambda:function:f:prod")),
            Needs(
                "lambda", "GetFunction", labels: ["FunctionName": "444455556666:function:f"],
                RequiredPermission("lambda:GetFunction", on: .known("arn:aws:lambda:eu-west-1:444455556666:function:f"))),
            Needs(
                "lambda", "GetFunction",
                labels: ["FunctionName": "arn:aws:lambda:eu-west-1:444455556666:function:f:2"],
                RequiredPermission("lambda:GetFunction", on: .known("arn:aws:lambda:eu-west-1:444455556666:function:f:2"))),
            Needs(
                "lambda", "GetLayerVersion", labels: ["LayerName": "l", "VersionNumber": "3"],
                need("lambda:GetLayerVersion", "lambda:layer:l:3")),
        ] as [Needs])
    func functions(_ needs: Needs) throws { try needs.check() }

    @Test(
        "G13: batches and transactions need a permission for each resource",
        arguments: [
            Needs("sqs", "SendMessageBatch", ["QueueUrl": "orders", "Entries": []], need("sqs:SendMessage", "sqs:orders")),
            Needs(
                "dynamodb", "BatchGetItem", ["RequestItems": ["a": [:], "b": [:]]], need("dynamodb:BatchGetItem", "dynamodb:table/a"),
                need("dynamodb:BatchGetItem", "dynamodb:table/b")),
            Needs(
                "dynamodb", "TransactWriteItems",
                [
                    "TransactItems": [
                        ["Delete": ["TableName": "a"]], ["Put": ["TableName": "b"]], ["Put": ["TableName": "b"]],
                        ["ConditionCheck": ["TableName": "c"], "Update": ["TableName": "d"]],
                    ]
                ],
                need("dynamodb:ConditionCheckItem", "dynamodb:table/c"), need("dynamodb:PutItem", "dynamodb:table/b"),
                need("dynamodb:UpdateItem", "dynamodb:table/d"), need("dynamodb:DeleteItem", "dynamodb:table/a")),
            Needs(
                "ssm", "GetParameters", ["Names": ["/a", "/b"]], need("ssm:GetParameters", "ssm:parameter/a"),
                need("ssm:GetParameters", "ssm:parameter/b")),
            Needs(
                "events", "PutEvents", ["Entries": [["Detail": "{}"], ["EventBusName": "orders"]]],
                need("events:PutEvents", "events:event-bus/default"), need("events:PutEvents", "events:event-bus/orders")),
            Needs(
                "kms", "ReEncrypt", ["SourceKeyId": "a", "DestinationKeyId": "b"], need("kms:ReEncryptFrom", "kms:key/a"),
                need("kms:ReEncryptTo", "kms:key/b")),
            Needs(
                "cloudwatch", "DeleteAlarms",
                form: ["Action": "DeleteAlarms", "AlarmNames.member.1": "a", "AlarmNames.member.2": "b"],
                need("cloudwatch:DeleteAlarms", "cloudwatch:alarm:a"), need("cloudwatch:DeleteAlarms", "cloudwatch:alarm:b")),
            // Nothing is named: the upstream refuses the call, and only a policy about all tables lets it through.
            Needs("dynamodb", "TransactWriteItems", ["TransactItems": []], need("dynamodb:TransactWriteItems", "dynamodb:table/*")),
        ] as [Needs])
    func batches(_ needs: Needs) throws { try needs.check() }

    @Test(
        "G41: all of several members that name a resource count",
        arguments: [
            Needs(
                "sns", "Publish",
                form: ["TopicArn": "arn:aws:sns:eu-west-1:111122223333:a", "TargetArn": "arn:aws:sns:eu-west-1:111122223333:b"],
                need("sns:Publish", "sns:a"), need("sns:Publish", "sns:b")),
            Needs("sns", "Publish", form: ["PhoneNumber": "+15550100"], RequiredPermission("sns:Publish", on: .known("+15550100"))),
            Needs(
                "kinesis", "PutRecord", ["StreamARN": "arn:aws:kinesis:eu-west-1:111122223333:stream/a", "StreamName": "b"],
                need("kinesis:PutRecord", "kinesis:stream/a"), need("kinesis:PutRecord", "kinesis:stream/b")),
        ] as [Needs])
    func severalMembers(_ needs: Needs) throws { try needs.check() }

    @Test(
        "G15: a role that is passed needs iam:PassRole",
        arguments: [
            Needs(
                "lambda", "CreateFunction", ["FunctionName": "f", "Role": "arn:aws:iam::111122223333:role/worker"],
                need("lambda:CreateFunction", "lambda:function:f"),
                RequiredPermission(
                    "iam:PassRole", on: .known("arn:aws:iam::111122223333:role/worker"), passedTo: "lambda.amazonaws.com")),
            Needs(
                "states", "UpdateStateMachine", ["stateMachineArn": "arn:aws:states:eu-west-1:111122223333:stateMachine:m"],
                need("states:UpdateStateMachine", "states:stateMachine:m")),
            Needs(
                "events", "PutTargets", ["Rule": "daily", "Targets": [["RoleArn": "arn:aws:iam::111122223333:role/a"], ["Id": "2"]]],
                need("events:PutTargets", "events:rule/daily"),
                RequiredPermission("iam:PassRole", on: .known("arn:aws:iam::111122223333:role/a"), passedTo: "events.amazonaws.com")),
        ] as [Needs])
    func passedRoles(_ needs: Needs) throws { try needs.check() }

    @Test(
        "G15: a resource that is created with tags needs the permission to tag",
        arguments: [
            Needs("sqs", "CreateQueue", ["QueueName": "q", "tags": [:]], need("sqs:CreateQueue", "sqs:q")),
            Needs(
                "sqs", "CreateQueue", ["QueueName": "q", "tags": ["a": "b"]], need("sqs:CreateQueue", "sqs:q"),
                need("sqs:TagQueue", "sqs:q")),
            Needs(
                "sqs", "CreateQueue", form: ["QueueName": "q", "Tag.1.Key": "a", "Tag.1.Value": "b"], need("sqs:CreateQueue", "sqs:q"),
                need("sqs:TagQueue", "sqs:q")),
            Needs(
                "kms", "CreateKey", ["Tags": [["TagKey": "a", "TagValue": "b"]]],
                RequiredPermission("kms:CreateKey", on: .known("*")), RequiredPermission("kms:TagResource", on: .known("*"))),
        ] as [Needs])
    func tagging(_ needs: Needs) throws { try needs.check() }

    @Test("G12: API Gateway decides on method and path")
    func apiGateway() throws {
        let service = try #require(ServiceTable.builtIn.service(prefix: "apigateway"))
        let operation = try #require(service.operations["GetRestApi"])
        let found = try service.permissions(for: operation, CallInput(), method: "GET", path: "/restapis/a1b2", in: Needs.scope)
        #expect(found == [RequiredPermission("apigateway:GET", on: .known("arn:aws:apigateway:eu-west-1::/restapis/a1b2"))])
    }

    @Test("G41: path and document must name the same queue")
    func queueInPath() throws {
        let service = try #require(ServiceTable.builtIn.service(prefix: "sqs"))
        let operation = try #require(service.operations["SendMessage"])
        let input = CallInput(document: ["QueueUrl": "http://localhost:4566/111122223333/orders"])
        let found = try service.permissions(for: operation, input, path: "/111122223333/orders", in: Needs.scope)
        #expect(found == [need("sqs:SendMessage", "sqs:orders")])
        for path in ["/111122223333/payments", "/444455556666/orders", "/111122223333/order%73"] {
            #expect(throws: UndecidableCall.contradiction("QueueUrl")) {
                try service.permissions(for: operation, input, path: path, in: Needs.scope)
            }
        }
    }

    private static let refused: [(needs: Needs, error: UndecidableCall)] = [
        (Needs("kms", "Encapsulate", ["KeyId": "a"]), .unmapped),
        (Needs("dynamodb", "GetItem", ["TableName": ["a"]]), .unexpectedType(member: "TableName")),
        (Needs("dynamodb", "GetItem", ["TableName": "a", "tablename": "b"]), .repeatedMember("TableName")),
        (Needs("dynamodb", "GetItem", ["tableName": "b"]), .repeatedMember("TableName")),
        (Needs("lambda", "Invoke", labels: ["FunctionName": "f:a", "Qualifier": "b"]), .contradiction("Qualifier")),
        (Needs("sqs", "SendMessage", ["QueueUrl": "http://sqs/111122223333/ord%65rs"]), .contradiction("QueueUrl")),
        (Needs("sns", "Publish", form: FormFields(parsing: "TopicArn=a&TopicArn=b") ?? [:]), .repeatedMember("TopicArn")),
    ]

    @Test("G11, G41: what cannot be decided is refused", arguments: refused)
    func undecidable(_ needs: Needs, _ expected: UndecidableCall) {
        #expect(throws: expected) { try needs.permissions() }
    }
}
