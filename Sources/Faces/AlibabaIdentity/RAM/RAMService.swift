import WireFormats

extension RPCService {
    /// Resource Access Management. (RAM API Reference, version 2015-05-01.)
    static let ram = RPCService(
        name: "ram", product: "Ram",
        operations: merged(
            users(.ram), accessKeys(.ram), loginProfiles(.ram), groups(.ram), memberships(.ram), roles, policies, policyVersions,
            attachments,
            accountSettings, tags(.ram)))

    /// Identity management: users by their login names, and identity providers. (IMS API Reference, version 2019-08-15.)
    static let ims = RPCService(
        name: "ims", product: "Ims",
        operations: merged(
            users(.ims), accessKeys(.ims), loginProfiles(.ims), groups(.ims), memberships(.ims), openIDConnectProviders, samlProviders,
            accountSummary, tags(.ims)))

    private static func merged(_ families: [String: RPCOperation]...) -> [String: RPCOperation] {
        families.reduce(into: [:]) { all, family in all.merge(family) { first, _ in first } }
    }
}

/// The service through which a shared operation is called. The two name users differently and return different members.
enum IdentityAPI: Sendable {
    /// RAM, which names users by `UserName`.
    case ram
    /// IMS, which names users by `UserPrincipalName`, `<name>@<alias or account>.onaliyun.com`.
    case ims

    var userParameter: String { self == .ram ? "UserName" : "UserPrincipalName" }
}
