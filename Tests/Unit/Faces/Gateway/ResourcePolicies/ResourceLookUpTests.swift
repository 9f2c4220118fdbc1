import GatewayFace
import HTTPTypes
import Policy
import Testing
import WireFormats

@Suite("Looking up policies of resources")
struct ResourceLookUpTests {
    /// A resource, and the request for its policy.
    struct Example: Sendable, CustomTestStringConvertible {
        let resource: String
        let holder: String
        let operation: String
        let target: String
        let body: String
        var testDescription: String { resource }

        init(_ resource: String, holder: String? = nil, _ operation: String, _ body: String, target: String = "/") {
            self.resource = GatewayOfATest.arn(resource)
            self.holder = GatewayOfATest.arn(holder ?? resource)
            self.operation = operation
            self.target = target
            self.body = body
        }
    }

    static let examples: [Example] = [
        Example(
            "sqs:@:orders", "AmazonSQS.GetQueueAttributes",
            "{\"QueueUrl\":\"http://localhost:4566/000000000000/orders\",\"AttributeNames\":[\"Policy\"]}"),
        Example(
            "sns:@:news", "GetTopicAttributes",
            "Action=GetTopicAttributes&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aeu-west-1%3A000000000000%3Anews"),
        Example(
            "secretsmanager:@:secret:db-AbCdEf", "secretsmanager.GetResourcePolicy",
            "{\"SecretId\":\"arn:aws:secretsmanager:eu-west-1:000000000000:secret:db-AbCdEf\"}"),
        Example(
            "dynamodb:@:table/t", "DynamoDB_20120810.GetResourcePolicy",
            "{\"ResourceArn\":\"arn:aws:dynamodb:eu-west-1:000000000000:table/t\"}"),
        Example(
            "dynamodb:@:table/t/index/i", holder: "dynamodb:@:table/t", "DynamoDB_20120810.GetResourcePolicy",
            "{\"ResourceArn\":\"arn:aws:dynamodb:eu-west-1:000000000000:table/t\"}"),
        Example("lambda:@:function:f", "GetPolicy", "", target: "/2015-03-31/functions/f/policy"),
        Example("lambda:@:function:f:$LATEST", "GetPolicy", "", target: "/2015-03-31/functions/f/policy?Qualifier=%24LATEST"),
        Example(
            "kms:@:key/k1", "TrentService.GetKeyPolicy",
            "{\"KeyId\":\"arn:aws:kms:eu-west-1:000000000000:key/k1\",\"PolicyName\":\"default\"}"),
    ]

    @Test("G39, G40: the request for the policy of each kind of resource", arguments: examples)
    func requests(_ example: Example) throws {
        let lookUp = try #require(ResourceLookUp(example.resource))
        #expect(lookUp.holder == example.holder)
        #expect(lookUp.account == GatewayOfATest.account)
        #expect(lookUp.region == "eu-west-1")
        let request = lookUp.request(origin: "http://localhost:4566")
        #expect(request.operation == example.operation)
        #expect(request.target == example.target)
        #expect(String(decoding: request.body, as: UTF8.self) == example.body)
    }

