import Calls
import Cloud
import Directory
import Federation
import Fixtures
import GatewayFace
import HTTPTypes
import Policy
import ServiceModels
import Testing
import WireFormats

@Suite("The decisions on a forwarded call")
struct CallPermissionsTests {
    private static let account = "000000000000"

    /// Decides a call of a user with one policy.
    private func denial(
        _ statements: String, boundary: String? = nil, _ permissions: [RequiredPermission], keys: [RequestKey] = []
    ) async throws -> (message: String?, decisions: [String]) {
        let bounds = boundary.map { "policies: [{name: \"bounds\", document: {Version: \"2012-10-17\", Statement: [\($0)]}}]," } ?? ""
        let edge = boundary == nil ? "" : "boundary: \"arn:aws:iam::\(Self.account):policy/bounds\","
        let seed = """
            {accounts: [{id: "\(Self.account)", \(bounds)
               users: [{name: "ann", \(edge) policies: {p: {Version: "2012-10-17", Statement: [\(statements)]}}}]}]}
            """
        return try await withSandbox(seed) { cloud async throws -> (message: String?, decisions: [String]) in
            let call = Call(.post, "/", cloud: cloud)
            let ann = Caller.user(try #require(cloud.directory.user("ann", in: Self.account)), nil)
            let verdict = call.denial(of: permissions, keys: keys, by: ann, region: "eu-west-1") { name in
                switch name {
                case .known(let text): text
                case .keyOfAlias: "arn:aws:kms:eu-west-1:\(Self.account):key/k1"
                case .secret(let arn, _): "\(arn)-AbCdEf"
                }
            }
            let decisions = call.entry(status: 200).decisions.map { "\($0.action) \($0.resource) \($0.allowed)" }
            return (verdict.flatMap { $0.decision.reason(action: $0.context.action) }, decisions)
        }
    }

    private func arn(_ rest: String) -> String { "arn:aws:\(rest.replacing("@", with: "eu-west-1:\(Self.account)"))" }

    private func allow(_ action: String, _ resource: String, _ more: String = "") -> String {
        "{Effect: \"Allow\", Action: \"\(action)\", Resource: \"\(resource)\"\(more)}"
    }

    @Test("G13: one denial refuses a batch, and every decision is recorded")
    func batch() async throws {
        let (message, decisions) = try await denial(
            allow("dynamodb:PutItem", arn("dynamodb:@:table/a")),
            [
                RequiredPermission("dynamodb:PutItem", on: .known(arn("dynamodb:@:table/b"))),
                RequiredPermission("dynamodb:PutItem", on: .known(arn("dynamodb:@:table/a"))),
            ])
        #expect(message == "because no identity-based policy allows the dynamodb:PutItem action")
        #expect(
            decisions == [
                "dynamodb:PutItem \(arn("dynamodb:@:table/b")) false", "dynamodb:PutItem \(arn("dynamodb:@:table/a")) true",
            ])
    }

    @Test("G12: a secret is decided by its stored ARN, a key by its identifier")
    func lookups() async throws {
        let secret = RequiredPermission("secretsmanager:GetSecretValue", on: .secret(arn("secretsmanager:@:secret:db"), id: "db"))
        let suffixed = allow("secretsmanager:GetSecretValue", arn("secretsmanager:@:secret:db-??????"))
        #expect(try await denial(suffixed, [secret]).message == nil)
        let exact = allow("secretsmanager:GetSecretValue", arn("secretsmanager:@:secret:db"))
        #expect(try await denial(exact, [secret]).message != nil)
        let key = RequiredPermission("kms:Encrypt", on: .keyOfAlias(arn("kms:@:alias/app")))
        #expect(try await denial(allow("kms:Encrypt", arn("kms:@:key/k1")), [key]).message == nil)
    }

    @Test("G15: a role is passed only to the service that the policy names")
    func passedRole() async throws {
        let role = "arn:aws:iam::\(Self.account):role/worker"
        let permission = RequiredPermission("iam:PassRole", on: .known(role), passedTo: "lambda.amazonaws.com")
        func condition(_ service: String) -> String { ", Condition: {StringEquals: {\"iam:PassedToService\": \"\(service)\"}}" }
        #expect(try await denial(allow("iam:PassRole", role, condition("lambda.amazonaws.com")), [permission]).message == nil)
        #expect(try await denial(allow("iam:PassRole", role, condition("ecs.amazonaws.com")), [permission]).message != nil)
    }

    @Test("G16: condition keys of the call")
    func keys() async throws {
        let service = try #require(ServiceTable.builtIn.service(prefix: "cloudwatch"))
        let operation = try #require(service.operations["PutMetricData"])
        let keys = try service.keys(
            for: operation, CallInput(document: ["Namespace": "App"]), in: CallScope(region: "eu-west-1", account: Self.account))
        let permission = RequiredPermission("cloudwatch:PutMetricData", on: .known("*"))
        func condition(_ namespace: String) -> String { ", Condition: {StringEquals: {\"cloudwatch:namespace\": \"\(namespace)\"}}" }
        #expect(try await denial(allow("cloudwatch:PutMetricData", "*", condition("App")), [permission], keys: keys).message == nil)
        #expect(try await denial(allow("cloudwatch:PutMetricData", "*", condition("Other")), [permission], keys: keys).message != nil)
    }

    @Test("G19: the resource of another account needs its policy")
    func otherAccount() async throws {
        let permission = RequiredPermission("sqs:SendMessage", on: .known("arn:aws:sqs:eu-west-1:111122223333:q"))
        #expect(
            try await denial(allow("sqs:*", "*"), [permission]).message
                == "because no resource-based policy allows the sqs:SendMessage action")
    }

    @Test("G18: a permissions boundary counts")
    func boundary() async throws {
        let permission = RequiredPermission("sqs:SendMessage", on: .known(arn("sqs:@:q")))
        #expect(
            try await denial(allow("sqs:*", "*"), boundary: allow("sns:*", "*"), [permission]).message
                == "because no permissions boundary allows the sqs:SendMessage action")
    }
}
