import Directory
import HTTPTypes
import WireFormats

extension IAMCall {
    /// Returns the credential with an identifier.
    /// - Throws: `NoSuchEntity`.
    func find<Credential: UserCredential>(_ id: String, in credentials: [Credential]) throws(ServiceError) -> Credential {
        do { return try credentials.credential(id) } catch { throw error.inWordsOfIAM }
    }

    /// Activates or deactivates a credential of a user.
    func setCredential(
        _ id: String, in list: WritableKeyPath<User, [some UserCredential]>, of user: User, isActive: Bool
    ) async throws {
        _ = try await perform { directory throws(CredentialRefusal) in
            try directory.updateCredential(id, in: list, of: user.name, in: account) { $0.isActive = isActive }
        }
    }

    /// Deletes a credential of a user.
    func deleteCredential(_ id: String, in list: WritableKeyPath<User, [some UserCredential]>, of user: User) async throws {
        try await perform { directory throws(CredentialRefusal) in
            try directory.deleteCredential(id, in: list, of: user.name, in: account)
        }
    }
}

extension CredentialRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .noSuchUser(let name): HolderFamily.user.missing(name)
        case .noSuchCredential(.publicKey, let id): .noSuchEntity("The Public Key with id \(id) cannot be found.")
        case .noSuchCredential(.signingCertificate, let id): .noSuchEntity("The Certificate with id \(id) cannot be found.")
        case .noSuchCredential(.serviceCredential, let id): .noSuchEntity("No such credential \(id) exists")
        case .alreadyExists(.publicKey):
            ServiceError("DuplicateSSHPublicKey", .badRequest, "The SSH public key is already associated with the specified IAM user.")
        // No two service credentials are the same.
        case .alreadyExists(.signingCertificate), .alreadyExists(.serviceCredential):
            ServiceError("DuplicateCertificate", .conflict, "The same certificate is associated with an IAM user in the account.")
        case .limitExceeded(let kind, let limit): .limitExceeded("Cannot exceed quota for \(kind.quota): \(limit)")
        }
    }
}

extension CredentialRefusal.Kind {
    /// The name of the quota in messages. (IAM User Guide, "IAM and AWS STS quotas".)
    fileprivate var quota: String {
        switch self {
        case .publicKey: "SSHPublicKeysPerUser"
        case .signingCertificate: "CertificatesPerUser"
        case .serviceCredential: "ServiceSpecificCredentialsPerUser"
        }
    }
}

extension ServerCertificateRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .noSuchAccount: .invalidClientToken
        case .noSuchCertificate(let name): .noSuchEntity("The Server Certificate with name \(name) cannot be found.")
        case .alreadyExists(let name): .entityAlreadyExists("The Server Certificate with name \(name) already exists.")
        case .limitExceeded(let limit): .limitExceeded("Cannot exceed quota for ServerCertificatesPerAccount: \(limit)")
        }
    }
}
