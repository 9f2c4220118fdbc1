import Calls
import Fixtures
import HTTPTypes
import Policy
import ServiceModels
import Testing
import WireFormats

@testable import GatewayFace

/// Refusals as they were recorded, with accounts and names replaced; `ServiceWording` has the sources.
@Suite("The refusals of services")
struct RefusalTests {
    private static let ann = "arn:aws:iam::111122223333:user/ann"

    private func denial(
        _ action: String, on resource: String, _ operation: String, in wire: ServiceProtocol,
        _ outcome: Decision.Outcome = .implicitDeny(missing: .identityBased)
    ) throws -> (refusal: Refusal, service: String) {
        let context = RequestContext(
            action: action, resource: resource,
            principal: Principal(.user(arn: Self.ann, id: "AIDAEXAMPLE"), account: "111122223333"), resourceAccount: "111122223333")
        let service = String(action.split(separator: ":").first ?? "")
        let refusal = try #require(Refusal.denied(Decision(outcome), context, operation: operation, of: service, in: wire))
        return (refusal, service)
    }

    /// A refusal as its service words it.
    struct Recorded: Sendable {
        let action: String
        let resource: String
        var wire = ServiceProtocol.json11
        let status: Int
        let code: String
        /// What follows `is not authorized to perform: `.
        let words: String

        var operation: String { String(action.split(separator: ":").last ?? "") }
    }

    private static let recorded: [Recorded] = [
        Recorded(
            action: "dynamodb:GetItem", resource: "arn:aws:dynamodb:eu-west-1:111122223333:table/orders", wire: .json10, status: 400,
            code: "AccessDeniedException",
            words:
                "dynamodb:GetItem on resource: arn:aws:dynamodb:eu-west-1:111122223333:table/orders because no identity-based policy allows "
                + "the dynamodb:GetItem action"),
        Recorded(
            action: "sqs:SendMessage", resource: "arn:aws:sqs:eu-west-1:111122223333:orders", wire: .query, status: 403,
            code: "AccessDenied",
            words: "sqs:sendmessage on resource: arn:aws:sqs:eu-west-1:111122223333:orders because no identity-based policy allows "
                + "the sqs:sendmessage action"),
        Recorded(
            action: "sns:Publish", resource: "arn:aws:sns:eu-west-1:111122223333:news", wire: .query, status: 403,
            code: "AuthorizationError",
            words: "SNS:Publish on resource: arn:aws:sns:eu-west-1:111122223333:news because no identity-based policy allows "
                + "the SNS:Publish action"),
        Recorded(
            action: "secretsmanager:ListSecrets", resource: "*", status: 400, code: "AccessDeniedException",
            words: "secretsmanager:ListSecrets because no identity-based policy allows the secretsmanager:ListSecrets action"),
        Recorded(
            action: "ssm:GetParameter", resource: "arn:aws:ssm:eu-west-1:111122223333:parameter/app", status: 400,
            code: "AccessDeniedException",
            words: "ssm:GetParameter on resource: arn:aws:ssm:eu-west-1:111122223333:parameter/app because no identity-based policy allows "
                + "the ssm:GetParameter action"),
        Recorded(
            action: "lambda:ListFunctions", resource: "*", wire: .restJSON, status: 403, code: "AccessDeniedException",
            words: "lambda:ListFunctions on resource: * because no identity-based policy allows the lambda:ListFunctions action"),
        Recorded(
            action: "cloudwatch:PutMetricData", resource: "*", wire: .query, status: 403, code: "AccessDenied",
            words: "cloudwatch:PutMetricData because no identity-based policy allows the cloudwatch:PutMetricData action"),
        Recorded(
            action: "logs:PutRetentionPolicy", resource: "arn:aws:logs:eu-west-1:111122223333:log-group:/app:log-stream:", status: 400,
            code: "AccessDeniedException",
            words: "logs:PutRetentionPolicy on resource: arn:aws:logs:eu-west-1:111122223333:log-group:/app:log-stream: because no "
                + "identity-based policy allows the logs:PutRetentionPolicy action"),
        Recorded(
            action: "ecr:GetAuthorizationToken", resource: "*", status: 400, code: "AccessDeniedException",
            words: "ecr:GetAuthorizationToken on resource: * because no identity-based policy allows the ecr:GetAuthorizationToken action"),
    ]

    @Test("G21: code, status and words of each service", arguments: recorded)
    func words(_ recorded: Recorded) throws {
        let found = try denial(recorded.action, on: recorded.resource, recorded.operation, in: recorded.wire).refusal
        #expect(Int(found.status.code) == recorded.status)
        #expect(found.code == recorded.code)
        #expect(found.message == "User: \(Self.ann) is not authorized to perform: \(recorded.words)")
    }

