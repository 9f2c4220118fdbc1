import WireFormats

/// A credential of a user other than an access key, of which a user can have several.
package protocol UserCredential: Sendable {
    /// The kind, for refusals.
    static var kind: CredentialRefusal.Kind { get }
    /// The identifier.
    var id: String { get }
    /// Whether it can be used.
    var isActive: Bool { get set }
}

extension SSHPublicKey: UserCredential {
    package static var kind: CredentialRefusal.Kind { .publicKey }
}

extension SigningCertificate: UserCredential {
    package static var kind: CredentialRefusal.Kind { .signingCertificate }
}

extension ServiceCredential: UserCredential {
    package static var kind: CredentialRefusal.Kind { .serviceCredential }
}

extension Array where Element: UserCredential {
    /// Returns the credential with an identifier.
    /// - Throws: `noSuchCredential`.
    package func credential(_ id: String) throws(CredentialRefusal) -> Element { self[try index(of: id)] }

    func index(of id: String) throws(CredentialRefusal) -> Int {
        guard let index = firstIndex(where: { $0.id == id }) else { throw .noSuchCredential(Element.kind, id) }
        return index
    }
}
