import Fixtures
import GatewayFace
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("Calls decided by the policies of resources")
struct ForwardedPolicyTests {
    fileprivate typealias Order = GatewayOfATest.Order

    private static let mine = GatewayOfATest.account
    private static let other = "111122223333"
    private static let ann = "arn:aws:iam::\(mine):user/ann"

    /// Returns the text of a policy with one statement.
    private static func policy(
        _ action: String, effect: String = "Allow", to principal: String = ann
    ) -> String {
        """
        {"Version":"2012-10-17","Statement":[{"Effect":"\(effect)","Principal":{"AWS":"\(principal)"},"Action":"\(action)",\
        "Resource":"*"}]}
        """
    }

    private static func message(to queue: String = "orders", of account: String = mine) -> Order {
        .json("sqs", "AmazonSQS.SendMessage", "{\"QueueUrl\":\"http://localhost:4566/\(account)/\(queue)\",\"MessageBody\":\"a\"}")
    }

    /// A call, the name of its resource in look-ups, and the action.
    struct Example: Sendable, CustomTestStringConvertible {
        let action: String
        let holder: String
        fileprivate let order: GatewayOfATest.Order
        var testDescription: String { action }

        fileprivate init(_ action: String, _ holder: String, _ order: GatewayOfATest.Order) {
            self.action = action
            self.holder = holder
            self.order = order
        }
    }

    private static let secret = GatewayOfATest.arn("secretsmanager:@:secret:db-AbCdEf")

    static let examples: [Example] = [
        Example("sqs:SendMessage", "orders", message()),
        Example(
            "sns:Publish", GatewayOfATest.arn("sns:@:news"),
            .query("sns", "Action=Publish&Version=2010-03-31&Message=a&TopicArn=arn%3Aaws%3Asns%3Aeu-west-1%3A000000000000%3Anews")),
        Example(
            "secretsmanager:GetSecretValue", secret,
            .json("secretsmanager", "secretsmanager.GetSecretValue", "{\"SecretId\":\"db\"}", version: "1.1")),
        Example(
            "dynamodb:GetItem", GatewayOfATest.arn("dynamodb:@:table/t"),
            .json("dynamodb", "DynamoDB_20120810.GetItem", "{\"TableName\":\"t\",\"Key\":{\"id\":{\"S\":\"1\"}}}")),
        Example(
            "lambda:GetFunction", "f", Order(service: "lambda", method: "GET", target: "/2015-03-31/functions/f")),
        Example(
            "kms:Encrypt", GatewayOfATest.arn("kms:@:key/k1"),
            .json("kms", "TrentService.Encrypt", "{\"KeyId\":\"k1\",\"Plaintext\":\"YQ==\"}", version: "1.1")),
    ]

    private static let describeSecret: @Sendable (UpstreamOrder) throws -> UpstreamAnswer = { _ in .json(["ARN": .string(secret)]) }

    @Test("G39, G40: the policy of a resource allows what the caller's own policies do not mention", arguments: examples)
    func allowed(_ example: Example) async throws {
        let policies: TextDictionary<String> = [example.holder: Self.policy(example.action)]
        try await GatewayOfATest.run(policies: policies, answer: Self.describeSecret) { test async throws in
            let answer = try await test.send(example.order)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(test.upstream.policies.lookUps == [example.holder])
        }
        try await GatewayOfATest.run(answer: Self.describeSecret) { test async throws in
            #expect(try await test.send(example.order).status >= 400)
        }
    }

    @Test("G39, G40: a statement that denies in the policy of a resource decides", arguments: examples)
    func denied(_ example: Example) async throws {
        let policies: TextDictionary<String> = [example.holder: Self.policy("*", effect: "Deny", to: "*")]
        try await GatewayOfATest.run(
            GatewayOfATest.allow("*", "*"), policies: policies, answer: Self.describeSecret
        ) { test async throws in
            var order = example.order
            for key in ["ann-key", "test"] {
                order.key = key
                let answer = try await test.send(order)
                #expect(answer.text.contains("with an explicit deny in a resource-based policy"), "\(answer.text)")
            }
        }
    }

