import WireFormats

/// A rule for errors on demand: the calls that it applies to, how often, and its effect.
///
/// In patterns, `*` matches any characters and `?` matches one. Patterns for service and action ignore case. A missing pattern matches
/// every call. A call without a known caller or resource does not match a pattern for it.
package struct FaultRule: Sendable, Equatable {
    /// The error that a call receives.
    package struct Failure: Sendable, Equatable {
        /// The error code of AWS or of the identity provider.
        package var code: String
        /// The HTTP status code; `nil` for the usual status of the code.
        package var status: Int?
        /// The message; `nil` for the usual message of the code.
        package var message: String?

        package init(code: String, status: Int? = nil, message: String? = nil) {
            self.code = code
            self.status = status
            self.message = message
        }
    }

    /// The point at which the connection is closed.
    package enum Drop: String, Sendable, CaseIterable {
        /// After the request was received, before it is processed.
        case request
        /// After the request was processed: the response is lost.
        case answer
        /// In the middle of the response body.
        case body
    }

    /// A descriptive name. The rule's identifier is derived from its number instead.
    package var name: String?
    /// A pattern for the service: `s3`, `sts`, `iam`, `tvm`, `appserver`, …, or the name of an identity provider.
    package var service: String?
    /// A pattern for the operation, as in the journal.
    package var action: String?
    /// A pattern for the caller: its ARN, or its name in the journal.
    package var caller: String?
    /// A pattern for the resource: its ARN or path.
    package var resource: String?
    /// The error to return, or `nil` if the call is only delayed or dropped.
    package var failure: Failure?
    /// Where the connection is closed, or `nil` if it is not.
    package var drop: Drop?
    /// The delay before the response.
    package var latency: Duration
    /// The maximum number of calls that the rule applies to; `nil` for all calls.
    package var times: Int?
    /// The fraction of matching calls that the rule applies to, from 0 to 1.
    package var probability: Double
    /// The seed of the random choice. The same seed selects the same calls.
    package var seed: UInt64

    package init(
        name: String? = nil, service: String? = nil, action: String? = nil, caller: String? = nil, resource: String? = nil,
        failure: Failure? = nil, drop: Drop? = nil, latency: Duration = .zero, times: Int? = 1, probability: Double = 1,
        seed: UInt64 = 0
    ) {
        self.name = name
        self.service = service
        self.action = action
        self.caller = caller
        self.resource = resource
        self.failure = failure
        self.drop = drop
        self.latency = latency
        self.times = times
        self.probability = probability
        self.seed = seed
    }

    /// Whether the rule ends the call, instead of only delaying it.
    var isFinal: Bool { failure != nil || drop != nil }

    func fits(_ call: FaultableCall) -> Bool {
        guard service.map({ Wildcard($0, ignoresCase: true).matches(call.service) }) ?? true,
            action.map({ Wildcard($0, ignoresCase: true).matches(call.action) }) ?? true
        else { return false }
        if let caller {
            guard let known = call.caller, Wildcard(caller).matches(known) else { return false }
        }
        guard let resource else { return true }
        return call.resources.contains { Wildcard(resource).matches($0) }
    }
}

/// The properties of a call that rules are matched with.
package struct FaultableCall: Sendable {
    /// The service, as in rules.
    package var service: String
    /// The operation, as in rules.
    package var action: String
    /// The caller; `nil` if it is not known.
    package var caller: String?
    /// All names of the call's resources: ARNs and paths.
    package var resources: [String]

    package init(service: String, action: String, caller: String? = nil, resources: [String] = []) {
        self.service = service
        self.action = action
        self.caller = caller
        self.resources = resources
    }
}

/// A rule with its counters.
package struct StandingFault: Sendable, Equatable {
    /// The identifier for the removal of the rule.
    package let id: String
    /// The rule.
    package let rule: FaultRule
    /// The number of calls that matched.
    package internal(set) var met = 0
    /// The number of calls that the rule was applied to.
    package internal(set) var struck = 0

    init(id: String, rule: FaultRule) {
        self.id = id
        self.rule = rule
    }

    /// Whether the rule can still apply to a call.
    package var isLive: Bool { rule.times.map { struck < $0 } ?? true }

    /// Counts a matching call, and returns whether the rule applies to it.
    mutating func meet() -> Bool {
        met += 1
        guard rule.probability >= 1 || chance(of: met) < rule.probability else { return false }
        struck += 1
        return true
    }

    /// Returns the n-th random number of the seed, from 0 to 1: SplitMix64 as a function of the position.
    private func chance(of position: Int) -> Double {
        var bits = rule.seed &+ UInt64(position) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }
}
