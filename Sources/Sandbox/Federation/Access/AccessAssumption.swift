import Directory
package import Policy
package import WireFormats

/// The assumed caller and condition keys of a hypothetical request to the authorizer.
package struct AccessAssumption: Sendable {
    /// The assumed caller.
    package var caller: Caller
    /// Condition keys that override those of the request.
    package var keys: [String: ConditionValues]

    package init(caller: Caller, keys: [String: ConditionValues]) {
        self.caller = caller
        self.keys = keys
    }
}

extension Directory {
    /// Returns the caller with a name: `anonymous`, a long-term access key, or the ARN of a root user, a user, a role or a role's session.
    /// The session need not exist. Returns `nil` for any other name.
    package func caller(named name: String, now: Timestamp) -> Caller? {
        if name == "anonymous" { return .anonymous }
        switch keys[name] {
        case .root(let account, _): return .root(account, nil)
        case .user(let user, _): return .user(user, nil)
        case nil: break
        }
        if let user = user(arn: name) { return .user(user, nil) }
        if let role = role(arn: name) { return .role(role, .assumed(role, named: "explain", now: now)) }
        guard let (service, account, identity) = Self.identity(named: name) else { return nil }
        if service != "sts", identity == "root" { return accounts[account].map { .root($0, nil) } }
        let parts = identity.split(separator: "/").map(String.init)
        guard service != "iam", parts.count == 3, parts[0] == "assumed-role", let role = role(parts[1], in: account) else { return nil }
        return .role(role, .assumed(role, named: parts[2], now: now))
    }

    /// Returns the service, account and identity in `arn:aws:<service>::<account>:<identity>` or `acs:ram::<account>:<identity>`.
    private static func identity(named name: String) -> (service: String, account: String, identity: String)? {
        let fields = name.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false).map(String.init)
        if fields.count == 6, fields[0] == "arn" { return (fields[2], fields[4], fields[5]) }
        return fields.count == 5 && fields[0] == "acs" && fields[1] == "ram" ? (fields[1], fields[3], fields[4]) : nil
    }
}

extension Session {
    /// Returns a hypothetical session without session policies and claims.
    fileprivate static func assumed(_ role: RoleEntry, named name: String, now: Timestamp) -> Session {
        let credentials = SessionCredentials(
            accessKeyID: "", secretAccessKey: "", holder: .role(arn: role.arn, id: role.role.id, sessionName: name), issued: now,
            expires: now)
        return Session(credentials: credentials, policies: nil)
    }
}