    @Test("G39: access to another account's resource needs both sides, and the upstream acts in the account of the resource")
    func otherAccount() async throws {
        let policies: TextDictionary<String> = ["orders": Self.policy("sqs:*")]
        let order = Self.message(of: Self.other)
        try await GatewayOfATest.run(GatewayOfATest.allow("sqs:*", "*"), policies: policies) { test async throws in
            #expect(try await test.send(order).status == 200)
            let sent = try #require(test.upstream.orders.first?.request)
            #expect(sent.fields[.authorization]?.hasPrefix("AWS4-HMAC-SHA256 Credential=\(Self.other)/") == true)
            // No policy lets other accounts change a queue.
            let tagging = Order.json(
                "sqs", "AmazonSQS.TagQueue", "{\"QueueUrl\":\"http://localhost:4566/\(Self.other)/orders\",\"Tags\":{\"a\":\"b\"}}")
            let refused = try await test.send(tagging)
            #expect(refused.text.contains("because no resource-based policy allows the sqs:tagqueue action"), "\(refused.text)")
            #expect(test.upstream.orders.count == 1)
        }
        try await GatewayOfATest.run(policies: policies) { test async throws in
            #expect(try await test.send(order).text.contains("because no identity-based policy allows"))
        }
        try await GatewayOfATest.run(GatewayOfATest.allow("sqs:*", "*")) { test async throws in
            #expect(try await test.send(order).text.contains("because no resource-based policy allows"))
        }
    }

    @Test("G39: a call on resources of several accounts is not forwarded")
    func severalAccounts() async throws {
        let theirs = "arn:aws:dynamodb:eu-west-1:\(Self.other):table/t"
        let policies: TextDictionary<String> = [theirs: Self.policy("dynamodb:*")]
        let puts = [theirs, "t"].map { "{\"Put\":{\"TableName\":\"\($0)\",\"Item\":{}}}" }.joined(separator: ",")
        try await GatewayOfATest.run(GatewayOfATest.allow("dynamodb:*", "*"), policies: policies) { test async throws in
            let answer = try await test.send(.json("dynamodb", "DynamoDB_20120810.TransactWriteItems", "{\"TransactItems\":[\(puts)]}"))
            #expect(answer.status == 400)
            #expect(answer.text.contains("Virga forwards only calls on resources of one account."))
            #expect(test.upstream.orders.isEmpty)
        }
    }

