import Calls
import Cloud
import Directory
import Federation
import Policy
import WireFormats

/// An identity provider as the roles of one account trust it, and the roles that some of its people may be able to assume.
struct ReachIssuer {
    /// A role that a person can assume.
    struct Way {
        let role: RoleEntry
        let client: String
        let trust: Reach
        /// The condition keys of the session.
        let keys: [(key: String, value: String)]
    }

    /// The identity of a token, with the claims that are known.
    private struct Identity: FederatedIdentity {
        static let action = WebIdentity.action
        static let canNameRoles = true

        let federatedPrincipal: String
        var trustKeys: [SessionCredentials.Claim] { [] }
        var sessionKeys: [SessionCredentials.Claim] { [] }
        var requests: SessionRequests { SessionRequests() }
    }

    /// The most clients of a provider whose tokens are tried.
    private static let mostClients = 20

    private let provider: IdentityProvider
    /// The `Federated` principal of trust policies.
    private let principal: String
    /// The beginning of the condition keys, up to the colon.
    private let prefix: String
    /// Whether the roles are those of Alibaba Cloud, whose sessions have no claims.
    private let isOfAlibaba: Bool
    /// The issuer in tokens.
    private let issuer: String?
    private let clients: [Client]
    private let roles: [RoleEntry]

    private var action: String { isOfAlibaba ? "sts:AssumeRole" : WebIdentity.action }

    /// Returns the issuers that a provider is to the accounts of a sandbox.
    static func all(of provider: IdentityProvider, _ call: Call) -> [ReachIssuer] {
        let directory = call.cloud.directory
        let descriptor = provider.kind.descriptor
        guard descriptor.isKnownToSTS else { return [] }
        let clients = Array(provider.clients.prefix(mostClients))
        if let principal = descriptor.principal, provider.kind != .google {
            return [ReachIssuer(provider, principal, prefix: principal, account: nil, clients, call)]
        }
        let trusts = directory.trusts.values.filter { directory.provider(issuer: $0.url, names: call.names)?.name == provider.name }
            .sorted { $0.arn < $1.arn }
        var issuers = trusts.map { trust in
            ReachIssuer(
                provider, trust.arn, prefix: trust.hostAndPath, account: trust.account,
                clients.filter { trust.clientIDs.contains($0.id) }, issuer: trust.url, call)
        }
        // Google needs no provider object in accounts of AWS.
        if provider.kind == .google {
            let google = IdentityProvider.Kind.googlePrincipal
            for account in directory.accounts.keys.sorted()
            where Vendor(account: account) == .aws && !trusts.contains(where: { $0.account == account }) {
                issuers.append(ReachIssuer(provider, google, prefix: google, account: account, clients, call))
            }
        }
        return issuers
    }

    /// - Parameter account: the account of the roles; `nil` for all of AWS.
    private init(
        _ provider: IdentityProvider, _ principal: String, prefix: String, account: String?, _ clients: [Client], issuer: String? = nil,
        _ call: Call
    ) {
        self.provider = provider
        self.principal = principal
        isOfAlibaba = account.map { Vendor(account: $0) == .alibaba } ?? false
        self.prefix = isOfAlibaba ? "oidc" : prefix
        self.issuer = isOfAlibaba ? issuer : nil
        self.clients = clients
        let action = isOfAlibaba ? "sts:AssumeRole" : WebIdentity.action
        let candidates = call.cloud.directory.roles.values.filter { entry in
            account.map { entry.role.account == $0 } ?? (Vendor(account: entry.role.account) == .aws)
        }
        roles = candidates.sorted { $0.arn < $1.arn }.filter { entry in
            Self.reach(of: principal, action, entry, [], call) != .denied
        }
    }

    /// Returns the roles that a person can assume, each with the client that is best for it.
    /// - Parameter count: counts the decisions.
    func ways(of person: Person, _ call: Call, counting count: inout Int) -> [Way] {
        guard person.isEnabled else { return [] }
        return roles.compactMap { role in
            var best: Way?
            for client in clients where best?.trust != .allowed {
                let keys = claims(of: person, client)
                count += 1
                let trust = Self.reach(of: principal, action, role, keys.trust, call)
                if trust > best?.trust ?? .denied { best = Way(role: role, client: client.id, trust: trust, keys: keys.session) }
            }
            return best
        }
    }

    /// The condition keys that a token of a client has for a person: for the trust policy, and for the session.
    private func claims(
        of person: Person, _ client: Client
    ) -> (trust: [(key: String, value: String)], session: [(key: String, value: String)]) {
        let descriptor = provider.kind.descriptor
        let audience = provider.kind == .amazon ? client.applicationID ?? client.id : client.id
        let keys = [
            (key: "\(prefix):\(descriptor.audienceKey)", value: audience),
            (key: "\(prefix):\(descriptor.subjectKey)", value: provider.identifier(of: person, for: client)),
        ]
        if let issuer { return (keys + [(key: "\(prefix):iss", value: issuer)], []) }
        return (keys, keys)
    }

    /// Returns whether the trust policy of a role lets a token of an identity provider in.
    /// - Parameter known: the claims that are known; all others can have any value.
    private static func reach(
        of principal: String, _ action: String, _ role: RoleEntry, _ known: [(key: String, value: String)], _ call: Call
    ) -> Reach {
        let verdict = call.decide(
            action, by: Identity(federatedPrincipal: principal), on: role, sessionName: "reach", assumed: known.conditionKeys)
        let names = known.map { $0.key.lowercased() }
        return verdict.reach { key in !names.contains(key) && OpenKeys.differ(bySession: key) || OpenKeys.differ(byRequest: key) }
    }
}
