import Calls
import Federation

extension RPCService {
    /// AssumeRole. Evaluates the caller's own policies and the role's trust policy, and issues credentials for a session of the role.
    /// (STS API Reference, "AssumeRole".)
    @Sendable static func assumeRole(_ call: RPCCall) async throws -> RPCValue {
        var parameters = try SessionParameters(call)
        try parameters.readConditions(call)
        let session = try call.face.authenticator.sessions.assumeRole(parameters, for: call.caller, in: call.http)
        return .object(session.members)
    }
}
