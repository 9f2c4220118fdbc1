/// Who and what the sandbox knows by name: an immutable snapshot, replaced as a whole by each write.
///
/// It is small and read by every request, so it lives in memory, indexed; the database keeps each record as one row.
package struct Directory: Sendable {
    package private(set) var accounts: [String: Account] = [:]
    /// Account ids by canonical user.
    private var canonicalUsers: [String: String] = [:]
    /// Account ids by address of mail in lower case.
    private var mailAddresses: [String: String] = [:]
    /// By account, then name.
    package private(set) var users: [PrincipalName: User] = [:]
    package private(set) var roles: [PrincipalName: Role] = [:]
    package private(set) var providers: [String: IdentityProvider] = [:]
    package private(set) var trusts: [OpenIDConnectTrust] = []
    /// Who signs with which long-term key.
    package private(set) var keys: [String: KeyOwner] = [:]

    package init() {}

    /// A user's or role's name within its account.
    package struct PrincipalName: Hashable, Sendable {
        package var account: String
        package var name: String

        package init(account: String, name: String) {
            self.account = account
            self.name = name
        }
    }

    /// The holder of a long-term access key.
    package enum KeyOwner: Sendable {
        case root(Account, AccessKey)
        case user(User, AccessKey)
    }

    /// The account of a canonical user.
    package func account(ofCanonicalUser id: String) -> Account? { canonicalUsers[id].flatMap { accounts[$0] } }

    /// The account whose root user has an address of mail, in any case.
    package func account(ofMail address: String) -> Account? { mailAddresses[address.lowercased()].flatMap { accounts[$0] } }

    package func user(_ name: String, in account: String) -> User? { users[PrincipalName(account: account, name: name)] }

    package func role(_ name: String, in account: String) -> Role? { roles[PrincipalName(account: account, name: name)] }

    /// The role of an ARN `arn:aws:iam::<account>:role/<path><name>`; nothing if path or account differ.
    package func role(arn: String) -> Role? {
        let fields = arn.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, let name = fields[5].split(separator: "/").last else { return nil }
        guard let role = role(String(name), in: String(fields[4])), role.arn == arn else { return nil }
        return role
    }

    /// What the account trusts under this issuer URL.
    package func trust(url: String, in account: String) -> OpenIDConnectTrust? {
        trusts.first { $0.account == account && $0.url == url }
    }

    mutating func insert(_ record: DirectoryRecord) {
        switch record {
        case .account(let account):
            accounts[account.id] = account
            canonicalUsers[Account.canonicalUserID(of: account.id)] = account.id
            mailAddresses[account.mailAddress.lowercased()] = account.id
            for key in account.rootKeys { keys[key.id] = .root(account, key) }
        case .user(let user):
            users[PrincipalName(account: user.account, name: user.name)] = user
            for key in user.accessKeys { keys[key.id] = .user(user, key) }
        case .role(let role):
            roles[PrincipalName(account: role.account, name: role.name)] = role
        case .provider(let provider):
            providers[provider.name] = provider
        case .trust(let trust):
            trusts.append(trust)
        }
    }
}

/// One record of the directory, as the database keeps it.
package enum DirectoryRecord: Sendable {
    case account(Account)
    case user(User)
    case role(Role)
    case provider(IdentityProvider)
    case trust(OpenIDConnectTrust)
}
