package import ServiceModels
package import WireFormats

/// A call that the gateway makes itself, to find what only the service knows of a resource: the key of an alias, the stored ARN of a secret,
/// or the partition key of a table. Its answer is believed, as all of the upstream's.
package enum LookUp: Sendable {
    /// The ARN of the key that an alias belongs to.
    case key(alias: String)
    /// The stored ARN of a secret, with its suffix.
    /// - Parameters:
    ///   - arn: the ARN that the caller means, as far as it is known.
    ///   - id: what the caller wrote, which the service is asked for.
    case secret(_ arn: String, id: String)
    /// The name of the partition key of a table, or of one of its indexes.
    /// - Parameter owner: the account of the table; `nil` if it is the caller's.
    case partitionKey(table: String, index: String?, owner: String? = nil)

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

    /// The body of the call.
    package var body: JSONValue {
        switch self {
        case .key(let alias): ["KeyId": .string(alias)]
        case .secret(_, let id): ["SecretId": .string(id)]
        case .partitionKey(let table, _, _): ["TableName": .string(table)]
        }
    }

    /// The request.
    package var request: OwnRequest {
        OwnRequest(service, json: target, version: service == "dynamodb" ? "1.0" : "1.1", body)
    }

    /// The account that has the resource; `nil` if it is the caller's.
    package var owner: String? {
        switch self {
        case .key(let alias): alias.accountInARN
        case .secret(let arn, _): arn.accountInARN
        case .partitionKey(_, _, let owner): owner
        }
    }

    /// Returns what a response says; `nil` if the resource does not exist, or the response does not say it.
    package func result(in response: JSONValue) -> String? {
        switch self {
        case .key: response["KeyMetadata"]?["Arn"]?.stringValue
        case .secret: response["ARN"]?.stringValue
        case .partitionKey(_, nil, _): response["Table"].flatMap { Self.partitionKey(in: $0) }
        case .partitionKey(_, let index?, _):
            ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"].flatMap { response["Table"]?[$0]?.arrayValue ?? [] }
                .first { $0["IndexName"]?.stringValue == index }.flatMap { Self.partitionKey(in: $0) }
        }
    }

    /// Returns the partition key of the description of a table or index.
    private static func partitionKey(in description: JSONValue) -> String? {
        (description["KeySchema"]?.arrayValue ?? []).first { $0["KeyType"]?.stringValue == "HASH" }?["AttributeName"]?.stringValue
    }

    /// Returns the look-ups of the partition keys of the tables and indexes that permissions are about, each once.
    package static func partitionKeys(of permissions: [RequiredPermission]) -> [LookUp] {
        var found: [LookUp] = []
        for permission in permissions {
            guard case .known(let text) = permission.resource, let place = text.firstRange(of: ":table/") else { continue }
            let parts = text[place.upperBound...].split(separator: "/").map { String($0) }
            guard let table = parts.first, table != "*" else { continue }
            let index = parts.count == 3 && parts[1] == "index" ? parts[2] : nil
            let lookUp = LookUp.partitionKey(table: table, index: index, owner: text.accountInARN)
            if !found.contains(lookUp) { found.append(lookUp) }
        }
        return found
    }

    /// The text that policies see if there is no such resource.
    package var absent: String {
        switch self {
        case .key(let alias): alias
        case .secret(let arn, _): arn
        case .partitionKey(let table, _, _): table
        }
    }
}

extension LookUp: Equatable {
    /// Texts are equal if their bytes are.
    package static func == (left: LookUp, right: LookUp) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left == right
        case (.secret(let left, let leftID), .secret(let right, let rightID)): left == right && leftID == rightID
        case (.partitionKey(let left, let leftIndex, let leftOwner), .partitionKey(let right, let rightIndex, let rightOwner)):
            left == right && leftIndex == rightIndex && leftOwner == rightOwner
        default: false
        }
    }
}
