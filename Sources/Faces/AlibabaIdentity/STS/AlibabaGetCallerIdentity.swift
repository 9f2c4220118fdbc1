import Cloud
import Directory
import Federation
import Policy
import WireFormats

extension RPCService {
    /// GetCallerIdentity. Returns the signer of the call; no permission is needed. (STS API Reference, "GetCallerIdentity".)
    @Sendable static func getCallerIdentity(_ call: RPCCall) async throws -> RPCValue {
        switch call.caller {
        case .root(let account, _):
            return .identity("Account", of: account.id, id: account.id, arn: account.rootARN, further: ("UserId", account.id))
        case .user(let user, _):
            return .identity("RAMUser", of: user.user.account, id: user.user.id, arn: user.arn, further: ("UserId", user.user.id))
        case .role(let role, let session):
            return .identity(
                "AssumedRoleUser", of: role.role.account, id: call.caller.userID, arn: session.principal.name,
                further: ("RoleId", role.role.id))
        case .federatedUser, .anonymous: throw RPCError.noPermission
        }
    }
}

extension RPCValue {
    fileprivate static func identity(
        _ type: String, of account: String, id: String, arn: String, further: (name: String, id: String)
    ) -> RPCValue {
        .object([
            .init(name: "IdentityType", value: .text(type)), .init(name: "AccountId", value: .text(account)),
            .init(name: "PrincipalId", value: .text(id)), .init(name: "Arn", value: .text(arn)),
            .init(name: further.name, value: .text(further.id)),
        ])
    }
}