    @Test("G39: a policy is looked up once, and again after a call that changes policies")
    func changes() async throws {
        let policies: TextDictionary<String> = ["orders": Self.policy("sqs:*")]
        try await GatewayOfATest.run(
            change: { rules in
                let upstreams = rules.upstreams
                rules = GatewayRules(policyAge: .seconds(3600))
                rules.upstreams = upstreams
            }, policies: policies
        ) { test async throws in
            for _ in 0..<3 { #expect(try await test.send(Self.message()).status == 200) }
            #expect(test.upstream.policies.lookUps == ["orders"])
            test.upstream.policies.set(nil, of: "orders")
            // The policy was changed past this server, which counts later.
            #expect(try await test.send(Self.message()).status == 200)
            let change = Order.json(
                "sqs", "AmazonSQS.SetQueueAttributes", "{\"QueueUrl\":\"http://localhost:4566/\(Self.mine)/orders\",\"Attributes\":{}}")
            #expect(try await test.send(change).status == 200)
            #expect(try await test.send(Self.message()).status == 403)
            #expect(test.upstream.policies.lookUps == ["orders", "orders"])
        }
    }

    @Test("G39: a policy that cannot be read ends a call, but not one that replaces it")
    func unreadable() async throws {
        try await GatewayOfATest.run(GatewayOfATest.allow("sqs:*", "*"), policies: ["orders": "{\"Statement\":1}"]) { test async throws in
            let answer = try await test.send(Self.message())
            #expect(answer.status == 400)
            #expect(answer.text.contains("The policy of arn:aws:sqs:eu-west-1:000000000000:orders cannot be evaluated."))
            #expect(test.upstream.orders.isEmpty)
            let change = Order.json(
                "sqs", "AmazonSQS.SetQueueAttributes", "{\"QueueUrl\":\"http://localhost:4566/\(Self.mine)/orders\",\"Attributes\":{}}")
            #expect(try await test.send(change).status == 200)
        }
    }

    @Test("G40: the policy of a key must allow: itself, or by leaving the decision to the account")
    func keyPolicy() async throws {
        let key = GatewayOfATest.arn("kms:@:key/k1")
        let order = Order.json("kms", "TrentService.Encrypt", "{\"KeyId\":\"k1\",\"Plaintext\":\"YQ==\"}", version: "1.1")
        let delegating = Self.policy("kms:*", to: "arn:aws:iam::\(Self.mine):root")
        let closed = Self.policy("kms:*", to: "arn:aws:iam::\(Self.mine):user/bob")
        try await GatewayOfATest.run(GatewayOfATest.allow("kms:Encrypt", key), policies: [key: delegating]) { test async throws in
            #expect(try await test.send(order).status == 200)
        }
        try await GatewayOfATest.run(policies: [key: delegating]) { test async throws in
            #expect(try await test.send(order).text.contains("because no identity-based policy allows the kms:Encrypt action"))
        }
        try await GatewayOfATest.run(GatewayOfATest.allow("kms:*", "*"), policies: [key: closed]) { test async throws in
            for name in ["ann-key", "test"] {
                var signed = order
                signed.key = name
                #expect(try await test.send(signed).text.contains("because no resource-based policy allows the kms:Encrypt action"))
            }
        }
    }

    @Test("G40: a grant allows what neither the policy of the key nor the caller's own policies allow")
    func grant() async throws {
        let key = GatewayOfATest.arn("kms:@:key/k1")
        let grants = "[{\"GrantId\":\"g\",\"GranteePrincipal\":\"\(Self.ann)\",\"Operations\":[\"Encrypt\"]}]"
        let policies: TextDictionary<String> = [
            key: Self.policy("kms:*", to: "arn:aws:iam::\(Self.mine):user/bob"), "grants of \(key)": grants,
        ]
        let body = "{\"KeyId\":\"k1\",\"Plaintext\":\"YQ==\"}"
        try await GatewayOfATest.run(policies: policies) { test async throws in
            #expect(try await test.send(.json("kms", "TrentService.Encrypt", body, version: "1.1")).status == 200)
            let refused = try await test.send(.json("kms", "TrentService.GenerateDataKey", body, version: "1.1"))
            #expect(refused.text.contains("because no resource-based policy allows the kms:GenerateDataKey action"))
        }
    }

    @Test("G40: aws:ResourceTag is looked up if a policy reads it")
    func resourceTags() async throws {
        let condition = ", Condition: {StringEquals: {\"aws:ResourceTag/team\": \"${aws:username}\"}}"
        let own = GatewayOfATest.allow("sqs:SendMessage", "*", condition)
        func answer(_ team: String) -> @Sendable (UpstreamOrder) throws -> UpstreamAnswer {
            return { _ in .json(["Tags": ["team": .string(team)]]) }
        }
        try await GatewayOfATest.run(own, answer: answer("ann")) { test async throws in
            #expect(try await test.send(Self.message()).status == 200)
            let targets = test.upstream.orders.map { order in
                HTTPField.Name("X-Amz-Target").flatMap { order.request.fields[$0] } ?? ""
            }
            #expect(targets == ["AmazonSQS.ListQueueTags", "AmazonSQS.SendMessage"])
        }
        try await GatewayOfATest.run(own, answer: answer("bob")) { test async throws in
            #expect(try await test.send(Self.message()).status == 403)
        }
        // The policy of a queue can read the key, too.
        let denying = """
            {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"*",\
            "Condition":{"StringEquals":{"aws:ResourceTag/team":"ann"}}}]}
            """
        try await GatewayOfATest.run(
            GatewayOfATest.allow("sqs:*", "*"), policies: ["orders": denying], answer: answer("ann")
        ) { test async throws in
            #expect(try await test.send(Self.message()).text.contains("with an explicit deny in a resource-based policy"))
        }
    }

    @Test("G39: the policy of a table can read dynamodb:LeadingKeys")
    func leadingKeys() async throws {
        let table = GatewayOfATest.arn("dynamodb:@:table/t")
        let denying = """
            {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:*","Resource":"*",\
            "Condition":{"ForAnyValue:StringEquals":{"dynamodb:LeadingKeys":["secret"]}}}]}
            """
        let schema: JSONValue = ["Table": ["KeySchema": [["AttributeName": "id", "KeyType": "HASH"]]]]
        func order(_ key: String) -> Order {
            .json("dynamodb", "DynamoDB_20120810.GetItem", "{\"TableName\":\"t\",\"Key\":{\"id\":{\"S\":\"\(key)\"}}}")
        }
        try await GatewayOfATest.run(
            GatewayOfATest.allow("dynamodb:*", "*"), policies: [table: denying], answer: { _ in .json(schema) }
        ) { test async throws in
            #expect(try await test.send(order("open")).status == 200)
            #expect(try await test.send(order("secret")).text.contains("with an explicit deny in a resource-based policy"))
        }
    }

    @Test("G40: kms:CallerAccount is the account of the caller")
    func callerAccount() async throws {
        let key = GatewayOfATest.arn("kms:@:key/k1")
        func policy(_ account: String) -> String {
            """
            {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"kms:*","Resource":"*",\
            "Condition":{"StringEquals":{"kms:CallerAccount":"\(account)"}}}]}
            """
        }
        let order = Order.json("kms", "TrentService.Encrypt", "{\"KeyId\":\"k1\",\"Plaintext\":\"YQ==\"}", version: "1.1")
        try await GatewayOfATest.run(policies: [key: policy(Self.mine)]) { test async throws in
            #expect(try await test.send(order).status == 200)
        }
        try await GatewayOfATest.run(policies: [key: policy(Self.other)]) { test async throws in
            #expect(try await test.send(order).status == 400)
        }
    }
}
