/// An error that was asked for: which calls it strikes, how often, and what becomes of them.
///
/// Patterns take `*` for any characters and `?` for one; those of service and action regardless of case. An absent one fits every
/// call, and a call whose caller or resource is not known fits no pattern for it.
package struct FaultRule: Sendable, Equatable {
    /// What the struck call is answered.
    package struct Failure: Sendable, Equatable {
        /// The wire code, in the words of AWS or of the provider.
        package var code: String
        /// `nil` if the service's own counts.
        package var status: Int?
        /// `nil` if the service's own counts.
        package var message: String?

        package init(code: String, status: Int? = nil, message: String? = nil) {
            self.code = code
            self.status = status
            self.message = message
        }
    }

    /// Where a connection is dropped.
    package enum Drop: String, Sendable, CaseIterable {
        /// When the call has been read: nothing is done.
        case request
        /// When the call has been carried out: its answer is lost.
        case answer
        /// In the middle of the answer's content.
        case body
    }

    /// A name for people; the rule's identifier is made of its number.
    package var name: String?
    /// `s3`, `sts`, `iam`, `tvm`, `appserver`, …, or the name of an identity provider.
    package var service: String?
    /// The operation as the journal names it.
    package var action: String?
    /// The caller's ARN, or the name by which the journal has them.
    package var caller: String?
    /// An ARN, or a path.
    package var resource: String?
    /// The error to answer with, or `nil` if the call is only delayed or dropped.
    package var failure: Failure?
    /// Where the connection is dropped, or `nil` if it is not.
    package var drop: Drop?
    /// The delay before the call is answered.
    package var latency: Duration
    /// How many calls it strikes; `nil` for all.
    package var times: Int?
    /// Of the calls that fit, the share that is struck, from 0 to 1.
    package var probability: Double
    /// What the chance is drawn from: the same seed strikes the same calls.
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

    /// Whether the call comes to an end by it, rather than being late alone.
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

/// A call as the rules see it.
package struct FaultableCall: Sendable {
    /// The service, as in rules.
    package var service: String
    /// The operation, as in rules.
    package var action: String
    /// `nil` if nobody is known.
    package var caller: String?
    /// All names of what the call is about: ARNs and paths.
    package var resources: [String]

    package init(service: String, action: String, caller: String? = nil, resources: [String] = []) {
        self.service = service
        self.action = action
        self.caller = caller
        self.resources = resources
    }
}

/// A rule and what has become of it.
package struct StandingFault: Sendable, Equatable {
    /// The identifier by which it can be removed.
    package let id: String
    /// What happens to which calls.
    package let rule: FaultRule
    /// Calls that fitted.
    package internal(set) var met = 0
    /// Calls that were struck.
    package internal(set) var struck = 0

    init(id: String, rule: FaultRule) {
        self.id = id
        self.rule = rule
    }

    /// Whether it may strike again.
    package var isLive: Bool { rule.times.map { struck < $0 } ?? true }

    /// Counts a call that fits, and says whether it is struck.
    mutating func meet() -> Bool {
        met += 1
        guard rule.probability >= 1 || chance(of: met) < rule.probability else { return false }
        struck += 1
        return true
    }

    /// The n-th number that the seed gives, from 0 to 1: SplitMix64, as a function of its position.
    private func chance(of position: Int) -> Double {
        var bits = rule.seed &+ UInt64(position) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }
}
