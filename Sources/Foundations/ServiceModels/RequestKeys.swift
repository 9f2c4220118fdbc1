import WireFormats

/// A condition key that a call sets, such as `aws:TagKeys`.
package struct RequestKey: Sendable {
    /// The name as AWS's reference spells it. What follows the slash or the second colon is from the call.
    package let name: String
    /// The values, in the order of the call.
    package let values: [String]
    /// Whether the key is multivalued by definition, also with one value. (Service Authorization Reference, type `ArrayOfString`.)
    package var isMultivalued: Bool { Self.multivalued.contains(name) }

    private static let multivalued = [
        "aws:TagKeys", "dynamodb:Attributes", "dynamodb:LeadingKeys", "events:detail-type", "events:source", "events:TargetArn",
        "kms:EncryptionContextKeys", "kms:GrantOperations", "lambda:Layer", "lambda:SecurityGroupIds", "lambda:SubnetIds",
    ]

    init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}

extension ServiceModel {
    /// Returns the condition keys that a call sets by its input. Keys that depend on the state of the resource are not among them.
    /// (Service Authorization Reference, "Condition keys" of each service, and its global keys.)
    /// - Parameter partitionKey: the name of the partition key of the call's table in DynamoDB; `nil` if it is not known.
    package func keys(
        for operation: OperationModel, _ input: CallInput, partitionKey: String? = nil, in scope: CallScope
    ) throws(UndecidableCall) -> [RequestKey] {
        var keys = try tagKeys(input)
        for row in Self.rows where row.service == name && (row.operations.isEmpty || row.operations.contains(operation.name)) {
            let values = try input.texts(at: row.path)
            if !values.isEmpty { keys.append(RequestKey(row.key, values)) }
        }
        switch name {
        case "dynamodb": keys += try dynamoDBKeys(input, partitionKey: partitionKey)
        case "kms": keys += kmsKeys(input)
        case "lambda" where operation.name.hasSuffix("EventSourceMapping"):
            // The function is the resource in another form, so it is a key. (Lambda Developer Guide, "Fine-tuning the Resources and
            // Conditions sections of policies".)
            if let type = types["function"], let function = try input.texts(at: MemberPath("FunctionName")).first,
                case .known(let arn) = try type.resource([function], in: scope)
            {
                keys.append(RequestKey("lambda:FunctionArn", [arn]))
            }
        default: break
        }
        return keys
    }

    /// A key whose values are those of a member.
    private struct Row: Sendable {
        let service: String
        let key: String
        let path: MemberPath
        /// The operations that set the key; empty for all that have the member.
        let operations: [String]

        init(_ key: String, _ path: String, _ operations: String...) {
            service = String(key.split(separator: ":").first ?? "")
            self.key = key
            self.path = MemberPath(path)
            self.operations = operations
        }
    }

    private static let rows: [Row] = [
        Row("cloudwatch:namespace", "Namespace", "PutMetricData"),
        Row("dynamodb:ReturnConsumedCapacity", "ReturnConsumedCapacity"), Row("dynamodb:ReturnValues", "ReturnValues"),
        Row("dynamodb:Select", "Select"),
        Row("events:detail-type", "Entries[].DetailType", "PutEvents"), Row("events:source", "Entries[].Source", "PutEvents"),
        Row("events:TargetArn", "Targets[].Arn", "PutTargets"),
        Row("kms:BypassPolicyLockoutSafetyCheck", "BypassPolicyLockoutSafetyCheck"), Row("kms:EncryptionAlgorithm", "EncryptionAlgorithm"),
        Row("kms:GranteePrincipal", "GranteePrincipal", "CreateGrant"), Row("kms:GrantOperations", "Operations[]", "CreateGrant"),
        Row("kms:KeyOrigin", "Origin", "CreateKey"), Row("kms:KeySpec", "KeySpec", "CreateKey"),
        Row("kms:KeyUsage", "KeyUsage", "CreateKey"), Row("kms:MacAlgorithm", "MacAlgorithm"), Row("kms:MessageType", "MessageType"),
        Row("kms:MultiRegion", "MultiRegion", "CreateKey"), Row("kms:RetiringPrincipal", "RetiringPrincipal", "CreateGrant"),
        Row("kms:ScheduleKeyDeletionPendingWindowInDays", "PendingWindowInDays", "ScheduleKeyDeletion"),
        Row("kms:SigningAlgorithm", "SigningAlgorithm"),
        Row("lambda:FunctionUrlAuthType", "FunctionUrlAuthType", "AddPermission"),
        Row("lambda:FunctionUrlAuthType", "AuthType", "CreateFunctionUrlConfig", "UpdateFunctionUrlConfig"),
        Row("lambda:Layer", "Layers[]", "CreateFunction", "UpdateFunctionConfiguration"),
        Row("lambda:Principal", "Principal", "AddPermission"),
        Row("lambda:SecurityGroupIds", "VpcConfig.SecurityGroupIds[]", "CreateFunction", "UpdateFunctionConfiguration"),
        Row("lambda:SubnetIds", "VpcConfig.SubnetIds[]", "CreateFunction", "UpdateFunctionConfiguration"),
        Row("secretsmanager:BlockPublicPolicy", "BlockPublicPolicy", "PutResourcePolicy"),
        Row("secretsmanager:Description", "Description", "CreateSecret", "UpdateSecret"),
        Row("secretsmanager:ForceDeleteWithoutRecovery", "ForceDeleteWithoutRecovery", "DeleteSecret"),
        Row("secretsmanager:KmsKeyId", "KmsKeyId", "CreateSecret", "UpdateSecret"), Row("secretsmanager:Name", "Name", "CreateSecret"),
        Row("secretsmanager:RecoveryWindowInDays", "RecoveryWindowInDays", "DeleteSecret"),
        Row("secretsmanager:RotationLambdaARN", "RotationLambdaARN", "RotateSecret"),
        Row("secretsmanager:SecretId", "SecretId"), Row("secretsmanager:VersionId", "VersionId"),
        Row("secretsmanager:VersionStage", "VersionStage"),
        Row("sns:Endpoint", "Endpoint", "Subscribe"), Row("sns:Protocol", "Protocol", "Subscribe"),
        Row("ssm:Overwrite", "Overwrite", "PutParameter"), Row("ssm:Recursive", "Recursive", "GetParametersByPath"),
    ]

