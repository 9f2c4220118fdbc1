package import Policy
import WireFormats

/// The policies on a resource of a forwarded service, and its tags.
package struct ResourceAccess: Sendable {
    /// The policy of the resource; `nil` if it has none.
    package var policy: AttachedPolicy?
    /// The grants of a KMS key, each as a policy that only allows.
    package var grants: [AttachedPolicy]
    /// Why the policy cannot be read; `nil` if it can be, or if there is none. Access to such a resource cannot be decided.
    package var fault: String?
    /// The tags of the resource, if a policy reads them.
    package var tags: [Tag]
    /// Whether the upstream knows the resource, as far as the request for the policy shows it.
    package private(set) var exists = true

    /// Creates the policies on a resource; by default it has none.
    package init(policy: AttachedPolicy? = nil, grants: [AttachedPolicy] = [], fault: String? = nil, tags: [Tag] = []) {
        self.policy = policy
        self.grants = grants
        self.fault = fault
        self.tags = tags
    }

    /// Reads the policy of a resource.
    ///
    /// Its principals are compared by their ARNs: when the policy was saved is not known, and so not which user or role had an ARN then.
    /// - Parameters:
    ///   - text: the document; `nil` or empty if there is none.
    ///   - resource: the ARN, which is the label of the policy.
    ///   - isRequired: whether the policy must allow, as that of a key must.
    ///   - exists: whether the resource exists.
    package init(reading text: String?, of resource: String, isRequired: Bool = false, exists: Bool = true) {
        self.init()
        self.exists = exists
        guard let text, !text.isEmpty else { return }
        guard let json = try? JSONValue(parsing: text), var members = json.objectValue else {
            fault = "It is not a JSON object."
            return
        }
        // moto has such documents for resources without a policy.
        if members.isEmpty || members["Statement"]?.arrayValue?.isEmpty == true { return }
        if let statement = members["Statement"] {
            members["Statement"] = statement.arrayValue.map { .array($0.map(Self.stored)) } ?? Self.stored(statement)
        }
        do {
            let document = try PolicyDocument(json: .object(members), kind: .resource)
            policy = AttachedPolicy("policy of \(resource)", document, isRequired: isRequired)
        } catch {
            fault = "\(error)"
        }
    }

    /// Returns a statement as Lambda stores it. moto stores two members as `AddPermission` sends them.
    private static func stored(_ statement: JSONValue) -> JSONValue {
        guard var members = statement.objectValue else { return statement }
        if let principal = members["Principal"]?.stringValue, principal != "*" {
            members["Principal"] = ["AWS": PolicyDocument.accountARN(.string(principal))]
        }
        if let type = members["FunctionUrlAuthType"] {
            members["FunctionUrlAuthType"] = nil
            var conditions = members["Condition"]?.objectValue ?? JSONObject()
            var equals = conditions["StringEquals"]?.objectValue ?? JSONObject()
            equals["lambda:FunctionUrlAuthType"] = type
            conditions["StringEquals"] = .object(equals)
            members["Condition"] = .object(conditions)
        }
        return .object(members)
    }

    /// Returns the policy as it applies to an action. Some actions are never allowed to callers of other accounts, whatever the policy says.
    /// - Parameter crossesAccounts: whether the caller belongs to another account than the resource.
    func policyInForce(for action: String, crossesAccounts: Bool) -> AttachedPolicy? {
        guard let policy, crossesAccounts, Self.isForOwner(action) else { return policy }
        return policy.document.denials.map {
            AttachedPolicy(policy.label, $0, origin: policy.origin, isRequired: policy.isRequired)
        }
    }

    /// Returns whether only the resource's own account can be allowed an action.
    private static func isForOwner(_ action: String) -> Bool {
        if action.hasPrefix("kms:") { return !sharedByKeys.contains(String(action.dropFirst("kms:".count))) }
        return ownersOnly.contains(action)
    }

    /// Actions on queues that other accounts cannot be allowed. (SQS Developer Guide, "Basic examples of Amazon SQS policies": "Cross-account
    /// permissions don't apply to the following actions".)
    private static let ownersOnly = [
        "sqs:AddPermission", "sqs:CancelMessageMoveTask", "sqs:CreateQueue", "sqs:DeleteQueue", "sqs:ListMessageMoveTasks",
        "sqs:ListQueues", "sqs:ListQueueTags", "sqs:RemovePermission", "sqs:SetQueueAttributes", "sqs:StartMessageMoveTask",
        "sqs:TagQueue", "sqs:UntagQueue",
    ]

    /// Actions on keys that other accounts can be allowed. (KMS Developer Guide, "Allowing users in other accounts to use a KMS key".)
    private static let sharedByKeys = [
        "CreateGrant", "Decrypt", "DeriveSharedSecret", "DescribeKey", "Encrypt", "GenerateDataKey", "GenerateDataKeyPair",
        "GenerateDataKeyPairWithoutPlaintext", "GenerateDataKeyWithoutPlaintext", "GenerateMac", "GetKeyRotationStatus", "GetPublicKey",
        "ListGrants", "ReEncryptFrom", "ReEncryptTo", "RetireGrant", "RevokeGrant", "Sign", "Verify", "VerifyMac",
    ]
}
