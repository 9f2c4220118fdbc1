import WireFormats

extension Directory {
    /// Adds an SSH public key of a user.
    /// - Parameter limit: the number of keys that a user can have.
    /// - Throws: `noSuchUser`, `alreadyExists` or `limitExceeded`, in this order.
    package mutating func addPublicKey(
        _ key: SSHPublicKey, of name: String, in account: String, limit: Int
    ) throws(CredentialRefusal) {
        try add(key, to: \.publicKeys, of: name, in: account, limit: limit) { $0.modulus == key.modulus }
    }

    /// Adds a signing certificate of a user.
    /// - Parameter limit: the number of certificates that a user can have.
    /// - Throws: `noSuchUser`, `alreadyExists` or `limitExceeded`, in this order.
    package mutating func addSigningCertificate(
        _ certificate: SigningCertificate, of name: String, in account: String, limit: Int
    ) throws(CredentialRefusal) {
        try add(certificate, to: \.signingCertificates, of: name, in: account, limit: limit) { $0.body == certificate.body }
    }

    /// Adds a credential of a user for one service.
    /// - Parameters:
    ///   - limit: the number of credentials that a user can have for a service.
    ///   - make: makes the credential with its user name at the service. A user's second credential has a number in it.
    /// - Returns: the credential.
    /// - Throws: `noSuchUser` or `limitExceeded`, in this order.
    package mutating func addServiceCredential(
        for service: String, of name: String, in account: String, limit: Int, _ make: (_ userName: String) -> ServiceCredential
    ) throws(CredentialRefusal) -> ServiceCredential {
        var user = try existingUser(name, in: account)
        let held = user.serviceCredentials.filter { $0.service == service }
        guard held.count < limit else { throw .limitExceeded(.serviceCredential, limit) }
        // The first credential may have been deleted.
        let names = ["\(user.name)-at-\(account)"] + (1...limit).map { "\(user.name)+\($0)-at-\(account)" }
        let credential = make(names.first { name in !held.contains { $0.userName == name } } ?? names[0])
        user.serviceCredentials.append(credential)
        put(.user(user))
        return credential
    }

    /// Changes a credential of a user.
    /// - Parameter list: the user's credentials of the kind.
    /// - Returns: the credential after the change.
    /// - Throws: `noSuchUser` or `noSuchCredential`, in this order.
    @discardableResult
    package mutating func updateCredential<Credential: UserCredential>(
        _ id: String, in list: WritableKeyPath<User, [Credential]>, of name: String, in account: String,
        _ change: (inout Credential) -> Void
    ) throws(CredentialRefusal) -> Credential {
        var user = try existingUser(name, in: account)
        let index = try user[keyPath: list].index(of: id)
        change(&user[keyPath: list][index])
        put(.user(user))
        return user[keyPath: list][index]
    }

    /// Deletes a credential of a user.
    /// - Parameter list: the user's credentials of the kind.
    /// - Throws: `noSuchUser` or `noSuchCredential`, in this order.
    package mutating func deleteCredential(
        _ id: String, in list: WritableKeyPath<User, [some UserCredential]>, of name: String, in account: String
    ) throws(CredentialRefusal) {
        var user = try existingUser(name, in: account)
        user[keyPath: list].remove(at: try user[keyPath: list].index(of: id))
        put(.user(user))
    }

    private mutating func add<Credential: UserCredential>(
        _ credential: Credential, to list: WritableKeyPath<User, [Credential]>, of name: String, in account: String, limit: Int,
        unless isSame: (Credential) -> Bool
    ) throws(CredentialRefusal) {
        var user = try existingUser(name, in: account)
        guard !user[keyPath: list].contains(where: isSame) else { throw .alreadyExists(Credential.kind) }
        guard user[keyPath: list].count < limit else { throw .limitExceeded(Credential.kind, limit) }
        user[keyPath: list].append(credential)
        put(.user(user))
    }

    private func existingUser(_ name: String, in account: String) throws(CredentialRefusal) -> User {
        guard let user = user(name, in: account)?.user else { throw .noSuchUser(name) }
        return user
    }
}