    /// Returns the keys of the tags that a call sets or removes.
    private func tagKeys(_ input: CallInput) throws(UndecidableCall) -> [RequestKey] {
        var tags: [(key: String, value: String)] = []
        for list in ["Tags", "tags"] {
            if let map = input.document[list]?.objectValue {
                for (key, value) in map.members { tags.append((key, value.stringValue ?? "")) }
                continue
            }
            for (key, value) in [("Key", "Value"), ("TagKey", "TagValue"), ("key", "value")] {
                let elements = input.elements(of: list)
                for element in elements {
                    // An element with names of two services would be read differently by them.
                    guard let tag = element[key] else { continue }
                    guard element.keys.allSatisfy({ $0 == key || $0 == value }) else { throw .contradiction("Tags") }
                    tags.append((tag, element[value] ?? ""))
                }
            }
        }
        // Names of condition keys have no case, so tags that differ only in it are one key. Lists with several names are read in turn.
        var values = TextDictionary<String>()
        for tag in tags {
            let name = tag.key.lowercased()
            if let value = values[name], value != tag.value { throw .contradiction("Tags") }
            values[name] = tag.value
        }
        let removed = input.removedTags
        var keys = tags.map { RequestKey("aws:RequestTag/\($0.key)", [$0.value]) }
        let names = tags.map(\.key) + removed
        if !names.isEmpty { keys.append(RequestKey("aws:TagKeys", names)) }
        return keys
    }

    /// Returns the keys of the encryption context, and that of an alias. (KMS Developer Guide, "AWS KMS condition keys".)
    private func kmsKeys(_ input: CallInput) -> [RequestKey] {
        var keys: [RequestKey] = []
        if let context = input.document["EncryptionContext"]?.objectValue {
            for (key, value) in context.members { keys.append(RequestKey("kms:EncryptionContext:\(key)", [value.stringValue ?? ""])) }
            keys.append(RequestKey("kms:EncryptionContextKeys", context.names))
        }
        if let key = input.document["KeyId"]?.stringValue, let place = key.firstRange(of: "alias/") {
            keys.append(RequestKey("kms:RequestAlias", [String(key[place.lowerBound...])]))
        }
        return keys
    }
}

extension CallInput {
    /// The keys of tags that the call removes.
    fileprivate var removedTags: [String] {
        var keys: [String] = []
        for name in ["TagKeys", "tagKeys"] {
            keys += (document[name]?.arrayValue ?? []).compactMap(\.stringValue)
            for field in form.fields where field.name.hasPrefix("\(name).") { keys.append(field.value) }
        }
        // As SQS calls the list in the Query protocol.
        for field in form.fields where field.name.hasPrefix("TagKey.") { keys.append(field.value) }
        return keys + (repeated["tagKeys"] ?? [])
    }

    /// Returns the structures of a list, each with its members that are texts.
    fileprivate func elements(of list: String) -> [TextDictionary<String>] {
        if let elements = document[list]?.arrayValue {
            return elements.map { element in
                var members = TextDictionary<String>()
                for (name, value) in element.objectValue?.members ?? [] { members[name] = value.stringValue }
                return members
            }
        }
        var found: [TextDictionary<String>] = []
        var places = TextDictionary<Int>()
        // `Tags.member.1.Key`, or `Tag.1.Key` in SQS.
        for field in form.fields {
            let parts = field.name.split(separator: ".").map { String($0) }
            let isFlat = parts.count == 3 && parts[0] == (list == "Tags" ? "Tag" : list)
            guard isFlat || (parts.count == 4 && parts[0] == list), let name = parts.last else { continue }
            let place = parts[parts.count - 2]
            if places[place] == nil {
                places[place] = found.count
                found.append([:])
            }
            if let index = places[place] { found[index][name] = field.value }
        }
        return found
    }
}
