import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on users' SSH public keys for CodeCommit.
    static let publicKeys: [String: Operation] = [
        "UploadSSHPublicKey": .init(uploadPublicKey), "GetSSHPublicKey": .init(getPublicKey), "UpdateSSHPublicKey": .init(updatePublicKey),
        "DeleteSSHPublicKey": .init(deletePublicKey), "ListSSHPublicKeys": .init(listPublicKeys),
    ]

    /// The maximum number of keys of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    static let publicKeyQuota = 5

    private static func uploadPublicKey(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        let body = call.parameters.requiredText("SSHPublicKeyBody", length: 1...16_384, pattern: .policy)
        try call.parameters.check()
        let found: User = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags)
        let numbers = try SSHKeyText(body)
        let key = SSHPublicKey(
            id: try UniqueID.publicKey.make(), body: body, modulus: numbers.modulus, exponent: numbers.exponent, uploaded: call.now)
        try await call.perform { [account = call.account] directory throws(CredentialRefusal) in
            try directory.addPublicKey(key, of: name, in: account, limit: publicKeyQuota)
        }
        let clock = call.cloud.clock
        return { xml in xml.element("SSHPublicKey") { key.encode(into: &$0, of: found, as: key.body, clock) } }
    }

    private static func getPublicKey(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let encoding = call.parameters.requiredChoice("Encoding", of: ["SSH", "PEM"])
        let (user, id) = try named(&call)
        let key = try call.find(id, in: user.publicKeys)
        let text = SSHKeyText(modulus: key.modulus, exponent: key.exponent)
        let body = encoding == "SSH" ? text.ssh : try text.pem
        let clock = call.cloud.clock
        return { xml in xml.element("SSHPublicKey") { key.encode(into: &$0, of: user, as: body, clock) } }
    }

    private static func updatePublicKey(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let status = call.parameters.status()
        let (found, id) = try named(&call)
        try await call.setCredential(id, in: \.publicKeys, of: found, isActive: status == .active)
        return nil
    }

    private static func deletePublicKey(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let (found, id) = try named(&call)
        try await call.deleteCredential(id, in: \.publicKeys, of: found)
        return nil
    }

    private static func listPublicKeys(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.text("UserName", length: 1...64, pattern: .entityName)
        let part = try call.parameters.part()
        try call.parameters.check()
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        let page = try Page(of: user.publicKeys.sorted { $0.id < $1.id }, part, key: \.id)
        let clock = call.cloud.clock
        return { xml in
            page.encode("SSHPublicKeys", into: &xml) { key, xml in
                xml.element("UserName", user.name)
                xml.element("SSHPublicKeyId", key.id)
                xml.element("Status", CredentialStatus(isActive: key.isActive).rawValue)
                xml.element("UploadDate", clock.effective(key.uploaded).iso8601)
            }
        }
    }

    /// Returns the user and the key ID that a call names. Authorizes the call.
    private static func named(_ call: inout IAMCall) throws(ServiceError) -> (User, String) {
        let name = call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        let id = call.parameters.requiredText("SSHPublicKeyId", length: 20...128, pattern: .word)
        try call.parameters.check()
        let user: User = try call.found(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return (user, id)
    }
}

extension SSHPublicKey {
    fileprivate func encode(into xml: inout XMLWriter, of user: User, as body: String, _ clock: SandboxClock) {
        xml.element("UserName", user.name)
        xml.element("SSHPublicKeyId", id)
        xml.element("Fingerprint", SSHKeyText(modulus: modulus, exponent: exponent).fingerprint)
        xml.element("SSHPublicKeyBody", body)
        xml.element("Status", CredentialStatus(isActive: isActive).rawValue)
        xml.element("UploadDate", clock.effective(uploaded).iso8601)
    }
}
