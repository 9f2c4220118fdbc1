import HTTPTypes
import ServiceModels
import WireFormats

/// How an AWS service words and writes its refusals, where services differ.
///
/// A source is named for each row; “assumed” is by analogy with services of the same protocol, and was not seen.
struct ServiceWording: Sendable {
    /// The status of a refusal by a policy.
    var status: HTTPResponse.Status = .badRequest
    /// The error code of a refusal by a policy.
    var code = "AccessDeniedException"
    /// The text before the code in `__type`.
    var namespace = ""
    /// The member with the message.
    var messageMember = "Message"
    /// Whether clients of the Query protocol read the code in a header. (Smithy, "awsQueryCompatible trait".)
    var isQueryCompatible = false
    /// The namespace of XML documents.
    var xmlNamespace = ""
    /// Whether responses have the CRC-32 of the body.
    var hasChecksum = false
    /// Operations whose refusal names no resource; `*` for all.
    var withoutResource: [String] = []
    /// How the action is spelled in messages.
    var spelling = Spelling.asIs

    /// How an action is spelled in messages.
    enum Spelling: Sendable {
        /// As in policies.
        case asIs
        /// In lowercase, such as `sqs:sendmessage`.
        case lowercase
        /// With the prefix in capitals, such as `SNS:Publish`.
        case capitalPrefix
    }

    /// Returns an action as the service spells it.
    func spelled(_ action: String) -> String {
        switch spelling {
        case .asIs: return action
        case .lowercase: return action.lowercasedASCII
        case .capitalPrefix:
            guard let colon = action.firstIndex(of: ":") else { return action }
            return action[..<colon].uppercased() + action[colon...]
        }
    }

    /// Whether the refusal of an operation names its resource.
    func namesResource(_ operation: String) -> Bool { !withoutResource.contains("*") && !withoutResource.contains(operation) }

    /// Returns the wording of a service.
    /// - Parameters:
    ///   - service: the prefix of its actions in policies.
    ///   - wire: the protocol of the call.
    init(of service: String, in wire: ServiceProtocol) {
        let isQuery = wire == .query || wire == .ec2
        switch service {
        case "dynamodb":
            // ionic-team/starters#46, recorded with the body; modernisation-platform#6789.
            namespace = "com.amazon.coral.service#"
            hasChecksum = true
        case "sqs":
            // aws/serverless-application-model#3633 for the action in lowercase; aws-sdk-php-symfony#41 for the XML document.
            // Assumed: the status of the JSON form, and its namespace.
            status = .forbidden
            spelling = .lowercase
            isQueryCompatible = true
            if isQuery {
                code = "AccessDenied"
                xmlNamespace = "http://queue.amazonaws.com/doc/2012-11-05/"
            } else {
                namespace = "com.amazon.coral.service#"
                messageMember = "message"
            }
        case "sns":
            // aws-ia/terraform-aws-control_tower_account_factory#151, cloud-platform#21094.
            status = .forbidden
            code = "AuthorizationError"
            spelling = .capitalPrefix
            xmlNamespace = "http://sns.amazonaws.com/doc/2010-03-31/"
        case "cloudwatch":
            // github-aws-runners/terraform-aws-github-runner#3067. Assumed: the JSON and the CBOR form.
            status = .forbidden
            withoutResource = ["*"]
            isQueryCompatible = true
            if isQuery {
                code = "AccessDenied"
                xmlNamespace = "http://monitoring.amazonaws.com/doc/2010-08-01/"
            }
        // Kralizek/AWSSecretsManagerConfigurationExtensions#78, le-tf-infra#874.
        case "secretsmanager": withoutResource = ["ListSecrets"]
        // LambdAuth#37, ADF#460; assumed for API Gateway.
        case "lambda", "apigateway": status = .forbidden
        // ssm: github-aws-runners/terraform-aws-github-runner#1279. kms: aws-nitro-enclaves-sdk-c#157. events: modernisation-platform#1253.
        // logs: aws-crr-monitor#8. states: lambda-reference#31. ecr: aws-cli#5592. Assumed for kinesis and firehose.
        default: break
        }
    }
}
