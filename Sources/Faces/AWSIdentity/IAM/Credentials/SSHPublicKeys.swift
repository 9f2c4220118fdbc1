import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on users' SSH public keys for CodeCommit.
    static let publicKeys: [String: Operation] = [
        "UploadSSHPublicKey": .authorized(members: userAndBody, on: { try $1.found($0.user) }, uploadPublicKey),
        "GetSSHPublicKey": .authorized(members: keyAndEncoding, on: { try $1.found($0.key.user) }, getPublicKey),
        "UpdateSSHPublicKey": .authorized(members: keyAndStatus, on: { try $1.found($0.key.user) }, updatePublicKey),
        "DeleteSSHPublicKey": .authorized(members: key, on: { try $1.found($0.user) }, deletePublicKey),
        "ListSSHPublicKeys": .authorized(members: { try userAndPage(&$0) }, on: { try $1.user($0.user) }, listPublicKeys),
    ]

    /// The maximum number of keys of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    static let publicKeyQuota = 5

    private static func uploadPublicKey(
        _ members: (user: String, body: String), _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let (name, body) = members
        let numbers = try SSHKeyText(body)
        let key = SSHPublicKey(
            id: try UniqueID.publicKey.make(), body: body, modulus: numbers.modulus, exponent: numbers.exponent, uploaded: call.now)
        try await call.perform { [account = call.account] directory throws(CredentialRefusal) in
            try directory.addPublicKey(key, of: name, in: account, limit: publicKeyQuota)
        }
        let clock = call.cloud.clock
        return { xml in xml.element("SSHPublicKey") { key.encode(into: &$0, of: found, as: key.body, clock) } }
    }

    private static func getPublicKey(
        _ members: (encoding: String, key: Key), _ user: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let key = try call.find(members.key.id, in: user.publicKeys)
        let text = SSHKeyText(modulus: key.modulus, exponent: key.exponent)
        let body = members.encoding == "SSH" ? text.ssh : try text.pem
        let clock = call.cloud.clock
        return { xml in xml.element("SSHPublicKey") { key.encode(into: &$0, of: user, as: body, clock) } }
    }

    private static func updatePublicKey(
        _ members: (status: CredentialStatus, key: Key), _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        try await call.setCredential(members.key.id, in: \.publicKeys, of: found, isActive: members.status == .active)
        return nil
    }

    private static func deletePublicKey(
        _ key: Key, _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        try await call.deleteCredential(key.id, in: \.publicKeys, of: found)
        return nil
    }

    private static func listPublicKeys(
        _ members: (user: String?, part: PagePart), _ user: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let page = try Page(of: user.publicKeys.sorted { $0.id < $1.id }, members.part, key: \.id)
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

    /// A key as calls name it.
    private typealias Key = (user: String, id: String)

    private static func userAndBody(_ parameters: inout QueryParameters) -> (user: String, body: String) {
        let user = parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        return (user, parameters.requiredText("SSHPublicKeyBody", length: 1...16_384, pattern: .policy))
    }

    private static func key(_ parameters: inout QueryParameters) -> Key {
        let user = parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        return (user, parameters.requiredText("SSHPublicKeyId", length: 20...128, pattern: .word))
    }

    private static func keyAndEncoding(_ parameters: inout QueryParameters) -> (encoding: String, key: Key) {
        (parameters.requiredChoice("Encoding", of: ["SSH", "PEM"]), key(&parameters))
    }

    private static func keyAndStatus(_ parameters: inout QueryParameters) -> (status: CredentialStatus, key: Key) {
        (parameters.status(), key(&parameters))
    }

    private static func userAndPage(_ parameters: inout QueryParameters) throws(ServiceError) -> (user: String?, part: PagePart) {
        let user = parameters.text("UserName", length: 1...64, pattern: .entityName)
        return (user, try parameters.part())
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
