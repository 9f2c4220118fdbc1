/// As what the principal was named by the statements that allow a request: it decides which other policies may stay silent
/// (IAM User Guide, "Policy evaluation logic", how resource-based policies that name different principals are evaluated).
struct Grants: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// By an identity policy, a boundary or a session policy, which name nobody.
    static let holder = Grants(rawValue: 1)
    static let everyone = Grants(rawValue: 2)
    /// By the account's id, its root ARN or its canonical user id: the account delegates further.
    static let account = Grants(rawValue: 4)
    static let user = Grants(rawValue: 8)
    static let role = Grants(rawValue: 16)
    static let roleSession = Grants(rawValue: 32)
    static let federatedUser = Grants(rawValue: 64)
    /// By the ARN of the user behind a federated-user session.
    static let issuingUser = Grants(rawValue: 128)
    static let provider = Grants(rawValue: 256)
    static let service = Grants(rawValue: 512)
    /// By not being among those whom NotPrincipal excepts.
    static let notExcepted = Grants(rawValue: 1024)

    /// Grants of a resource policy of the same account that need no identity policy to agree.
    static let withoutIdentityPolicy: Grants = [everyone, user, role, roleSession, federatedUser, issuingUser, notExcepted]
    /// Grants that no silent permissions boundary limits.
    static let beyondBoundary: Grants = [everyone, user, roleSession, federatedUser, notExcepted]
    /// Grants that no silent session policy limits.
    static let beyondSessionPolicy: Grants = [everyone, roleSession, federatedUser, notExcepted]
}
