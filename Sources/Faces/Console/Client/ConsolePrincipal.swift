import ControlDocuments

/// A principal of the sandbox.
typealias Principal = Document<PrincipalMembers>

extension Principal {
    /// The name by which the control API accepts the principal.
    var id: String { self.accessKey ?? self.arn }

    /// Returns all principals.
    static func all(_ client: ControlClient) async -> [Principal] {
        await client.get("/principals").document(PrincipalListMembers.self).principals
    }
}
