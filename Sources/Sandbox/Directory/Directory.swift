package import Policy
package import WireFormats

/// The accounts, principals, policies and providers of the sandbox: an immutable snapshot that each write replaces as a whole.
///
/// Every request reads it, so it is kept in memory with indexes. The database stores each record as one row.
package struct Directory: Sendable {
    /// The tables, by reference: every request copies directories, and a copy of the tables would update fourteen reference counts.
    private var shared = Shared(Tables())

    /// The tables. They are read in place, and copied before a change if another directory shares them.
    private var tables: Tables {
        _read { yield shared.tables }
        _modify {
            if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.tables) }
            yield &shared.tables
        }
    }

    /// Accounts, by account number.
    package var accounts: TextDictionary<Account> { tables.accounts }
    /// Users, by account and name.
    package var users: Table<PrincipalName, UserEntry> { tables.users }
    /// Groups, by account and name.
    package var groups: Table<PrincipalName, Group> { tables.groups }
    /// Roles, by account and name.
    package var roles: Table<PrincipalName, RoleEntry> { tables.roles }
    /// Instance profiles, by account and name.
    package var instanceProfiles: Table<PrincipalName, InstanceProfile> { tables.instanceProfiles }
    /// Managed policies of accounts, by ARN. ``ManagedPolicy/ofAWS(_:)`` finds those of AWS, ``ManagedPolicy/ofAlibaba(_:)`` those of
    /// Alibaba Cloud.
    package var policies: Table<TextKey, ManagedPolicy> { tables.policies }
    /// MFA devices, by ARN.
    package var devices: TextDictionary<MultiFactorDevice> { tables.devices }
    /// Identity providers, by name.
    package var providers: TextDictionary<IdentityProvider> { tables.providers }
    /// OpenID Connect providers that accounts trust, by ARN.
    package var trusts: TextDictionary<OpenIDConnectTrust> { tables.trusts }
    /// SAML providers that accounts trust, by ARN.
    package var samlTrusts: TextDictionary<SAMLTrust> { tables.samlTrusts }
    /// The mobile cloud.
    package var mobile: MobileCloud { tables.mobile }
    /// The token vending machines.
    package var vending: VendingMachines { tables.vending }
    /// The business server of an app; `nil` if there is none.
    package var appServer: AppServer? { tables.appServer }
    /// The instances, tasks and clusters in which SDKs find credentials.
    package var credentialSources: CredentialSources { tables.credentialSources }
    /// The identity pools of Amazon Cognito, with their identities.
    package var identityPools: IdentityPools { tables.identityPools }
    /// The user pools of Amazon Cognito.
    package var userPools: UserPools { tables.userPools }
    /// Owners of long-term access keys, by access key ID.
    package var keys: Table<TextKey, KeyOwner> { tables.keys }
    /// The records that were put or removed since this copy was made; see ``Cloud/edit(_:)``.
    package var changes: [Change] { tables.changes }

    /// An account can have thousands of users, groups, roles, policies and keys. A change of one of them copies only a branch of its tree.
    private struct Tables {
        var accounts: TextDictionary<Account> = [:]
        /// Account numbers, by canonical user ID.
        var canonicalUsers: TextDictionary<String> = [:]
        /// Account numbers, by mail address in lower case.
        var mailAddresses: TextDictionary<String> = [:]
        var users: Table<PrincipalName, UserEntry> = [:]
        var groups: Table<PrincipalName, Group> = [:]
        var roles: Table<PrincipalName, RoleEntry> = [:]
        var instanceProfiles: Table<PrincipalName, InstanceProfile> = [:]
        var policies: Table<TextKey, ManagedPolicy> = [:]
        var devices: TextDictionary<MultiFactorDevice> = [:]
        var providers: TextDictionary<IdentityProvider> = [:]
        /// Names of identity providers, by issuer.
        var issuers: TextDictionary<String> = [:]
        /// Names of identity providers, by the hosts at which they answer as issuers.
        var issuerHosts: TextDictionary<Set<TextKey>> = [:]
        var trusts: TextDictionary<OpenIDConnectTrust> = [:]
        var samlTrusts: TextDictionary<SAMLTrust> = [:]
        var mobile = MobileCloud()
        var vending = VendingMachines()
        var appServer: AppServer?
        var credentialSources = CredentialSources()
        var identityPools = IdentityPools()
        var userPools = UserPools()
        var keys: Table<TextKey, KeyOwner> = [:]
        var changes: [Change] = []
    }

    /// Unchecked `Sendable`: the tables change only while a single directory refers to them.
    private final class Shared: @unchecked Sendable {
        var tables: Tables

        init(_ tables: Tables) { self.tables = tables }
    }

    package init() {}

    /// The name of a principal within its account. Names are compared without regard to case, as in IAM.
    package struct PrincipalName: Hashable, Comparable, Sendable {
        /// The account number.
        package let account: String
        /// The name, in its original case.
        package let name: String
        /// The name in lower case.
        package let folded: String

        package init(account: String, name: String) {
            self.account = account
            self.name = name
            folded = name.lowercasedASCII
        }

        /// Parses the account and the last part of the name from an ARN `arn:aws:iam::<account>:<kind>/<path><name>` or
        /// `acs:ram::<account>:<kind>/<name>`.
        package init?(arn: String) {
            // The bytes are parsed in place: every request of a session runs this, and splitting characters takes 25 times as long.
            var arn = arn
            let parts = arn.withUTF8 { bytes -> (account: String, name: String)? in
                // ARNs of Alibaba Cloud have no partition.
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

        package static func < (one: Self, other: Self) -> Bool {
            one.account == other.account ? one.folded < other.folded : one.account < other.account
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(account)
            hasher.combine(folded)
        }
    }

    /// The owner of a long-term access key.
    package enum KeyOwner: Sendable {
        case root(Account, AccessKey)
        case user(UserEntry, AccessKey)
    }

    /// A change that has not been written to the database yet.
    package enum Change: Sendable {
        case put(DirectoryRecord)
        case remove(DirectoryRecord.ID)
    }

    /// Returns the account with a canonical user ID.
    package func account(ofCanonicalUser id: String) -> Account? { tables.canonicalUsers[id].flatMap { accounts[$0] } }

    /// Returns the canonical user ID of an account, even if the sandbox does not have the account.
    package func canonicalUserID(of account: String) -> String {
        accounts[account]?.canonicalUserID ?? Account.canonicalUserID(of: account)
    }

    /// Returns the account whose root user has a mail address, without regard to case.
    package func account(ofMail address: String) -> Account? { tables.mailAddresses[address.lowercased()].flatMap { accounts[$0] } }

    /// Returns the user with a name, without regard to case.
    package func user(_ name: String, in account: String) -> UserEntry? { users[PrincipalName(account: account, name: name)] }

    /// Returns the group with a name, without regard to case.
    package func group(_ name: String, in account: String) -> Group? { groups[PrincipalName(account: account, name: name)] }

    /// Returns the role with a name, without regard to case.
    package func role(_ name: String, in account: String) -> RoleEntry? { roles[PrincipalName(account: account, name: name)] }

    /// Returns the instance profile with a name, without regard to case.
    package func instanceProfile(_ name: String, in account: String) -> InstanceProfile? {
        instanceProfiles[PrincipalName(account: account, name: name)]
    }

    /// Returns the role with an ARN `arn:aws:iam::<account>:role/<path><name>`; `nil` if path or account differ.
    package func role(arn: String) -> RoleEntry? { PrincipalName(arn: arn).flatMap { roles[$0] }.flatMap { $0.arn == arn ? $0 : nil } }

    /// Returns the role with an ARN of a vendor; `nil` if the ARN belongs to the other vendor.
    package func role(arn: String, at vendor: Vendor) -> RoleEntry? {
        role(arn: arn).flatMap { Vendor(account: $0.role.account) == vendor ? $0 : nil }
    }

    /// Returns the SAML provider with an ARN of a vendor; `nil` if the ARN belongs to the other vendor.
    package func samlTrust(arn: String, at vendor: Vendor) -> SAMLTrust? {
        samlTrusts[arn].flatMap { Vendor(account: $0.account) == vendor ? $0 : nil }
    }

    /// Returns the user with an ARN `arn:aws:iam::<account>:user/<path><name>`; `nil` if path or account differ.
    package func user(arn: String) -> UserEntry? { PrincipalName(arn: arn).flatMap { users[$0] }.flatMap { $0.arn == arn ? $0 : nil } }

    /// Returns the managed policy with an ARN: one of an account, of AWS or of Alibaba Cloud.
    package func policy(arn: String) -> ManagedPolicy? { policies[arn] ?? ManagedPolicy.ofAWS(arn) ?? ManagedPolicy.ofAlibaba(arn) }

    /// Returns the identity provider with a canonical issuer.
    package func provider(canonicalIssuer issuer: String) -> IdentityProvider? { tables.issuers[issuer].flatMap { providers[$0] } }

    /// Returns the names of the providers that answer at a host as issuers; `nil` if there are none.
    func issuerNames(atHost host: String) -> [String]? { tables.issuerHosts[host].map { $0.map(\.text) } }

    /// Returns the OpenID Connect provider with an issuer URL that an account trusts.
    package func trust(url: String, in account: String) -> OpenIDConnectTrust? {
        trusts[OpenIDConnectTrust.arn(ofIssuer: url, in: account)].flatMap { $0.url == url ? $0 : nil }
    }

    /// Returns the users of a group, sorted by name.
    package func members(of group: Group) -> [User] {
        users.values.lazy.map(\.user).filter { user in
            user.account == group.account && user.groups.contains { $0 == group.name }
        }.sorted { $0.name < $1.name }
    }

    /// Adds a record, or replaces the one with the same ID, and records the change.
    package mutating func put(_ record: DirectoryRecord) {
        tables.changes.append(.put(record))
        if case .provider(let provider) = record {
            tables.changes += Self.changes(from: providers[provider.name], to: provider)
        }
        insert(record)
    }

    /// Removes a record, if there is one, and records the change.
    package mutating func remove(_ id: DirectoryRecord.ID) {
        tables.changes.append(.remove(id))
        if id.family == .provider { tables.changes += Self.changes(from: providers[id.name], to: nil) }
        forget(id)
    }

    /// Clears the list of changes, after they were written to the database.
    package mutating func forgetChanges() { tables.changes = [] }

    /// Returns the same directory for a copy of the sandbox. Both share the records and their compiled policies. The copy has no activity
    /// of roles yet.
    package var forCopy: Directory {
        var copy = self
        copy.tables.roles = roles.mapValues { RoleEntry(role: $0.role, policies: $0.policies, activity: LastActivity()) }
        copy.tables.changes = []
        return copy
    }

    /// Adds a record, or replaces the one with the same ID, without recording a change.
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
            for host in provider.issuerHosts { tables.issuerHosts[host, default: []].insert(TextKey(provider.name)) }
        case .client(let client): tables.providers[client.provider]?.clients.put(client.member, number: client.number)
        case .person(let person): tables.providers[person.provider]?.people.put(person.member, number: person.number)
        case .trust(let trust): tables.trusts[trust.arn] = trust
        case .samlTrust(let trust): tables.samlTrusts[trust.arn] = trust
        case .mobile(let record): tables.mobile.insert(record)
        case .vending(let record): tables.vending.insert(record)
        case .appServer(let server): tables.appServer = server
        case .credentialSource(let record): tables.credentialSources.insert(record)
        case .identityPool(let record): tables.identityPools.insert(record)
        case .userPool(let record): tables.userPools.insert(record)
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

    /// Recompiles the policies of every user and role that a managed policy applies to.
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
            for host in provider.issuerHosts {
                var others = tables.issuerHosts[host] ?? []
                others.remove(TextKey(provider.name))
                tables.issuerHosts[host] = others.isEmpty ? nil : others
            }
        case .client:
            guard let (provider, name) = id.providerAndMember else { return }
            tables.providers[provider]?.clients.remove(name)
        case .person:
            guard let (provider, name) = id.providerAndMember else { return }
            tables.providers[provider]?.people.remove(name)
        case .trust: tables.trusts[id.name] = nil
        case .samlTrust: tables.samlTrusts[id.name] = nil
        case .mobile: tables.mobile.forget(id.name)
        case .vending: tables.vending.forget(id.name)
        case .appServer: tables.appServer = nil
        case .credentialSource: tables.credentialSources.forget(id.name)
        case .identityPool: tables.identityPools.forget(id.name)
        case .userPool: tables.userPools.forget(id.name)
        }
    }
}

extension Table where Key == TextKey {
    /// The record with a key; `nil` if there is none, or to remove it.
    package subscript(key: String) -> Value? {
        get { self[TextKey(key)] }
        set { self[TextKey(key)] = newValue }
    }

    /// The keys, in no particular order.
    package var keys: [String] { map(\.key.text) }
}
