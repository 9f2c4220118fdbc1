/// How the statements that allow a request name the principal. This decides which other policies need not allow it too
/// (IAM User Guide, "Policy evaluation logic", how resource-based policies that name different principals are evaluated).
struct Grants: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// By an identity policy, a boundary or a session policy, which have no Principal element.
    static let holder = Grants(rawValue: 1)
    static let everyone = Grants(rawValue: 2)
    /// By the account's id, its root ARN or its canonical user id, which delegates to the account's own policies.
    static let account = Grants(rawValue: 4)
    static let user = Grants(rawValue: 8)
    static let role = Grants(rawValue: 16)
    static let roleSession = Grants(rawValue: 32)
    static let federatedUser = Grants(rawValue: 64)
    /// By the ARN of the user that made a federated-user session.
    static let issuingUser = Grants(rawValue: 128)
    static let provider = Grants(rawValue: 256)
    static let service = Grants(rawValue: 512)
    /// By a NotPrincipal element that does not list the principal.
    static let notExcepted = Grants(rawValue: 1024)

    /// Grants of a resource policy of the same account that need no identity policy.
    static let withoutIdentityPolicy: Grants = [everyone, user, role, roleSession, federatedUser, issuingUser, notExcepted]
    /// Grants that a permissions boundary without a matching statement does not limit.
    static let beyondBoundary: Grants = [everyone, user, roleSession, federatedUser, notExcepted]
    /// Grants that a session policy without a matching statement does not limit.
    static let beyondSessionPolicy: Grants = [everyone, roleSession, federatedUser, notExcepted]
}
