/// The reason why a credential of a user other than an access key is not changed.
package enum CredentialRefusal: Error, Equatable {
    /// The account has no user of this name.
    case noSuchUser(String)
    /// The user has no credential of this kind with this identifier.
    case noSuchCredential(Kind, String)
    /// The user has the same credential already.
    case alreadyExists(Kind)
    /// The user has as many credentials of this kind as a user can have.
    case limitExceeded(Kind, Int)

    /// A kind of credential.
    package enum Kind: Sendable {
        case publicKey
        case signingCertificate
        case serviceCredential
    }
}
