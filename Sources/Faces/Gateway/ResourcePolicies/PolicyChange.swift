import WireFormats

/// Which operations create resources, or change the policies on them.
enum PolicyChange {
    /// Returns whether an operation creates the resource that it names, so that there is no policy on it yet.
    static func isCreation(_ operation: String, of service: String) -> Bool { creations[service]?.contains(operation) ?? false }

    /// Returns whether an operation sets, changes or removes policies or grants.
    static func isMade(by operation: String, of service: String) -> Bool {
        isCreation(operation, of: service) || (changes[service]?.contains(operation) ?? false)
    }

    private static let creations: TextDictionary<[String]> = [
        "dynamodb": ["CreateTable"],
        "kms": ["CreateKey"],
        "lambda": ["CreateFunction"],
        "secretsmanager": ["CreateSecret"],
        "sns": ["CreateTopic"],
        "sqs": ["CreateQueue"],
    ]

    private static let changes: TextDictionary<[String]> = [
        "dynamodb": [
            "DeleteResourcePolicy", "DeleteTable", "ImportTable", "PutResourcePolicy", "RestoreTableFromBackup",
            "RestoreTableToPointInTime",
        ],
        "kms": ["CreateGrant", "PutKeyPolicy", "ReplicateKey", "RetireGrant", "RevokeGrant"],
        "lambda": ["AddPermission", "CreateAlias", "DeleteAlias", "DeleteFunction", "PublishVersion", "RemovePermission"],
        "secretsmanager": ["DeleteResourcePolicy", "DeleteSecret", "PutResourcePolicy", "RestoreSecret"],
        "sns": ["AddPermission", "DeleteTopic", "RemovePermission", "SetTopicAttributes"],
        "sqs": ["AddPermission", "DeleteQueue", "RemovePermission", "SetQueueAttributes"],
    ]
}
