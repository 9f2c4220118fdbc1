package import Policy

/// Who and what the sandbox knows by name: an immutable snapshot, replaced as a whole by each write.
///
/// It is small and read by every request, so it lives in memory, indexed; the database keeps each record as one row.
package struct Directory: Sendable {
    /// By reference, since every request copies directories, and a copy of the tables counts fourteen references up and down.
    private var shared = Shared(Tables())

    /// Read in place, and copied before a change where another copy of the directory has them, too.
    private var tables: Tables {
        _read { yield shared.tables }
        _modify {
            if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.tables) }
            yield &shared.tables
        }
    }

    /// Accounts, by number.
    package var accounts: [String: Account] { tables.accounts }
    /// By account, then name.
    package var users: [PrincipalName: UserEntry] { tables.users }
    /// Groups, by account and name.
    package var groups: [PrincipalName: Group] { tables.groups }
    /// Roles, by account and name.
    package var roles: [PrincipalName: RoleEntry] { tables.roles }
    /// Instance profiles, by account and name.
    package var instanceProfiles: [PrincipalName: InstanceProfile] { tables.instanceProfiles }
    /// Managed policies of accounts by ARN; those of AWS are found by ``ManagedPolicy/ofAWS(_:)``, those of
    /// Alibaba Cloud by ``ManagedPolicy/ofAlibaba(_:)``.
    package var policies: [String: ManagedPolicy] { tables.policies }
    /// By ARN.
    package var devices: [String: MultiFactorDevice] { tables.devices }
    /// Identity providers, by name.
    package var providers: [String: IdentityProvider] { tables.providers }
    /// By ARN.
    package var trusts: [String: OpenIDConnectTrust] { tables.trusts }
    /// By ARN.
    package var samlTrusts: [String: SAMLTrust] { tables.samlTrusts }
    /// The mobile cloud.
    package var mobile: MobileCloud { tables.mobile }
    /// The token vending machines.
    package var vending: VendingMachines { tables.vending }
    /// The business server of an app, if there is one.
    package var appServer: AppServer? { tables.appServer }
    /// Who signs with which long-term key.
    package var keys: [String: KeyOwner] { tables.keys }
    /// What was put and removed since this copy was made; see ``Cloud/edit(_:)``.
    package var changes: [Change] { tables.changes }

    private struct Tables {
        var accounts: [String: Account] = [:]
        /// Account ids by canonical user.
        var canonicalUsers: [String: String] = [:]
        /// Account ids by address of mail in lower case.
        var mailAddresses: [String: String] = [:]
        var users: [PrincipalName: UserEntry] = [:]
        var groups: [PrincipalName: Group] = [:]
        var roles: [PrincipalName: RoleEntry] = [:]
        var instanceProfiles: [PrincipalName: InstanceProfile] = [:]
        var policies: [String: ManagedPolicy] = [:]
        var devices: [String: MultiFactorDevice] = [:]
        var providers: [String: IdentityProvider] = [:]
        /// Names of providers by issuer.
        var issuers: [String: String] = [:]
        var trusts: [String: OpenIDConnectTrust] = [:]
        var samlTrusts: [String: SAMLTrust] = [:]
        var mobile = MobileCloud()
        var vending = VendingMachines()
        var appServer: AppServer?
        var keys: [String: KeyOwner] = [:]
        var changes: [Change] = []
    }

    /// Unchecked, because the tables change only while one directory alone has them, and a directory is a value.
    private final class Shared: @unchecked Sendable {
        var tables: Tables

        init(_ tables: Tables) { self.tables = tables }
    }

    package init() {}

    /// The name of something within its account. IAM tells names apart without regard to case.
    package struct PrincipalName: Hashable, Sendable {
        /// The number of the account.
        package let account: String
        /// As it was given.
        package let name: String
        private let folded: String

        package init(account: String, name: String) {
            self.account = account
            self.name = name
            folded = name.utf8.contains { (0x41...0x5A).contains($0) } ? name.lowercased() : name
        }

        /// Account and last part of the name in an ARN `arn:aws:iam::<account>:<kind>/<path><name>` or `acs:ram::<account>:<kind>/<name>`.
        package init?(arn: String) {
            // In place: every request of a session passes here, and to split characters takes 25 times as long.
            var arn = arn
            let parts = arn.withUTF8 { bytes -> (account: String, name: String)? in
                // Alibaba Cloud's have no partition.
                var colons = bytes.first == UInt8(ascii: "a") && bytes.count > 1 && bytes[1] == UInt8(ascii: "c") ? 1 : 0
                var (account, slash) = (0..<0, 0)
                for index in 0..<bytes.count {
                    if bytes[index] == UInt8(ascii: ":"), colons < 5 {
                        colons += 1
                        if colons == 4 { account = index + 1..<index + 1 }
                        if colons == 5 { account = account.lowerBound..<index }
                    } else if bytes[index] == UInt8(ascii: "/"), colons == 5 {
                        slash = index
                    }
                }
                guard slash > 0 else { return nil }
                return (
                    String(decoding: UnsafeBufferPointer(rebasing: bytes[account]), as: UTF8.self),
                    String(decoding: UnsafeBufferPointer(rebasing: bytes[(slash + 1)...]), as: UTF8.self)
                )
            }
            guard let parts else { return nil }
            self.init(account: parts.account, name: parts.name)
        }

        package static func == (one: Self, other: Self) -> Bool { one.folded == other.folded && one.account == other.account }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(account)
            hasher.combine(folded)
        }
    }

    /// The holder of a long-term access key.
    package enum KeyOwner: Sendable {
        case root(Account, AccessKey)
        case user(UserEntry, AccessKey)
    }

    /// A change that the database does not have yet.
    package enum Change: Sendable {
        case put(DirectoryRecord)
        case remove(DirectoryRecord.ID)
    }

    /// The account of a canonical user.
    package func account(ofCanonicalUser id: String) -> Account? { tables.canonicalUsers[id].flatMap { accounts[$0] } }

    /// The canonical user of an account, also of one that is not here.
    package func canonicalUserID(of account: String) -> String {
        accounts[account]?.canonicalUserID ?? Account.canonicalUserID(of: account)
    }

    /// The account whose root user has an address of mail, in any case.
    package func account(ofMail address: String) -> Account? { tables.mailAddresses[address.lowercased()].flatMap { accounts[$0] } }

    /// The user of a name, without regard to case.
    package func user(_ name: String, in account: String) -> UserEntry? { users[PrincipalName(account: account, name: name)] }

    /// The group of a name, without regard to case.
    package func group(_ name: String, in account: String) -> Group? { groups[PrincipalName(account: account, name: name)] }

    /// The role of a name, without regard to case.
    package func role(_ name: String, in account: String) -> RoleEntry? { roles[PrincipalName(account: account, name: name)] }

    /// The instance profile of a name, without regard to case.
    package func instanceProfile(_ name: String, in account: String) -> InstanceProfile? {
        instanceProfiles[PrincipalName(account: account, name: name)]
    }

    /// The role of an ARN `arn:aws:iam::<account>:role/<path><name>`; `nil` if path or account differ.
    package func role(arn: String) -> RoleEntry? { PrincipalName(arn: arn).flatMap { roles[$0] }.flatMap { $0.arn == arn ? $0 : nil } }

    /// The role of an ARN, as a vendor knows it: an ARN of the other vendor names nothing.
    package func role(arn: String, at vendor: Vendor) -> RoleEntry? {
        role(arn: arn).flatMap { Vendor(account: $0.role.account) == vendor ? $0 : nil }
    }

    /// The SAML provider of an ARN, as a vendor knows it: an ARN of the other vendor names nothing.
    package func samlTrust(arn: String, at vendor: Vendor) -> SAMLTrust? {
        samlTrusts[arn].flatMap { Vendor(account: $0.account) == vendor ? $0 : nil }
    }

    /// The user of an ARN `arn:aws:iam::<account>:user/<path><name>`; `nil` if path or account differ.
    package func user(arn: String) -> UserEntry? { PrincipalName(arn: arn).flatMap { users[$0] }.flatMap { $0.arn == arn ? $0 : nil } }

    /// The managed policy of an ARN, an account's own or one of AWS or Alibaba Cloud.
    package func policy(arn: String) -> ManagedPolicy? { policies[arn] ?? ManagedPolicy.ofAWS(arn) ?? ManagedPolicy.ofAlibaba(arn) }

    /// The provider whose canonical issuer this is.
    package func provider(canonicalIssuer issuer: String) -> IdentityProvider? { tables.issuers[issuer].flatMap { providers[$0] } }

    /// What the account trusts under this issuer URL.
    package func trust(url: String, in account: String) -> OpenIDConnectTrust? {
        trusts[OpenIDConnectTrust.arn(ofIssuer: url, in: account)].flatMap { $0.url == url ? $0 : nil }
    }

    /// The users in a group, by name.
    package func members(of group: Group) -> [User] {
        users.values.lazy.map(\.user).filter { user in
            user.account == group.account && user.groups.contains { $0 == group.name }
        }.sorted { $0.name < $1.name }
    }

    /// Makes a record, or replaces the one of the same id.
    package mutating func put(_ record: DirectoryRecord) {
        tables.changes.append(.put(record))
        insert(record)
    }

    /// Removes a record; `nil` if there is none.
    package mutating func remove(_ id: DirectoryRecord.ID) {
        tables.changes.append(.remove(id))
        forget(id)
    }

    /// Forgets the changes, which the database has now.
    package mutating func forgetChanges() { tables.changes = [] }

    /// Adds a record, or replaces the one with its identifier, without noting a change.
    package mutating func insert(_ record: DirectoryRecord) {
        switch record {
        case .account(let account):
            if let old = accounts[account.id] { forget(.init(.account, old.id)) }
            tables.accounts[account.id] = account
            tables.canonicalUsers[account.canonicalUserID] = account.id
            if account.vendor == .aws { tables.mailAddresses[account.mailAddress.lowercased()] = account.id }
            for key in account.rootKeys { tables.keys[key.id] = .root(account, key) }
        case .user(let user): insert(user)
        case .group(let group):
            tables.groups[PrincipalName(account: group.account, name: group.name)] = group
            for member in members(of: group) { insert(member) }
        case .role(let role): insert(role)
        case .policy(let policy):
            tables.policies[policy.arn] = policy
            renewHolders(of: policy.arn)
        case .instanceProfile(let profile): tables.instanceProfiles[PrincipalName(account: profile.account, name: profile.name)] = profile
        case .device(let device): tables.devices[device.arn] = device
        case .provider(let provider):
            forget(.init(.provider, provider.name))
            tables.providers[provider.name] = provider
            if let issuer = provider.issuer { tables.issuers[issuer] = provider.name }
        case .trust(let trust): tables.trusts[trust.arn] = trust
        case .samlTrust(let trust): tables.samlTrusts[trust.arn] = trust
        case .mobile(let record): tables.mobile.insert(record)
        case .vending(let record): tables.vending.insert(record)
        case .appServer(let server): tables.appServer = server
        }
    }

    private mutating func insert(_ user: User) {
        let name = PrincipalName(account: user.account, name: user.name)
        for key in users[name]?.user.accessKeys ?? [] { tables.keys[key.id] = nil }
        let entry = UserEntry(user: user, policies: policies(of: user))
        tables.users[name] = entry
        for key in user.accessKeys { tables.keys[key.id] = .user(entry, key) }
    }

    private mutating func insert(_ role: Role) {
        let name = PrincipalName(account: role.account, name: role.name)
        let activity = roles[name].flatMap { $0.role.id == role.id ? $0.activity : nil } ?? LastActivity()
        tables.roles[name] = RoleEntry(role: role, policies: policies(of: role), activity: activity)
    }

    /// Finds the policies anew of everybody that a managed policy holds for.
    private mutating func renewHolders(of arn: String) {
        let groups = Set(
            groups.values.filter { $0.attachedPolicies.contains(arn) }.map { PrincipalName(account: $0.account, name: $0.name) })
        for user in users.values.map(\.user)
        where user.attachedPolicies.contains(arn) || user.boundary == arn
            || user.groups.contains(where: { groups.contains(PrincipalName(account: user.account, name: $0)) })
        {
            insert(user)
        }
        for role in roles.values.map(\.role) where role.attachedPolicies.contains(arn) || role.boundary == arn { insert(role) }
    }

    private mutating func forget(_ id: DirectoryRecord.ID) {
        switch id.family {
        case .account:
            guard let account = tables.accounts.removeValue(forKey: id.name) else { return }
            tables.canonicalUsers[account.canonicalUserID] = nil
            if account.vendor == .aws { tables.mailAddresses[account.mailAddress.lowercased()] = nil }
            for key in account.rootKeys { tables.keys[key.id] = nil }
        case .user:
            guard let entry = user(arn: id.name) else { return }
            tables.users[PrincipalName(account: entry.user.account, name: entry.user.name)] = nil
            for key in entry.user.accessKeys { tables.keys[key.id] = nil }
        case .group:
            guard let name = PrincipalName(arn: id.name), let group = groups[name], group.arn == id.name else { return }
            tables.groups[name] = nil
            for member in members(of: group) { insert(member) }
        case .role:
            guard let entry = role(arn: id.name) else { return }
            tables.roles[PrincipalName(account: entry.role.account, name: entry.role.name)] = nil
        case .policy:
            tables.policies[id.name] = nil
            renewHolders(of: id.name)
        case .instanceProfile:
            guard let name = PrincipalName(arn: id.name), instanceProfiles[name]?.arn == id.name else { return }
            tables.instanceProfiles[name] = nil
        case .device: tables.devices[id.name] = nil
        case .provider:
            guard let provider = tables.providers.removeValue(forKey: id.name) else { return }
            if let issuer = provider.issuer { tables.issuers[issuer] = providers.values.first { $0.issuer == issuer }?.name }
        case .trust: tables.trusts[id.name] = nil
        case .samlTrust: tables.samlTrusts[id.name] = nil
        case .mobile: tables.mobile.forget(id.name)
        case .vending: tables.vending.forget(id.name)
        case .appServer: tables.appServer = nil
        }
    }
}
