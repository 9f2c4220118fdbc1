import Cloud

/// A rule of a cloud, and how often it was applied when it was read.
public struct ActiveFault: Sendable, Identifiable {
    /// The identifier, with which the rule is removed.
    public let id: String
    /// The name for people, if the rule has one.
    public let name: String?
    /// The number of requests that matched.
    public let matched: Int
    /// The number of requests that the rule was applied to.
    public let applied: Int
    /// Whether the rule can apply to further requests.
    public let isActive: Bool

    init(_ fault: StandingFault) {
        id = fault.id
        name = fault.rule.name
        matched = fault.met
        applied = fault.struck
        isActive = fault.isLive
    }
}

extension RunningCloud {
    /// The rules of a cloud that make requests fail.
    public struct Faults: Sendable {
        let cloud: RunningCloud

        /// Adds a rule, which takes effect with the next request.
        ///
        /// ```swift
        /// try await cloud.faults.add(service: "s3", action: "Put*", error: "SlowDown", times: 2)
        /// ```
        /// - Parameters:
        ///   - service: a pattern for the service: `s3`, `sts`, `iam`, …, or the name of an identity provider.
        ///   - action: a pattern for the operation, such as `Put*`.
        ///   - caller: the caller. A rule for `.anonymous` matches no request: requests without a caller match rules without one.
        ///   - resource: a pattern for the ARN or path of the resource.
        ///   - error: the error that the client receives.
        ///   - connection: where the connection is closed.
        ///   - latency: the delay before the response, at most an hour.
        ///   - times: how many requests the rule applies to.
        ///   - probability: the fraction of the matching requests that the rule applies to.
        /// - Throws: ``CloudError`` if the rule is not valid.
        @discardableResult
        public func add(
            service: String? = nil, action: String? = nil, caller: Caller = .anyone, resource: String? = nil,
            error: Fault.ServiceError? = nil, connection: Fault.Connection? = nil, latency: Duration = .zero, times: Fault.Repetition = 1,
            probability: Double = 1
        ) async throws -> ActiveFault {
            try await add(
                Fault(
                    service: service, action: action, caller: caller, resource: resource, error: error, connection: connection,
                    latency: latency, times: times, probability: probability))
        }

        /// Adds a rule, which takes effect with the next request.
        /// - Throws: ``CloudError`` if the rule is not valid.
        @discardableResult
        public func add(_ fault: Fault) async throws -> ActiveFault {
            try await cloud.withSandbox { sandbox in
                do throws(FaultRuleError) {
                    try fault.rule.check()
                } catch {
                    throw CloudError(error)
                }
                return ActiveFault(sandbox.faults.add(fault.rule))
            }
        }

        /// Returns the rules with their present counts, in the order in which they were added.
        /// - Throws: ``CloudError``.
        public func list() async throws -> [ActiveFault] {
            try await cloud.withSandbox { $0.faults.all.map { ActiveFault($0) } }
        }

        /// Removes a rule.
        /// - Throws: ``CloudError`` if the cloud does not have it, as after a restore.
        public func remove(_ fault: ActiveFault) async throws {
            try await cloud.withSandbox { sandbox in
                guard sandbox.faults.remove(fault.id) else {
                    throw CloudError(.unknownFault, "The cloud has no rule '\(fault.id)'. It was removed, or the cloud was restored.")
                }
            }
        }

        /// Removes every rule.
        /// - Throws: ``CloudError``.
        public func removeAll() async throws { try await cloud.withSandbox { $0.faults.removeAll() } }
    }
}
