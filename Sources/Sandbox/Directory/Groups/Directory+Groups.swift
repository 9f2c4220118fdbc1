package import WireFormats

extension Directory {
    /// Adds a group.
    /// - Parameter limit: the number of groups that an account can have.
    /// - Throws: `alreadyExists` or `limitExceeded`, in this order.
    package mutating func createGroup(_ group: Group, limit: Int) throws(DirectoryRefusal) {
        guard self.group(group.name, in: group.account) == nil else { throw .alreadyExists(group.name) }
        guard groups.count < limit || groups.values.count(where: { $0.account == group.account }) < limit else {
            throw .limitExceeded(.groupsOfAccount, limit)
        }
        put(.group(group))
    }

    /// Changes a group, its name and path included. Its members stay members, with the dates on which they joined.
    /// - Parameter change: changes the record, but not its account and unique identifier.
    /// - Returns: the group after the change.
    /// - Throws: `noSuchGroup`, or `alreadyExists` if another group has the new name.
    @discardableResult
    package mutating func updateGroup(
        _ name: String, in account: String, _ change: (inout Group) -> Void
    ) throws(DirectoryRefusal) -> Group {
        guard let old = group(name, in: account) else { throw .noSuchGroup(name) }
        var group = old
        change(&group)
        if let other = self.group(group.name, in: account), other.id != old.id { throw .alreadyExists(group.name) }
        let members = members(of: old)
        if group.arn != old.arn { remove(.init(.group, old.arn)) }
        put(.group(group))
        guard group.name != old.name else { return group }
        for var member in members {
            member.groups = member.groups.map { $0 == old.name ? group.name : $0 }
            let joined = member.joinDates?.removeValue(forKey: old.name)
            member.joinDates?[group.name] = joined
            put(.user(member))
        }
        return group
    }

    /// Deletes a group.
    /// - Parameter holdings: the reasons other than members that prevent the deletion, in the order in which they are checked.
    /// - Throws: `noSuchGroup`, or `notEmpty` with `members` or the first of `holdings` that the group has.
    package mutating func deleteGroup(
        _ name: String, in account: String, unlessHolding holdings: [DirectoryRefusal.Holding]
    ) throws(DirectoryRefusal) {
        guard let group = group(name, in: account) else { throw .noSuchGroup(name) }
        guard members(of: group).isEmpty else { throw .notEmpty(.members) }
        for holding in holdings {
            switch holding {
            case .attachedPolicies where !group.attachedPolicies.isEmpty: throw .notEmpty(holding)
            case .inlinePolicies where !group.policies.isEmpty: throw .notEmpty(holding)
            default: break
            }
        }
        remove(.init(.group, group.arn))
    }

    /// Adds a user to a group.
    /// - Parameters:
    ///   - limit: the number of groups that a user can belong to.
    ///   - time: when the user joins; `nil` if the cloud does not store it.
    /// - Throws: `noSuchUser`, `noSuchGroup`, `alreadyMember` or `limitExceeded`, in this order.
    package mutating func addUser(
        _ userName: String, toGroup groupName: String, in account: String, limit: Int, at time: Timestamp? = nil
    ) throws(DirectoryRefusal) {
        guard var user = user(userName, in: account)?.user else { throw .noSuchUser(userName) }
        guard let group = group(groupName, in: account) else { throw .noSuchGroup(groupName) }
        guard !user.groups.contains(group.name) else { throw .alreadyMember(user: user.name, group: group.name) }
        guard user.groups.count < limit else { throw .limitExceeded(.groupsOfUser, limit) }
        user.groups.append(group.name)
        if let time { user.joinDates = (user.joinDates ?? [:]).merging([group.name: time]) { $1 } }
        put(.user(user))
    }

    /// Removes a user from a group, and the date on which the user joined.
    /// - Throws: `noSuchUser`, `noSuchGroup` or `notMember`, in this order.
    package mutating func removeUser(
        _ userName: String, fromGroup groupName: String, in account: String
    ) throws(DirectoryRefusal) {
        guard var user = user(userName, in: account)?.user else { throw .noSuchUser(userName) }
        guard let group = group(groupName, in: account) else { throw .noSuchGroup(groupName) }
        guard let index = user.groups.firstIndex(of: group.name) else { throw .notMember(user: user.name, group: group.name) }
        user.groups.remove(at: index)
        user.joinDates?[group.name] = nil
        put(.user(user))
    }
}
