extension RPCService {
    /// Resource Access Management. (RAM API Reference, version 2015-05-01.)
    static let ram = RPCService(
        name: "ram", product: "Ram",
        operations: merged(
            users(.ram), accessKeys(.ram), loginProfiles(.ram), groups(.ram), memberships(.ram), roles, policies, policyVersions,
            attachments,
            accountSettings, tags(.ram)))

    /// Identity management: users by their login names, and the providers of others' identities. (IMS API Reference, version 2019-08-15.)
    static let ims = RPCService(
        name: "ims", product: "Ims",
        operations: merged(
            users(.ims), accessKeys(.ims), loginProfiles(.ims), groups(.ims), memberships(.ims), openIDConnectProviders, samlProviders,
            accountSummary, tags(.ims)))

    private static func merged(_ families: [String: RPCOperation]...) -> [String: RPCOperation] {
        families.reduce(into: [:]) { all, family in all.merge(family) { first, _ in first } }
    }
}

/// Which of two services an operation that both have is called through: they name users differently, and tell different things of them.
enum IdentityAPI: Sendable {
    /// Users by `UserName`.
    case ram
    /// Users by `UserPrincipalName`, `<name>@<alias or account>.onaliyun.com`.
    case ims

    var userParameter: String { self == .ram ? "UserName" : "UserPrincipalName" }
}
