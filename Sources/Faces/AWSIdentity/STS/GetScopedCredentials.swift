import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension STSFace {
    /// GetScopedCredentials. Returns credentials of the calling session with fewer permissions or a shorter lifetime. The identity is the
    /// same. (STS API Reference, "GetScopedCredentials".)
    @Sendable static func getScopedCredentials(_ call: inout STSCall) async throws -> QueryService.Result? {
        try call.refuseGlobalEndpoint()
        let policy = call.parameters.text("Policy", length: 1...2048, pattern: .policy)
        let asked = try call.parameters.integer("DurationSeconds", range: 1...129_600)
        let leastSize = try call.parameters.leastSessionTokenSize()
        // Only CloudTrail records it; the journal has the parameters of the call.
        _ = call.parameters.text("ScopedSessionDescription", length: 2...256, pattern: .sessionDescription)
        try call.parameters.check()
        guard let calling = call.caller.session?.credentials else {
            throw ServiceError(
                "InvalidSubjectCredentials", .badRequest, "GetScopedCredentials must be called with temporary security credentials.")
        }
        guard policy != nil || asked != nil else {
            throw ServiceError.validation("At least one of Policy and DurationSeconds must be specified.")
        }
        try call.authorize("sts:GetScopedCredentials", STSCall.Question())
        guard policy == nil || calling.scopes.count < mostScopes else {
            throw ServiceError("AccessDenied", .forbidden, "A session can have at most \(mostScopes) scope down policies.")
        }
        let clock = call.cloud.clock
        let remaining = Int(calling.effectiveExpiry(by: clock).seconds - clock.now.seconds)
        guard asked ?? 0 <= remaining else {
            throw ServiceError(
                "InsufficientSessionLifetime", .badRequest,
                "The requested DurationSeconds exceeds the remaining lifetime of the calling session.")
        }
        let scope = try SessionPolicies(
            document: policy, arns: [], account: call.account, directory: call.directory, known: call.face.tokens.policies)
        let (credentials, token) = try call.face.tokens.mint(
            for: calling.holder, duration: asked ?? remaining, leastSize: leastSize
        ) { session in
            session.claims = calling.claims
            session.transitiveTagKeys = calling.transitiveTagKeys
            session.sessionPolicies = calling.sessionPolicies
            session.sessionPolicyARNs = calling.sessionPolicyARNs
            session.sourceIdentity = calling.sourceIdentity
            session.deviceUsed = calling.deviceUsed
            session.scopes = calling.scopes
            scope.narrow(&session)
        }
        let caller = call.caller
        return { xml in
            xml.credentials(credentials, token: token)
            xml.element("SessionInfo") { xml in
                xml.element("ScopedSessionId", caller.userID)
                xml.element("Arn", caller.arn ?? "")
            }
            xml.element("ScopedPoliciesCount", credentials.scopes.count)
            if let source = credentials.sourceIdentity { xml.element("SourceIdentity", source) }
        }
    }

    private static let mostScopes = 3
}

extension QueryParameters.Pattern {
    fileprivate static let sessionDescription = Self(
        text: "[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u00A1-\\u00FF]*", accepts: roleDescription.accepts)
}
