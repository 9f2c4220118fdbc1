package import Policy
package import WireFormats

/// One question to the authorizer: may this caller perform this action on this resource?
package struct AccessRequest: Sendable {
    /// Who makes the request.
    package var caller: Caller
    /// `s3:GetObject`
    package var action: String
    /// An ARN, or `*`.
    package var resource: String
    /// The account that owns the resource.
    package var resourceAccount: String
    /// The policy of the resource, such as a bucket policy, or `nil` if it has none.
    package var resourcePolicy: AttachedPolicy?
    /// What lists of access control grant, each as a policy.
    package var lists: [AttachedPolicy]
    /// Condition keys of the operation itself, such as `s3:prefix`.
    package var keys: [OperationKey]
    /// Further condition keys of the operation, asked for by lower-cased name when a policy reads them.
    package var operationKeys: (@Sendable (String) -> ConditionValues?)?
    /// What the request brings for condition keys.
    package var facts: RequestFacts
    /// Keys that somebody who only asks what would be decided takes to be so; they go before what the request has.
    package var assumed: [String: ConditionValues] = [:]

    package init(
        caller: Caller, action: String, resource: String, resourceAccount: String, resourcePolicy: AttachedPolicy? = nil,
        lists: [AttachedPolicy] = [], keys: [OperationKey] = [],
        operationKeys: (@Sendable (String) -> ConditionValues?)? = nil, facts: RequestFacts
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
    }
}

/// A condition key that an operation sets, with its values.
package typealias OperationKey = (name: String, value: String)

/// What policies can ask about the transport of a request. Looked at only when a policy asks.
package struct RequestFacts: Sendable {
    /// When the request arrived, by the sandbox's clock.
    package var time: Timestamp
    /// Whether the request came over TLS.
    package var isSecure: Bool
    /// The `User-Agent` field.
    package var userAgent: String?
    /// The `Referer` field.
    package var referer: String?
    /// The region that the request is signed for, if it is.
    package var region: String
    /// Returns the client's address. It is only called if a policy asks for it.
    package var sourceIP: @Sendable () -> String

    package init(
        time: Timestamp, isSecure: Bool, userAgent: String?, referer: String? = nil, region: String,
        sourceIP: @escaping @Sendable () -> String
    ) {
        self.time = time
        self.isSecure = isSecure
        self.userAgent = userAgent
        self.referer = referer
        self.region = region
        self.sourceIP = sourceIP
    }
}
