import Calls
import Federation
import Policy
import ServiceModels
import WireFormats

extension GatewayFace {
    /// Returns the policies on the resources that permissions are about, by the text of the resource. Those that are not known are looked up.
    ///
    /// A policy that cannot be read ends the call, unless the call changes policies: otherwise such a policy could not be replaced.
    func access(
        to permissions: [RequiredPermission], named names: ResolvedNames, for call: ForwardedCall, _ signer: GatewaySigner
    ) async throws -> TextDictionary<ResourceAccess> {
        var found = TextDictionary<ResourceAccess>()
        let policies = signer.caller.policies
        let readsTags = Self.readsTags(policies.conditionKeys + policies.scopes.flatMap(\.document.conditionKeys))
        let (operation, service) = (call.operation.name, call.service.name)
        if PolicyChange.isCreation(operation, of: service) { return found }
        for permission in permissions {
            let resource = names.text(of: permission.resource)
            guard found[resource] == nil, let lookUp = ResourceLookUp(resource), lookUp.service == service else { continue }
            guard found.count < Self.mostLookUps else {
                throw Refusal.malformed("Virga looks up at most \(Self.mostLookUps) resources of a call.", in: call.wire)
            }
            var access = try await reader.access(by: lookUp, call.place)
            if let fault = access.fault, !PolicyChange.isMade(by: operation, of: service) {
                throw Refusal.unreadablePolicy(of: resource, fault, operation: operation, of: service, in: call.wire)
            }
            if readsTags || Self.readsTags(access.policy?.document.conditionKeys ?? []) {
                access.tags = try await reader.tags(by: lookUp, call.place)
            }
            found[resource] = access
        }
        return found
    }

    /// Whether a policy reads the tags of resources. They are not looked up otherwise.
    private static func readsTags(_ keys: [String]) -> Bool { keys.contains { $0.lowercasedASCII.hasPrefix("aws:resourcetag/") } }

    /// Returns the account that a call acts on, which the upstream sees as the caller's: an upstream looks for resources in one account.
    func account(
        of permissions: [RequiredPermission], named names: ResolvedNames, in call: ForwardedCall, _ signer: GatewaySigner
    ) throws(Refusal) -> String {
        var found: [String] = []
        for permission in permissions where !permission.action.hasPrefix("iam:") {
            let owner = names.text(of: permission.resource).accountInARN ?? signer.account
            if !found.contains(owner) { found.append(owner) }
        }
        guard found.count < 2 else {
            throw .severalAccounts(operation: call.operation.name, of: call.service.name, in: call.wire)
        }
        return found.first ?? signer.account
    }
}
