import WireFormats

/// How calls of forwarded services are handled.
package struct GatewayRules: Sendable {
    /// Which services are forwarded, and to where.
    package var upstreams = Upstreams()
    /// Whether calls are forwarded whose permission is not known. They are signed and authenticated as others are.
    package var forwardsUnmapped = false
    /// The maximum size of a request body in bytes.
    package var bodyLimit = 64 << 20
    /// How long a call waits for an upstream that does not listen yet.
    package var wait = Duration.zero
    /// The memory of the request bodies of all sandboxes.
    package let budget: BodyBudget
    /// Whether the upstreams answer.
    package let health = UpstreamHealth()
    /// The policies of resources that were looked up.
    package let policies: KnownPolicies
    /// The shard iterators of all sandboxes: they share the upstreams.
    package let iterators = ShardIterators()

    /// The usual memory of request bodies in bytes.
    package static let usualBudget = 256 << 20

    /// - Parameters:
    ///   - budget: the memory of request bodies in bytes. The bodies of one client have half of it.
    ///   - policyAge: how long the policy of a resource is known before it is looked up again.
    package init(budget: Int = GatewayRules.usualBudget, policyAge: Duration = .seconds(5)) {
        self.budget = BodyBudget(limit: budget, share: budget / 2)
        policies = KnownPolicies(age: policyAge)
    }
}
