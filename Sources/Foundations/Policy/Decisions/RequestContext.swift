/// Everything about a request that policies can refer to.
package struct RequestContext: Sendable {
    /// The action with its prefix, such as `s3:GetObject`; case-insensitive.
    package var action: String
    /// The ARN of the resource, or `*` for an action that has none.
    package var resource: String
    /// The principal that makes the request.
    package var principal: Principal
    /// The account that owns the resource; it decides whether the request crosses accounts.
    package var resourceAccount: String
    /// The values for Condition elements and policy variables.
    package var keys: ConditionKeys
    /// Whether an outcome that depends on a value that is not known favors the request: statements that allow apply, and those that deny do
    /// not. A request that is denied even so is denied whatever the values are.
    package var favorsUnknown = false

    package init(action: String, resource: String, principal: Principal, resourceAccount: String, keys: ConditionKeys = ConditionKeys()) {
        self.action = action
        self.resource = resource
        self.principal = principal
        self.resourceAccount = resourceAccount
        self.keys = keys
    }
}
