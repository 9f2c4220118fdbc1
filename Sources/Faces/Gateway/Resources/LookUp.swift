package import ServiceModels
package import WireFormats

/// A call that the gateway makes itself, to find what only the service knows of a resource: the key of an alias, the stored ARN of a secret,
/// or the partition key of a table. Its answer is believed, as all of the upstream's.
package enum LookUp: Equatable, Sendable {
    /// The ARN of the key that an alias belongs to.
    case key(alias: String)
    /// The stored ARN of a secret, with its suffix.
    /// - Parameters:
    ///   - arn: the ARN that the caller means, as far as it is known.
    ///   - id: what the caller wrote, which the service is asked for.
    case secret(_ arn: String, id: String)
    /// The name of a table's partition key.
    case partitionKey(table: String)

    /// Creates the look-up of a resource; `nil` if it is known.
    package init?(_ resource: ResourceName) {
        switch resource {
        case .known: return nil
        case .keyOfAlias(let alias): self = .key(alias: alias)
        case .secret(let arn, let id): self = .secret(arn, id: id)
        }
    }

    /// The service's name in credential scopes.
    package var service: String {
        switch self {
        case .key: "kms"
        case .secret: "secretsmanager"
        case .partitionKey: "dynamodb"
        }
    }

    /// The value of `X-Amz-Target`.
    package var target: String {
        switch self {
        case .key: "TrentService.DescribeKey"
        case .secret: "secretsmanager.DescribeSecret"
        case .partitionKey: "DynamoDB_20120810.DescribeTable"
        }
    }

    /// The value of `Content-Type`.
    package var contentType: String { self.service == "dynamodb" ? "application/x-amz-json-1.0" : "application/x-amz-json-1.1" }

    /// The body of the call.
    package var body: JSONValue {
        switch self {
        case .key(let alias): ["KeyId": .string(alias)]
        case .secret(_, let id): ["SecretId": .string(id)]
        case .partitionKey(let table): ["TableName": .string(table)]
        }
    }

    /// Returns what a response says; `nil` if the resource does not exist, or the response does not say it.
    package func result(in response: JSONValue) -> String? {
        switch self {
        case .key: response["KeyMetadata"]?["Arn"]?.stringValue
        case .secret: response["ARN"]?.stringValue
        case .partitionKey:
            (response["Table"]?["KeySchema"]?.arrayValue ?? []).first { $0["KeyType"]?.stringValue == "HASH" }?["AttributeName"]?
                .stringValue
        }
    }

    /// The text that policies see if there is no such resource.
    package var absent: String {
        switch self {
        case .key(let alias): alias
        case .secret(let arn, _): arn
        case .partitionKey(let table): table
        }
    }
}
