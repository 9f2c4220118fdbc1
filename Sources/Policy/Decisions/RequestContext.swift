/// Everything about a request that policies can speak of.
package struct RequestContext: Sendable {
    /// The action with its prefix, `s3:GetObject`; compared without regard to case.
    package var action: String
    /// The ARN of the resource, or `*` for an action that has none.
    package var resource: String
    /// Who asks.
    package var principal: Principal
    /// The account that owns the resource; it decides whether the request crosses accounts.
    package var resourceAccount: String
    /// The values that Condition elements and policy variables see.
    package var keys: ConditionKeys

    package init(action: String, resource: String, principal: Principal, resourceAccount: String, keys: ConditionKeys = ConditionKeys()) {
        self.action = action
        self.resource = resource
        self.principal = principal
        self.resourceAccount = resourceAccount
        self.keys = keys
    }
}