    @Test("G18, G21: names the kind of policy that denies")
    func kinds() throws {
        let explicit = try denial("kms:Decrypt", on: "*", "Decrypt", in: .json11, .explicitDeny(in: .identityBased)).refusal
        #expect(explicit.message.hasSuffix("kms:Decrypt on resource: * with an explicit deny in an identity-based policy"))
        let session = try denial("kms:Decrypt", on: "*", "Decrypt", in: .json11, .implicitDeny(missing: .session)).refusal
        #expect(session.message.hasSuffix("because no session policy allows the kms:Decrypt action"))
        let boundary = try denial("sns:Publish", on: "*", "Publish", in: .query, .implicitDeny(missing: .permissionsBoundary)).refusal
        #expect(boundary.message.hasSuffix("because no permissions boundary allows the SNS:Publish action"))
    }

    @Test("an allowed call has no refusal")
    func allowed() {
        let context = RequestContext(
            action: "kms:Decrypt", resource: "*", principal: Principal(.root, account: "111122223333"), resourceAccount: "111122223333")
        #expect(Refusal.denied(Decision(.allowed), context, operation: "Decrypt", of: "kms", in: .json11) == nil)
    }

    @Test("G21: DynamoDB qualifies the code, and adds a checksum of the body")
    func dynamoDB() async throws {
        let (refusal, service) = try denial("dynamodb:ListTables", on: "*", "ListTables", in: .json10)
        let response = refusal.response(of: service, in: .json10, requestID: "1")
        let body = try await response.collectedBody()
        let document = try JSONValue(parsing: body)
        #expect(document["__type"]?.stringValue == "com.amazon.coral.service#AccessDeniedException")
        #expect(document["Message"]?.stringValue == refusal.message)
        #expect(response.headers[.contentType] == "application/x-amz-json-1.0")
        var checksum = CRC32()
        body.withUnsafeBytes { checksum.update($0) }
        #expect(header("x-amz-crc32", response) == String(checksum.value))
        #expect(header("x-amzn-RequestId", response) == "1")
    }

    @Test("G22: SQS and CloudWatch add the code of the Query protocol", arguments: ["sqs:SendMessage", "cloudwatch:PutMetricData"])
    func queryError(_ action: String) throws {
        let (refusal, service) = try denial(action, on: "*", "SendMessage", in: .json10)
        let response = refusal.response(of: service, in: .json10, requestID: "1")
        #expect(refusal.code == "AccessDeniedException")
        #expect(header("x-amzn-query-error", response) == "AccessDenied;Sender")
        let kms = Refusal.unreachable("http://moto:5000", "connection refused", of: "kms", in: .json11)
        #expect(header("x-amzn-query-error", kms.response(of: "kms", in: .json11, requestID: "1")) == nil)
    }

    @Test("G21: the Query form of SQS")
    func query() async throws {
        let (refusal, service) = try denial("sqs:SendMessage", on: "arn:aws:sqs:eu-west-1:111122223333:a\u{1}b", "SendMessage", in: .query)
        let response = refusal.response(of: service, in: .query, requestID: "1")
        let document = try XMLElement(parsing: try await response.collectedBody())
        #expect(document.name == "ErrorResponse")
        let error = try #require(document.child("Error"))
        #expect(error.child("Type")?.text == "Sender")
        #expect(error.child("Code")?.text == "AccessDenied")
        #expect(error.child("Message")?.text.contains("a\u{FFFD}b") == true)
        #expect(error.child("Detail") != nil)
        #expect(response.headers[.contentType] == "text/xml")
    }

    @Test("G21: REST has the code in a header")
    func rest() async throws {
        let (refusal, service) = try denial("lambda:ListFunctions", on: "*", "ListFunctions", in: .restJSON)
        let response = refusal.response(of: service, in: .restJSON, requestID: "1")
        #expect(response.status == .forbidden)
        #expect(header("x-amzn-ErrorType", response) == "AccessDeniedException")
        let document = try JSONValue(parsing: try await response.collectedBody())
        #expect(document == ["Message": .string(refusal.message)])
    }

    @Test("G30: an upstream that cannot be reached, in the form of the call")
    func unreachable() {
        let json = Refusal.unreachable("http://moto:5000", "connection refused", of: "sqs", in: .json10)
        #expect(json.status == .serviceUnavailable)
        #expect(json.code == "InternalServerError")
        #expect(json.message == "Virga could not reach the upstream of sqs at http://moto:5000: connection refused")
        #expect(Refusal.unreachable("http://moto:5000", "reset", of: "sns", in: .query).code == "ServiceUnavailable")
    }

    @Test("G11: an operation whose permission is not known is refused by name")
    func unmapped() {
        let json = Refusal.undecidable(.unmapped, operation: "NewThing", of: "sqs", in: .json10)
        #expect(json == Refusal.unmapped("NewThing", of: "sqs", in: .json10))
        #expect(json.status == .badRequest)
        #expect(json.code == "UnknownOperationException")
        #expect(
            json.message == "Virga does not know which permission sqs:NewThing needs; --forward-unmapped allow forwards it.")
        #expect(Refusal.unmapped("NewThing", of: "sns", in: .query).code == "InvalidAction")
        #expect(
            Refusal.undecidable(.repeatedMember("TableName"), operation: "GetItem", of: "dynamodb", in: .json10).code
                == "ValidationException")
    }

    private func header(_ name: String, _ response: Response) -> String? { HTTPField.Name(name).flatMap { response.headers[$0] } }
}
