import WireFormats

/// The reason why a server certificate of an account is not changed.
package enum ServerCertificateRefusal: Error, Equatable {
    /// There is no such account.
    case noSuchAccount(String)
    /// The account has no server certificate of this name.
    case noSuchCertificate(String)
    /// The account has a server certificate of this name already.
    case alreadyExists(String)
    /// The account has as many server certificates as an account can have.
    case limitExceeded(Int)
}

extension Directory {
    /// Returns the server certificate of a name, without regard to case.
    /// - Throws: `noSuchAccount` or `noSuchCertificate`, in this order.
    package func serverCertificate(_ name: String, in account: String) throws(ServerCertificateRefusal) -> ServerCertificate {
        let account = try existingAccount(account)
        return account.serverCertificates[try account.index(ofServerCertificate: name)]
    }

    /// Adds a server certificate.
    /// - Parameter limit: the number of certificates that an account can have.
    /// - Throws: `noSuchAccount`, `alreadyExists` or `limitExceeded`, in this order.
    package mutating func addServerCertificate(_ certificate: ServerCertificate, limit: Int) throws(ServerCertificateRefusal) {
        var account = try existingAccount(certificate.account)
        try account.refuseServerCertificate(named: certificate.name)
        guard account.serverCertificates.count < limit else { throw .limitExceeded(limit) }
        account.serverCertificates.append(certificate)
        put(.account(account))
    }

    /// Changes name and path of a server certificate.
    /// - Parameters:
    ///   - newName: the new name, or `nil` if it stays.
    ///   - newPath: the new path, or `nil` if it stays.
    /// - Throws: `noSuchAccount`, `noSuchCertificate` or `alreadyExists`, in this order.
    package mutating func moveServerCertificate(
        _ name: String, in account: String, toName newName: String?, path newPath: String?
    ) throws(ServerCertificateRefusal) {
        var account = try existingAccount(account)
        let index = try account.index(ofServerCertificate: name)
        if let newName, newName.lowercased() != name.lowercased() { try account.refuseServerCertificate(named: newName) }
        if let newName { account.serverCertificates[index].name = newName }
        if let newPath { account.serverCertificates[index].path = newPath }
        put(.account(account))
    }

    /// Deletes a server certificate.
    /// - Throws: `noSuchAccount` or `noSuchCertificate`, in this order.
    package mutating func deleteServerCertificate(_ name: String, in account: String) throws(ServerCertificateRefusal) {
        var account = try existingAccount(account)
        account.serverCertificates.remove(at: try account.index(ofServerCertificate: name))
        put(.account(account))
    }

    private func existingAccount(_ id: String) throws(ServerCertificateRefusal) -> Account {
        guard let account = accounts[id] else { throw .noSuchAccount(id) }
        return account
    }
}

extension Account {
    fileprivate func index(ofServerCertificate name: String) throws(ServerCertificateRefusal) -> Int {
        guard let index = serverCertificates.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw .noSuchCertificate(name)
        }
        return index
    }

    fileprivate func refuseServerCertificate(named name: String) throws(ServerCertificateRefusal) {
        guard !serverCertificates.contains(where: { $0.name.lowercased() == name.lowercased() }) else { throw .alreadyExists(name) }
    }
}
