import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import Tokens
import WireFormats

extension STSFace {
    /// GetWebIdentityToken. Returns a token with which the caller authenticates to external services.
    /// (STS API Reference, "GetWebIdentityToken"; IAM User Guide, "Understanding token claims".)
    @Sendable static func getWebIdentityToken(_ call: inout STSCall) async throws -> QueryService.Result? {
        try call.refuseGlobalEndpoint()
        let audiences = call.parameters.list("Audience", most: 10, length: 1...1000)
        if audiences.isEmpty { call.parameters.requireMembers(of: "Audience") }
        let name = call.parameters.requiredText("SigningAlgorithm", length: 5...5)
        let duration = try call.parameters.integer("DurationSeconds", range: 60...3600) ?? 300
        let subject = TokenSubject(&call.parameters)
        let tags = SessionTags(&call.parameters, of: call.caller, canBeTransitive: false)
        try call.parameters.check()
        guard let algorithm = SignatureAlgorithm(rawValue: name), OutboundIssuerFace.algorithms.contains(algorithm) else {
            throw ServiceError.validation(
                "Requested SigningAlgorithm is not supported. See the GetWebIdentityToken documentation for supported algorithms")
        }
        try tags.check(ofSession: false)
        try subject.check(audiences: audiences)
        var question = STSCall.Question(
            keys: [("sts:DurationSeconds", String(duration)), ("sts:SigningAlgorithm", name), ("sts:SubjectMode", subject.mode.rawValue)],
            lists: tags.conditionKeys)
        question.lists["sts:identitytokenaudience"] = .many(audiences)
        if !subject.scopes.isEmpty { question.lists["sts:identitytokenscope"] = .many(subject.scopes) }
        try call.authorize("sts:GetWebIdentityToken", question)
        if !tags.tags.isEmpty { try call.authorize("sts:TagGetWebIdentityToken", question) }
        if subject.scope != nil { try call.authorize("sts:SetWebIdentityTokenScope", question) }
        guard let issuer = call.directory.accounts[call.account]?.outboundIssuer, issuer.isEnabled else {
            throw ServiceError(
                "OutboundWebIdentityFederationDisabledException", .forbidden,
                "OutboundWebIdentityFederation is disabled.")
        }
        let expiry = call.now + .seconds(duration)
        if let session = call.caller.session?.credentials, expiry > session.effectiveExpiry(by: call.cloud.clock) {
            throw ServiceError(
                "SessionDurationEscalationException", .forbidden,
                "The requested token duration would extend the session beyond its original expiration time.")
        }
        var claims: JSONObject = [
            "iss": .string(issuer.url(for: call.http)),
            "aud": audiences.count == 1 ? .string(audiences[0]) : .array(audiences.map { .string($0) }),
            "sub": .string(try subject.name(of: call.caller)), "iat": .integer(call.now.seconds), "exp": .integer(expiry.seconds),
            "jti": .string(RequestID().uuid), "https://sts.amazonaws.com/": .object(call.identityClaims(tags.tags)),
        ]
        if subject.mode == .originIdentity { claims["subject_mode"] = .string(subject.mode.rawValue) }
        if let scope = subject.scope { claims["scope"] = .string(scope) }
        guard JSONValue.object(claims).serializedBytes().count <= longestPayload else {
            throw ServiceError("JWTPayloadSizeExceededException", .badRequest, "JWT payload exceeds maximum allowed size")
        }
        let key = try await call.cloud.signingKey(for: issuer.keyName, algorithm: algorithm)
        let token = try JSONWebToken.sign(claims: claims, key: key)
        return { xml in
            xml.element("WebIdentityToken", token)
            xml.element("Expiration", expiry.iso8601Milliseconds)
        }
    }

    /// The maximum size of the claims in bytes (observed of the real service).
    private static let longestPayload = 14_984
}

extension STSCall {
    /// Returns the claims about the caller and its session.
    fileprivate func identityClaims(_ requestTags: [Tag]) -> JSONObject {
        func object(_ tags: [Tag]) -> JSONValue { .object(JSONObject(tags.map { ($0.key, .string($0.value)) })) }
        var claims: JSONObject = [
            "aws_account": .string(account), "source_region": .string(region), "principal_id": .string(caller.principalARN),
        ]
        let principalTags = caller.principalTags
        if !principalTags.isEmpty { claims["principal_tags"] = object(principalTags) }
        if let session = caller.session?.credentials {
            claims["original_session_exp"] = .string(session.effectiveExpiry(by: cloud.clock).iso8601)
            if let provider = session.claims.first(where: { $0.key == "aws:FederatedProvider" })?.values.first {
                claims["federated_provider"] = .string(provider)
            }
            if let source = session.sourceIdentity { claims["source_identity"] = .string(source) }
        }
        if !requestTags.isEmpty { claims["request_tags"] = object(requestTags) }
        return claims
    }
}

extension Caller {
    /// The value of `aws:PrincipalArn`; for a session, the ARN of its role.
    var principalARN: String {
        if case .role(let role, _) = self { role.arn } else { arn ?? "" }
    }

    /// The tags of the user or role and of the session. Session tags take precedence.
    fileprivate var principalTags: [Tag] {
        let own: [Tag] =
            switch self {
            case .user(let user, _): user.user.tags
            case .role(let role, _): role.role.tags
            case .anonymous, .root, .federatedUser: []
            }
        let ofSession = session?.credentials.tags ?? []
        let keys = Set(ofSession.map { $0.key.lowercased() })
        return own.filter { !keys.contains($0.key.lowercased()) } + ofSession
    }
}
