package import Cloud
package import Policy
package import WireFormats

/// A question to the authorizer: whether a caller may perform an action on a resource.
package struct AccessRequest: Sendable {
    /// The caller that makes the request.
    package var caller: Caller
    /// The action, such as `s3:GetObject`.
    package var action: String
    /// The ARN of the resource, or `*`.
    package var resource: String
    /// The account that owns the resource.
    package var resourceAccount: String
    /// The policy of the resource, such as a bucket policy, or `nil` if it has none.
    package var resourcePolicy: AttachedPolicy?
    /// The grants of the ACLs, each as a policy.
    package var lists: [AttachedPolicy]
    /// Condition keys of the operation itself, such as `s3:prefix`.
    package var keys: [OperationKey]
    /// Further condition keys of the operation, looked up by lower-cased name when a policy reads them.
    package var operationKeys: (@Sendable (String) -> ConditionValues?)?
    /// The facts of the request from which condition keys are computed.
    package var facts: RequestFacts
    /// Condition keys that a hypothetical request assumes; they override those of the request.
    package var assumed: [String: ConditionValues]

    package init(
        caller: Caller, action: String, resource: String, resourceAccount: String, resourcePolicy: AttachedPolicy? = nil,
        lists: [AttachedPolicy] = [], keys: [OperationKey] = [],
        operationKeys: (@Sendable (String) -> ConditionValues?)? = nil, facts: RequestFacts, assumed: [String: ConditionValues] = [:]
    ) {
        self.caller = caller
        self.action = action
        self.resource = resource
        self.resourceAccount = resourceAccount
        self.resourcePolicy = resourcePolicy
        self.lists = lists
        self.keys = keys
        self.operationKeys = operationKeys
        self.facts = facts
        self.assumed = assumed
    }
}

/// A condition key that an operation sets, with its values.
package typealias OperationKey = (name: String, value: String)

/// The transport properties of a request that policies can test. They are read only when a policy needs them.
package struct RequestFacts: Sendable {
    /// When the request arrived, by the sandbox's clock.
    package var time: Timestamp
    /// The agings of the sandbox at that time, which the times of the caller's session have. A copy, because the journal keeps the decision
    /// and must explain it as it was made.
    package var ages: [SandboxClock.Age]
    /// Whether the request uses TLS.
    package var isSecure: Bool
    /// The `User-Agent` header.
    package var userAgent: String?
    /// The `Referer` header.
    package var referer: String?
    /// The region that the request is signed for, or the default region of the service.
    package var region: String
    /// Returns the client's address; `nil` if it cannot be known. It is called only if a policy reads it.
    package var sourceIP: @Sendable () -> String?

    package init(
        time: Timestamp, ages: [SandboxClock.Age] = [], isSecure: Bool, userAgent: String?, referer: String? = nil, region: String,
        sourceIP: @escaping @Sendable () -> String?
    ) {
        self.time = time
        self.ages = ages
        self.isSecure = isSecure
        self.userAgent = userAgent
        self.referer = referer
        self.region = region
        self.sourceIP = sourceIP
    }
}
