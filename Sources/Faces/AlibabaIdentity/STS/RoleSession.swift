import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// A session of a role.
struct RoleSession: Sendable {
    var role: Role
    var credentials: SessionCredentials
    var token: String

    /// The members that the responses of all operations have. (STS API Reference, "AssumeRole".)
    var members: [RPCValue.Member] {
        let name = credentials.sessionName
        let user: RPCValue = ["Arn": .text("\(role.arn)/\(name)"), "AssumedRoleId": .text("\(role.id):\(name)")]
        let keys: RPCValue = [
            "AccessKeyId": .text(credentials.accessKeyID), "AccessKeySecret": .text(credentials.secretAccessKey),
            "SecurityToken": .text(token), "Expiration": .text(credentials.expires.iso8601),
        ]
        var members: [RPCValue.Member] = [.init(name: "AssumedRoleUser", value: user), .init(name: "Credentials", value: keys)]
        if let source = credentials.sourceIdentity { members.append(.init(name: "SourceIdentity", value: .text(source))) }
        return members
    }
}

extension SessionTokens {
    /// Assumes a role for a user or another role. Both the caller's own policies and the role's trust policy must allow it.
    /// (STS API Reference, "AssumeRole"; RAM User Guide, "Assume a RAM role".)
    /// - Parameters:
    ///   - shortest: the minimum duration of the session in seconds.
    /// - Throws: `RPCError`, or an error of the random number generator.
    func assumeRole(
        _ parameters: SessionParameters, for caller: Caller, in call: Call,
        shortest: Int = SessionParameters.leastDuration
    ) throws -> RoleSession {
        switch caller {
        case .user, .role: break
        case .root, .federatedUser, .anonymous:
            throw RPCError("NoPermission", .forbidden, "Roles may not be assumed by root accounts.")
        }
        guard let role = call.cloud.directory.role(arn: parameters.roleARN, at: .alibaba)?.role else { throw RPCError.noSuchRole }
        var keys: [OperationKey] = []
        if let name = parameters.sessionName { keys.append(("sts:RoleSessionName", name)) }
        if let id = parameters.externalID { keys.append(("sts:ExternalId", id)) }
        if let source = parameters.sourceIdentity { keys.append(("sts:SourceIdentity", source)) }
        let verdict = call.authorize(
            caller, "sts:AssumeRole", on: role.arn, ownedBy: role.account,
            resourcePolicy: AttachedPolicy("trust policy of \(role.name)", role.trustPolicy.document), keys: keys)
        switch verdict.decision.outcome {
        case .allowed: break
        case .implicitDeny(missing: .roleTrust), .explicitDeny(in: .roleTrust): throw RPCError.notTrusted
        case .implicitDeny, .explicitDeny: throw RPCError.noPermission
        }
        return try session(of: role, parameters, shortest: shortest)
    }

    /// Returns a session of a role, after the caller has been authorized.
    /// - Throws: `RPCError`, or an error of the random number generator.
    func session(
        of role: Role, _ parameters: SessionParameters, shortest: Int = SessionParameters.leastDuration
    ) throws -> RoleSession {
        let duration = parameters.duration ?? 3600
        guard (shortest...max(shortest, role.maximumSessionDuration)).contains(duration) else {
            throw RPCError.duration(most: role.maximumSessionDuration)
        }
        var documents: [String] = []
        if let policy = parameters.policy {
            do {
                documents.append(try policies.entry(for: policy, .ram).compact)
            } catch {
                throw RPCError("InvalidParameter.PolicyGrammar", .badRequest, "The parameter Policy has not passed grammar check.")
            }
        }
        let (credentials, token) = try mint(
            for: .role(arn: role.arn, id: role.id, sessionName: parameters.sessionName ?? ""), duration: duration
        ) { session in
            session.sessionPolicies = documents
            session.sourceIdentity = parameters.sourceIdentity
        }
        return RoleSession(role: role, credentials: credentials, token: token)
    }
}
