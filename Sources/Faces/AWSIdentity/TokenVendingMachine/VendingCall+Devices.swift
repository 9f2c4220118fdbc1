import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension VendingCall {
    /// `/registerdevice` of the anonymous machine: a device registers its identifier and the key that it has generated.
    func registerDevice() async throws -> Response {
        let parameters = try await parameters()
        let uid = try parameters.required("uid")
        let key = try parameters.required("key")
        guard VendingDevice.isLongEnough(uid), VendingDevice.isLongEnough(key) else { throw VendingRefusal(.badRequest) }
        try await enter("RegisterDevice", as: nil)
        let isNew = try await cloud.edit { directory in
            guard directory.vending.device(uid, of: .anonymous) == nil else { return false }
            directory.put(.vending(.device(VendingDevice(machine: .anonymous, uid: uid, key: key))))
            return true
        }
        guard isNew else { throw VendingRefusal(.conflict) }
        return answer(nil)
    }

    /// `/gettoken` of both machines: returns credentials, encrypted with the device's key.
    func getToken() async throws -> Response {
        let parameters = try await parameters()
        let uid = try parameters.required("uid")
        let signature = try parameters.required("signature")
        let timestamp = try parameters.required("timestamp")
        try check(timestamp: timestamp)
        guard let device = vending.device(uid, of: machine.kind),
            VendingSignature.isValid(signature, of: timestamp, key: device.key)
        else { throw VendingRefusal(.unauthorized) }
        var name = device.uid
        if machine.kind == .identity {
            // A user may have been deleted while a device still exists.
            guard let user = device.userID.flatMap({ vending.user(id: $0) }) else { throw VendingRefusal(.internalServerError) }
            name = user.name
        }
        try await enter("GetToken", as: name)
        try await applyFaults(asking: name)
        guard let text = try? federate(name), let body = try? text.encrypted(under: device.key) else {
            throw VendingRefusal(.internalServerError)
        }
        return answer(body)
    }

    /// The duration that the machines request, in seconds.
    private static let duration = 86_400

    /// Applies errors on demand of STS to the machine's own call of GetFederationToken.
    /// - Throws: the machines' only error for a failed call of STS.
    private func applyFaults(asking name: String) async throws {
        guard cloud.faults.isArmed, let stsCaller = machine.stsCaller(in: cloud.directory) else { return }
        let federated = Caller.FederatedUser(name: name, account: machine.account, user: nil)
        let call = FaultableCall(service: "sts", action: "GetFederationToken", caller: stsCaller.arn, resources: [federated.arn])
        guard case .answered = try await http.applyFaults(calling: call) else { throw VendingRefusal(.internalServerError) }
    }

    /// Calls GetFederationToken with the machine's policy for a user or device. A call that STS would reject fails here, too.
    /// - Throws: `ServiceError`, `VendingRefusal`, or an error of the random number generator.
    private func federate(_ name: String) throws -> VendedText {
        let directory = cloud.directory
        guard let stsCaller = machine.stsCaller(in: directory) else { throw VendingRefusal(.internalServerError) }
        let policy = machine.policy(for: name)
        var parameters = QueryParameters(["Name": name, "Policy": policy])
        _ = parameters.requiredText("Name", length: 2...32, pattern: .name)
        _ = parameters.text("Policy", length: 1...2048, pattern: .policy)
        try parameters.check()
        let federated = Caller.FederatedUser(name: name, account: machine.account, user: nil)
        let verdict = http.authorize(stsCaller, "sts:GetFederationToken", on: federated.arn, ownedBy: machine.account)
        guard verdict.decision.isAllowed else { throw VendingRefusal(.internalServerError) }
        let policies = try SessionPolicies(
            document: policy, arns: [], account: machine.account, directory: directory, known: sessions.policies)
        let (credentials, token) = try sessions.mint(
            for: .federatedUser(name: name, account: machine.account, creator: stsCaller.creator), duration: Self.duration
        ) { policies.apply(to: &$0) }
        return VendedText(
            accessKey: credentials.accessKeyID, secretKey: credentials.secretAccessKey, securityToken: token, expires: credentials.expires)
    }
}

extension VendingMachine {
    /// Returns the caller with whose credentials the machine calls STS; `nil` if it does not exist any more.
    fileprivate func stsCaller(in directory: Directory) -> Caller? {
        guard let user else { return directory.accounts[account].map { .root($0, nil) } }
        return directory.user(user, in: account).map { .user($0, nil) }
    }
}
