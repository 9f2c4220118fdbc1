import Cloud
import Directory
import Federation
import WireFormats

extension STSFace {
    /// GetSessionToken. Policies do not apply to it, because it authenticates. (STS API Reference, "GetSessionToken".)
    @Sendable static func getSessionToken(_ call: inout STSCall) async throws -> QueryService.Result? {
        let asked = try call.parameters.integer("DurationSeconds", range: 900...129_600)
        let code = MultiFactorCode(&call.parameters)
        let leastSize = try call.parameters.leastSessionTokenSize()
        try call.parameters.check()
        let deviceUsed = try code.verify(in: call)
        let (holder, longest): (SessionCredentials.Holder, Int)
        switch call.caller {
        case .user(let user, _): (holder, longest) = (.user(arn: user.arn, id: user.user.id), 129_600)
        default: (holder, longest) = (.root(account: call.account), longestRootSession)
        }
        // A longer duration than the root user may have is not rejected but shortened.
        let (credentials, token) = try call.face.tokens.mint(
            for: holder, duration: min(asked ?? 43_200, longest), leastSize: leastSize
        ) { session in
            session.deviceUsed = deviceUsed
        }
        return { xml in xml.credentials(credentials, token: token) }
    }

    /// The maximum duration of a session of the root user in seconds.
    static let longestRootSession = 3600
}
