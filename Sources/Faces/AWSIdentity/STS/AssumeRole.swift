import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The inputs of `AssumeRole`. (STS API Reference, "AssumeRole", constraints as in the service model.)
private struct AssumeRoleInput {
    var roleARN: String
    var roleSessionName: String
    var session: RoleSessionInput
    var tags: SessionTags
    var externalID: String?
    var code: MultiFactorCode
    var sourceIdentity: String?
    /// The ARNs of the context providers.
    var contextProviders: [String]

    init(_ call: inout STSCall) throws(ServiceError) {
        var parameters = call.parameters
        roleARN = parameters.roleARN()
        roleSessionName = parameters.requiredText("RoleSessionName", length: 2...64, pattern: .name)
        // The model names no longest policy here; what a session may carry bounds it.
        session = try RoleSessionInput(&parameters, longestPolicy: 256 << 10)
        tags = SessionTags(&parameters, of: call.caller, canBeTransitive: true)
        externalID = parameters.text("ExternalId", length: 2...1224, pattern: .externalID)
        code = MultiFactorCode(&parameters)
        sourceIdentity = parameters.text("SourceIdentity", length: 2...256, pattern: .name)
        contextProviders = (0..<parameters.count(of: "ProvidedContexts", most: 5)).compactMap { index in
            let member = "ProvidedContexts.member.\(index + 1)."
            _ = parameters.text(member + "ContextAssertion", length: 4...3072)
            return parameters.text(member + "ProviderArn", length: 20...2048, pattern: .arn)
        }
        call.parameters = parameters
        try parameters.check()
    }
}

extension AssumeRoleInput {
    /// Returns what the call requests of a role.
    fileprivate func assumption(of role: RoleEntry, sourceIdentity: String?) -> RoleAssumption {
        var assumption = RoleAssumption(of: role, named: roleSessionName)
        assumption.tags = tags.tags
        assumption.inheritedTags = tags.inherited
        assumption.transitiveTagKeys = tags.transitiveKeys
        assumption.externalID = externalID
        assumption.sourceIdentity = sourceIdentity
        return assumption
    }
}

extension STSFace {
    /// AssumeRole. Evaluates the role's trust policy and the caller's own policies, and issues credentials for a session of the role.
    @Sendable static func assumeRole(_ call: inout STSCall) async throws -> QueryService.Result? {
        let input = try AssumeRoleInput(&call)
        if let refusal = rootRefusal(of: call.action, by: call.caller) { throw refusal }
        guard let owner = RoleName(arn: input.roleARN, call.face.dialect)?.account else {
            throw ServiceError("ValidationError", .badRequest, "\(input.roleARN) is invalid")
        }
        // Contexts come from IAM Identity Center, which Virga does not have.
        if let provider = input.contextProviders.first {
            throw ServiceError("ValidationError", .badRequest, "The context provider \(provider) is not supported.")
        }
        try input.tags.check()
        let session = call.caller.session?.credentials
        if let set = session?.sourceIdentity, let asked = input.sourceIdentity, asked != set {
            throw ServiceError("ValidationError", .badRequest, "The source identity is already set for this assume role session")
        }
        let sourceIdentity = input.sourceIdentity ?? session?.sourceIdentity
        // A caller that may not assume a role does not learn whether it exists.
        guard let entry = call.directory.role(arn: input.roleARN, at: .aws) else {
            throw call.notAuthorized("sts:AssumeRole", on: input.roleARN)
        }
        let role = entry.role
        let deviceUsed = try input.code.verify(in: call)
        var assumption = input.assumption(of: entry, sourceIdentity: sourceIdentity)
        try call.authorize(assumption, ownedBy: owner, deviceUsed: deviceUsed)
        let duration = input.session.duration ?? 3600
        // The checks are in this order (observed of the real service).
        guard duration <= role.maximumSessionDuration else {
            throw ServiceError.longerThanRole
        }
        if session != nil, duration > longestChainedSession {
            throw ServiceError(
                "ValidationError", .badRequest,
                "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.")
        }
        let policies = try input.session.policies(
            tagBytes: input.tags.size, account: owner, directory: call.directory, known: call.face.tokens.policies)
        assumption.policies = policies
        assumption.isChained = session != nil
        let (credentials, token) = try call.face.tokens.session(by: assumption, duration: duration, leastSize: input.session.leastSize)
        return { xml in
            xml.assumedRoleUser(role, credentials)
            xml.credentials(credentials, token: token)
            if let sourceIdentity { xml.element("SourceIdentity", sourceIdentity) }
            if let size = policies.size { xml.element("PackedPolicySize", size) }
        }
    }

    /// The maximum duration in seconds of a session that another session requests, of a role or of GetSessionToken.
    /// (IAM User Guide, "Role chaining"; for GetSessionToken observed of the real service.)
    private static let longestChainedSession = 3600
}

extension STSCall {
    /// Authorizes `sts:AssumeRole` and the further actions of the assumption.
    /// - Parameter deviceUsed: when the caller used an MFA device for this call.
    fileprivate func authorize(_ assumption: RoleAssumption, ownedBy owner: String, deviceUsed: Timestamp?) throws(ServiceError) {
        var question = Question(resource: assumption.role.arn, owner: owner, trust: assumption.trust)
        question.keys = assumption.keys
        if deviceUsed != nil {
            question.keys += [("aws:MultiFactorAuthPresent", "true"), ("aws:MultiFactorAuthAge", "0")]
        }
        question.lists = assumption.tagKeys
        for action in assumption.actions { try authorize(action, question) }
    }
}

extension QueryParameters.Pattern {
    fileprivate static let externalID = Self(text: "[\\w+=,.@:\\/-]*") { scalar in
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_+=,.@:/-".unicodeScalars.contains(scalar))
    }
}