    @Test(
        "G39: resources that have no policy, and texts that could lead elsewhere, are not looked up",
        arguments: [
            "*", "arn:aws:sqs:eu-west-1:000000000000:*", "arn:aws:sqs:eu-west-1:000000000000:a/b", "arn:aws:sqs:eu-west-1:root:a",
            "arn:aws:dynamodb:eu-west-1:000000000000:table/*", "arn:aws:lambda:eu-west-1:000000000000:function:f/../g",
            "arn:aws:lambda:eu-west-1:000000000000:function:f:a?b", "arn:aws:kms:eu-west-1:000000000000:alias/a",
            "arn:aws:secretsmanager:eu-west-1:000000000000:secret:db-??????", "arn:aws:iam::000000000000:role/r",
            "arn:aws:sqs:eu west:000000000000:a", "arn:aws:logs:eu-west-1:000000000000:log-group:g",
        ])
    func others(_ resource: String) { #expect(ResourceLookUp(resource) == nil) }

    private func answer(_ body: String, _ status: HTTPResponse.Status = .ok) -> OwnAnswer {
        OwnAnswer(status: status, body: Array(body.utf8))
    }

    @Test("G39: the policy in the answer of each service")
    func answers() throws {
        func policy(_ resource: String, _ body: String) throws -> String? {
            try #require(ResourceLookUp(GatewayOfATest.arn(resource))).policy(in: answer(body))
        }
        #expect(try policy("sqs:@:q", "{\"Attributes\":{\"Policy\":\"p\"}}") == "p")
        #expect(try policy("sqs:@:q", "{}") == nil)
        #expect(try policy("secretsmanager:@:secret:s-AbCdEf", "{\"ResourcePolicy\":\"p\"}") == "p")
        #expect(try policy("dynamodb:@:table/t", "{\"Policy\":\"p\",\"RevisionId\":\"1\"}") == "p")
        let topic = """
            <GetTopicAttributesResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><GetTopicAttributesResult><Attributes>\
            <entry><key>Owner</key><value>o</value></entry><entry><key>Policy</key><value>{&quot;a&quot;:1}</value></entry>\
            </Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>
            """
        #expect(try policy("sns:@:t", topic) == "{\"a\":1}")
    }

    @Test("G40: the tags in the answer of each service")
    func tags() throws {
        func tags(_ resource: String, _ body: String) throws -> (tags: [Tag], next: String?) {
            try #require(ResourceLookUp(GatewayOfATest.arn(resource))).tags(in: answer(body))
        }
        let expected = [Tag(key: "team", value: "a")]
        #expect(try tags("sqs:@:q", "{\"Tags\":{\"team\":\"a\"}}").tags == expected)
        #expect(try tags("lambda:@:function:f", "{\"Tags\":{\"team\":\"a\"}}").tags == expected)
        #expect(try tags("secretsmanager:@:secret:s-AbCdEf", "{\"Tags\":[{\"Key\":\"team\",\"Value\":\"a\"}]}").tags == expected)
        #expect(try tags("kms:@:key/k1", "{\"Tags\":[{\"TagKey\":\"team\",\"TagValue\":\"a\"}],\"NextMarker\":null}").tags == expected)
        let page = try tags("dynamodb:@:table/t", "{\"Tags\":[{\"Key\":\"team\",\"Value\":\"a\"}],\"NextToken\":\"n\"}")
        #expect(page.tags == expected)
        #expect(page.next == "n")
        let topic = """
            <ListTagsForResourceResponse><ListTagsForResourceResult><Tags><member><Key>team</Key><Value>a</Value></member></Tags>\
            </ListTagsForResourceResult></ListTagsForResourceResponse>
            """
        #expect(try tags("sns:@:t", topic).tags == expected)
        #expect(try tags("sqs:@:q", "{}").tags.isEmpty)
        let function = try #require(ResourceLookUp(GatewayOfATest.arn("lambda:@:function:f:live")))
        #expect(
            function.tagsRequest(origin: "").target
                == "/2017-03-31/tags/arn%3Aaws%3Alambda%3Aeu-west-1%3A000000000000%3Afunction%3Af")
    }

    @Test("G39: a resource that does not exist has no policy, and another error ends the call")
    func errors() throws {
        let queue = try #require(ResourceLookUp(GatewayOfATest.arn("sqs:@:q")))
        let missing = "{\"__type\":\"com.amazonaws.sqs#QueueDoesNotExist\"}"
        #expect(try queue.policy(in: answer(missing, .badRequest)) == nil)
        #expect(try queue.policy(in: answer("{\"__type\":\"AWS.SimpleQueueService.NonExistentQueue\"}", .badRequest)) == nil)
        #expect(try queue.policy(in: answer("", .notImplemented)) == nil)
        #expect(throws: UpstreamFailure.self) { try queue.policy(in: answer("{\"__type\":\"ThrottlingException\"}", .badRequest)) }
        #expect(throws: UpstreamFailure.self) { try queue.policy(in: answer("", .internalServerError)) }
        #expect(throws: UpstreamFailure.self) { try queue.policy(in: answer("<html/>")) }
        let topic = try #require(ResourceLookUp(GatewayOfATest.arn("sns:@:t")))
        #expect(try topic.policy(in: answer("<ErrorResponse><Error><Code>NotFound</Code></Error></ErrorResponse>", .badRequest)) == nil)
        #expect(throws: UpstreamFailure.self) { try topic.policy(in: answer("{}")) }
    }
}
