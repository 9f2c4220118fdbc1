import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension IAMFace {
    /// Operations of the policy simulator. (IAM API Reference, "SimulateCustomPolicy", "SimulatePrincipalPolicy".)
    static let simulation: [String: Operation] = [
        "SimulateCustomPolicy": .init(simulateCustomPolicy), "SimulatePrincipalPolicy": .init(simulatePrincipalPolicy),
        "GetContextKeysForCustomPolicy": .init(getContextKeysForCustomPolicy),
        "GetContextKeysForPrincipalPolicy": .init(getContextKeysForPrincipalPolicy),
    ]

    private static func simulateCustomPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let request = try SimulationRequest(&call.parameters)
        try call.authorize(on: "*")
        return try call.simulate(request, policies: [], boundary: nil, defaultCaller: nil)
    }

    private static func simulatePrincipalPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("PolicySourceArn", length: 20...2048, pattern: .arn)
        let exclusions = try PolicyExclusion.list(&call.parameters)
        let request = try SimulationRequest(&call.parameters)
        try call.authorize(on: arn)
        let source = try PolicySource(parameter: arn, account: call.account)
        let identity = try call.directory.identity(of: source)
        let policies = identity.policies.filter { policy in !exclusions.contains { $0.covers(policy) } }
        let (directory, account) = (call.directory, call.account)
        func simulated(_ policy: AttachedPolicy, _ kind: SimulatedPolicy.Kind) -> SimulatedPolicy {
            SimulatedPolicy(policy, kind: kind, in: directory, account: account)
        }
        return try call.simulate(
            request, policies: policies.map { simulated($0, .identity) },
            boundary: exclusions.contains(.boundary) ? nil : identity.boundary.map { simulated($0, .boundary) },
            defaultCaller: PolicySource(arn: identity.arn))
    }

    private static func getContextKeysForCustomPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let inputs = call.parameters.policies("PolicyInputList")
        try call.parameters.check()
        try call.authorize(on: "*")
        return try report(inputs, [])
    }

    private static func getContextKeysForPrincipalPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("PolicySourceArn", length: 20...2048, pattern: .arn)
        let inputs = call.parameters.policies("PolicyInputList")
        try call.parameters.check()
        try call.authorize(on: arn)
        let identity = try call.directory.identity(of: PolicySource(parameter: arn, account: call.account))
        return try report(inputs, identity.policies + (identity.boundary.map { [$0] } ?? []))
    }

    /// Returns the condition keys of all documents in order. A key is reported once for each document that uses it.
    private static func report(_ inputs: [String], _ held: [AttachedPolicy]) throws(ServiceError) -> QueryService.Result {
        var names: [String] = []
        do {
            for policy in held { names += try ContextKeyNames.names(in: policy.document.json) }
            for (index, text) in inputs.enumerated() {
                do {
                    names += try ContextKeyNames.names(in: text)
                } catch {
                    throw ServiceError.invalidInput("Policy input list item \(index + 1) has invalid content")
                }
            }
        } catch let error as ServiceError {
            throw error
        } catch {
            throw .invalidInput("\(error)")
        }
        return { [names] xml in
            xml.element("ContextKeyNames") { xml in
                for name in names { xml.element("member", name) }
            }
        }
    }
}

extension IAMCall {
    /// Evaluates all actions and resources of a simulation and returns the results.
    /// - Parameters:
    ///   - policies: the policies of the identity, which come before those that were passed.
    ///   - boundary: the identity's boundary, which a boundary in the request replaces.
    ///   - defaultCaller: the caller if the request names none.
    fileprivate func simulate(
        _ request: SimulationRequest, policies held: [SimulatedPolicy], boundary: SimulatedPolicy?, defaultCaller: PolicySource?
    ) throws(ServiceError) -> QueryService.Result {
        var policies = held
        for (index, text) in request.policyInputs.enumerated() {
            policies.append(
                try SimulatedPolicy(
                    text, sourceID: "PolicyInputList.\(index + 1)", kind: .identity,
                    fault: "Policy input list item \(index + 1) has invalid content"))
        }
        if let text = request.boundaryInputs.first {
            policies.append(
                try SimulatedPolicy(
                    text, sourceID: "PermissionsBoundaryPolicyInputList.1", kind: .boundary,
                    fault: "Permissions boundary policy input list item 1 has invalid content"))
        } else if let boundary {
            policies.append(boundary)
        }
        if let text = request.resourcePolicy {
            policies.append(
                try SimulatedPolicy(text, sourceID: "ResourcePolicy", kind: .resource, fault: "Resource policy has invalid content"))
        }
        var organization: [[SimulatedPolicy]] = []
        for (index, level) in request.organizationInputs.enumerated() {
            var policies: [SimulatedPolicy] = []
            for text in level {
                policies.append(
                    try SimulatedPolicy(
                        text, sourceID: "", kind: .identity, fault: "Organization policy at index \(index + 1) has invalid content"))
            }
            organization.append(policies)
        }
        let (caller, keys) = try simulatedCaller(request, defaultCaller)
        let simulator = Simulator(
            policies: policies, organization: organization, caller: caller, callerKeys: keys,
            owner: request.resourceOwner.flatMap(SimulationRequest.account) ?? caller.account ?? account, context: request.context)
        let wanted = request.actions.dropFirst(request.offset)
        let limit = request.limitOfPage
        let results = wanted.prefix(limit).map { action in
            SimulationResult(
                action: action,
                decisions: (request.resources.isEmpty ? ["*"] : request.resources).map { simulator.decision(on: action, $0) },
                namesResources: !request.resources.isEmpty)
        }
        let next = wanted.count > limit ? SimulationRequest.marker(after: request.offset + limit) : nil
        return { xml in
            xml.element("EvaluationResults") { xml in
                for result in results { xml.element("member") { result.encode(into: &$0) } }
            }
            xml.element("IsTruncated", next != nil)
            if let next { xml.element("Marker", next) }
        }
    }

    /// Returns the principal of the simulation, and the condition keys that follow from it, by lowercased name.
    private func simulatedCaller(
        _ request: SimulationRequest, _ defaultCaller: PolicySource?
    ) throws(ServiceError) -> (Principal, [String: String]) {
        var source = defaultCaller
        if let arn = request.callerARN {
            source = PolicySource(arn: arn)
            guard source != nil else { throw .invalidInput("Invalid caller - Caller must be an IAM user, role or group in this context.") }
        }
        guard let source else {
            guard request.resourcePolicy == nil else { throw .invalidInput("Invalid caller - Caller cannot be null or empty.") }
            let stub = "STUB_PRINCIPAL_FOR_POLICY_SIMULATOR"
            return (Principal(.user(arn: stub, id: stub), account: account), ["aws:userid": stub])
        }
        var keys = ["aws:userid": source.arn, "aws:principalarn": source.arn]
        switch source.holder {
        case .user, .group:
            if source.holder == .user { keys["aws:username"] = source.name }
            let id = directory.user(arn: source.arn)?.user.id ?? source.arn
            return (Principal(.user(arn: source.arn, id: id), account: source.account), keys)
        case .role:
            let id = directory.role(arn: source.arn)?.role.id ?? source.arn
            return (
                Principal(.assumedRole(roleARN: source.arn, roleID: id, sessionARN: source.arn), account: source.account), keys
            )
        }
    }
}
