import WireFormats

/// One record of the directory, as it is stored in the database.
package enum DirectoryRecord: Sendable {
    case account(Account)
    case user(User)
    case group(Group)
    case role(Role)
    case policy(ManagedPolicy)
    case instanceProfile(InstanceProfile)
    case device(MultiFactorDevice)
    /// An identity provider, without its clients and people.
    case provider(IdentityProvider)
    case client(ProviderMember<Client>)
    case person(ProviderMember<Person>)
    case trust(OpenIDConnectTrust)
    case samlTrust(SAMLTrust)
    case mobile(MobileCloudRecord)
    case vending(VendingMachineRecord)
    /// The business server; there is at most one.
    case appServer(AppServer)
    case credentialSource(CredentialSourceRecord)
    case identityPool(IdentityPoolRecord)
    case userPool(UserPoolRecord)

    /// The kinds of records. The raw value is stored in the database.
    package enum Family: String, Sendable {
        case account, user, group, role, policy, instanceProfile, device, provider, trust, samlTrust, mobile, vending, appServer
        case credentialSource, identityPool, userPool
        // In the order of their names, these follow the provider.
        case client = "providerClient"
        case person = "providerPerson"
    }

    /// The identity of a record. It is unique within a family.
    package struct ID: Hashable, Sendable {
        /// The kind of record.
        package var family: Family
        /// The name of the record within its family.
        package var name: String

        package init(_ family: Family, _ name: String) {
            self.family = family
            self.name = name
        }
    }

    /// The identity of the record.
    package var id: ID {
        switch self {
        case .account(let account): ID(.account, account.id)
        case .user(let user): ID(.user, user.arn)
        case .group(let group): ID(.group, group.arn)
        case .role(let role): ID(.role, role.arn)
        case .policy(let policy): ID(.policy, policy.arn)
        case .instanceProfile(let profile): ID(.instanceProfile, profile.arn)
        case .device(let device): ID(.device, device.arn)
        case .provider(let provider): ID(.provider, provider.name)
        case .client(let client): ID(.client, client.recordName)
        case .person(let person): ID(.person, person.recordName)
        case .trust(let trust): ID(.trust, trust.arn)
        case .samlTrust(let trust): ID(.samlTrust, trust.arn)
        case .mobile(let record): ID(.mobile, record.name)
        case .vending(let record): ID(.vending, record.name)
        case .appServer: ID(.appServer, "server")
        case .credentialSource(let record): ID(.credentialSource, record.name)
        case .identityPool(let record): ID(.identityPool, record.name)
        case .userPool(let record): ID(.userPool, record.name)
        }
    }
}
