import Calls
import Federation
import HTTPTypes
import Policy
import RequestSigning
import ServiceModels
import WireFormats

extension GatewayFace {
    /// The most resources of one call that are looked up. Batches of Secrets Manager have at most 20.
    static let mostLookUps = 100

    /// Looks up the resources of a call that only the service knows. Nothing is kept, so that an alias counts from the moment it moves.
    func names(
        of permissions: [RequiredPermission], for call: ForwardedCall, _ signer: GatewaySigner
    ) async throws -> ResolvedNames {
        var names = ResolvedNames()
        for permission in permissions where !names.contains(permission.resource) {
            guard let lookUp = LookUp(permission.resource) else { continue }
            guard names.count < Self.mostLookUps else {
                throw Refusal.malformed("Virga looks up at most \(Self.mostLookUps) resources of a call.", in: call.wire)
            }
            let text = try await find(lookUp, for: call, signer)
            names.add(permission.resource, text ?? lookUp.absent)
        }
        return names
    }

    /// Returns the condition keys that a call sets.
    /// - Parameter access: the policies on the resources.
    func keys(
        of call: ForwardedCall, _ input: CallInput, _ permissions: [RequiredPermission], _ access: TextDictionary<ResourceAccess>,
        _ signer: GatewaySigner
    ) async throws -> [RequestKey] {
        let partitionKey = try await partitionKey(of: permissions, access, for: call, signer)
        let scope = CallScope(region: signer.region, account: signer.account)
        do {
            return try call.service.keys(for: call.operation, input, partitionKey: partitionKey, in: scope)
        } catch {
            throw Refusal.undecidable(error, operation: call.operation.name, of: call.service.name, in: call.wire)
        }
    }

    /// Returns the partition key of the tables of a call, if a policy reads `dynamodb:LeadingKeys`: it is not needed otherwise.
    private func partitionKey(
        of permissions: [RequiredPermission], _ access: TextDictionary<ResourceAccess>, for call: ForwardedCall, _ signer: GatewaySigner
    ) async throws -> String? {
        guard call.service.name == "dynamodb" else { return nil }
        let policies = signer.caller.policies
        var read = policies.conditionKeys + policies.scopes.flatMap(\.document.conditionKeys)
        for (_, found) in access { read += found.policy?.document.conditionKeys ?? [] }
        let isPartiQL = permissions.contains { $0.action.hasPrefix("dynamodb:PartiQL") }
        for key in read.lazy.map(\.lowercasedASCII) where key == "dynamodb:leadingkeys" || isPartiQL && key == "dynamodb:attributes" {
            guard !isPartiQL else { throw undecidable(key, call) }
            var found: [String] = []
            for lookUp in LookUp.partitionKeys(of: permissions) {
                guard let name = try await find(lookUp, for: call, signer) else { continue }
                if !found.contains(name) { found.append(name) }
            }
            guard found.count < 2 else { throw undecidable(key, call) }
            return found.first
        }
        return nil
    }

    private func undecidable(_ key: String, _ call: ForwardedCall) -> Refusal {
        .undecidable(.unknownKey(key), operation: call.operation.name, of: call.service.name, in: call.wire)
    }

    /// Looks up a resource at the upstream of the call.
    /// - Returns: `nil` if it does not exist.
    private func find(_ lookUp: LookUp, for call: ForwardedCall, _ signer: GatewaySigner) async throws -> String? {
        let answer = try await client.ask(lookUp.request, account: lookUp.owner ?? signer.account, region: signer.region, call.place)
        if answer.isSuccessful { return lookUp.result(in: answer.json) }
        // Only what does not exist is decided by the name that the caller wrote.
        guard answer.json["__type"]?.stringValue?.contains("NotFound") == true else {
            throw UpstreamFailure("\(lookUp.target) was answered with \(answer.status.code)")
        }
        return nil
    }
}
