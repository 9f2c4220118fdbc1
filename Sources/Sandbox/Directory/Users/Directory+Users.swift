import WireFormats

extension Directory {
    /// Returns the MFA devices of a user, by ARN; those of the root user if the name is empty.
    package func devices(of user: String, in account: String) -> [MultiFactorDevice] {
        devices.values.filter { $0.account == account && $0.user == user }.sorted { $0.arn < $1.arn }
    }

    /// Adds a user.
    /// - Parameter limit: the number of users that an account can have.
    /// - Throws: `alreadyExists` or `limitExceeded`, in this order.
    package mutating func createUser(_ user: User, limit: Int) throws(DirectoryRefusal) {
        guard self.user(user.name, in: user.account) == nil else { throw .alreadyExists(user.name) }
        // The users of one account are only counted if those of all could be too many.
        guard users.count < limit || users.values.count(where: { $0.user.account == user.account }) < limit else {
            throw .limitExceeded(.usersOfAccount, limit)
        }
        put(.user(user))
    }

    /// Changes a user, its name and path included. MFA devices move with the name.
    /// - Parameter change: changes the record, but not its account and unique identifier.
    /// - Returns: the user after the change.
    /// - Throws: `noSuchUser`, or `alreadyExists` if another user has the new name.
    @discardableResult
    package mutating func updateUser(
        _ name: String, in account: String, _ change: (inout User) -> Void
    ) throws(DirectoryRefusal) -> User {
        guard let old = user(name, in: account)?.user else { throw .noSuchUser(name) }
        var user = old
        change(&user)
        if let other = self.user(user.name, in: account), other.user.id != old.id { throw .alreadyExists(user.name) }
        if user.arn != old.arn { remove(.init(.user, old.arn)) }
        put(.user(user))
        guard user.name != old.name else { return user }
        for var device in devices(of: old.name, in: account) {
            device.user = user.name
            put(.device(device))
        }
        return user
    }

    /// Deletes a user. Its MFA devices belong to no user afterwards.
    /// - Parameter holdings: what prevents the deletion, in the order in which it is reported.
    /// - Throws: `noSuchUser`, or `notEmpty` with the first of `holdings` that the user has.
    package mutating func deleteUser(
        _ name: String, in account: String, unlessHolding holdings: [DirectoryRefusal.Holding]
    ) throws(DirectoryRefusal) {
        guard let user = user(name, in: account)?.user else { throw .noSuchUser(name) }
        let devices = devices(of: user.name, in: account)
        if let holding = holdings.first(where: { $0 == .devices ? !devices.isEmpty : user.has($0) }) { throw .notEmpty(holding) }
        remove(.init(.user, user.arn))
        for var device in devices {
            device.user = nil
            device.enabled = nil
            put(.device(device))
        }
    }
}

extension User {
    /// Whether the record itself has something; devices have records of their own.
    fileprivate func has(_ holding: DirectoryRefusal.Holding) -> Bool {
        switch holding {
        case .accessKeys: !accessKeys.isEmpty
        case .loginProfile: loginProfile != nil
        case .signingCertificates: !signingCertificates.isEmpty
        case .publicKeys: !publicKeys.isEmpty
        case .serviceCredentials: !serviceCredentials.isEmpty
        case .groups: !groups.isEmpty
        case .attachedPolicies: !attachedPolicies.isEmpty
        case .inlinePolicies: !policies.isEmpty
        default: false
        }
    }
}
