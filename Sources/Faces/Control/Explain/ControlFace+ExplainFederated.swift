import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    private static let federatedMembers = ["as", "token", "providerId", "action", "resource", "context", "trustPolicy", "documents"]

    /// Explains whether a role's trust policy lets the users of an identity provider assume the role.
    ///
    /// For `AssumeRoleWithWebIdentity` and `AssumeRoleWithSAML`, `as` is the principal of the trust policy: `accounts.google.com` or the ARN
    /// of a provider, whose claims are in `context`. Or `token` is a token or SAML response, with `providerId` for one of Facebook or Amazon.
    /// - Returns: `nil` for other actions.
    func explain(federated body: JSONObject, _ call: Call) async throws -> Response? {
        guard let action = try body.text("action"), let kind = FederatedAction(action) else { return nil }
        let principal = try body.text("as")
        let token = try body.text("token")
        guard principal != nil || token != nil, let arn = try body.text("resource") else {
            if body["session"] != nil { throw ControlError.actionWithToken(action) }
            throw ControlError(
                .badRequest, "missing_member",
                "Send {\"as\":\"accounts.google.com\",\"action\":\"\(kind.name)\",\"resource\":\"arn:…:role/…\"}.")
        }
        if let principal, !kind.accepts(principal) { throw ControlError.actionWithToken(action) }
        try body.expect(only: Self.federatedMembers)
        guard principal == nil || token == nil else { throw Self.malformedMember("'as' and 'token' cannot be combined.") }
        let policies = try AssumedPolicies(body, action: action)
        guard let role = call.cloud.directory.role(arn: arn, at: .aws) else {
            throw ControlError.unknownRole(arn)
        }
        let context = try body.conditionKeys("context")
        let stored: [Authorizer.Verdict]
        if let token {
            stored = try await decide(kind, token: token, providerID: try body.text("providerId"), on: role, context, call)
        } else {
            let identity = AssumedIdentity(federatedPrincipal: principal ?? "")
            stored = [call.decide(kind.name, by: identity, on: role, sessionName: "explain", assumed: context)]
        }
        let verdicts = stored.map(policies.apply)
        // The permission to assume the role is explained, or else the first denial.
        guard let verdict = verdicts.first(where: { !$0.decision.isAllowed }) ?? verdicts.first else {
            throw ControlError.actionWithToken(action)
        }
        return .json(try verdict.answer(body, isAssumed: !policies.isEmpty).json)
    }

    /// Verifies a token as STS does, and evaluates the trust policy with its claims, for each action that the token requires.
    private func decide(
        _ kind: FederatedAction, token: String, providerID: String?, on role: RoleEntry, _ context: [String: ConditionValues], _ call: Call
    ) async throws -> [Authorizer.Verdict] {
        func decisions(on identity: some FederatedIdentity, _ sessionName: String) -> [Authorizer.Verdict] {
            identity.actions.map { call.decide($0, by: identity, on: role, sessionName: sessionName, assumed: context) }
        }
        func invalid(_ cause: String) -> ControlError {
            ControlError(.badRequest, "invalid_token", "STS does not accept the token: \(cause)")
        }
        let account = role.role.account
        switch kind {
        case .webIdentity:
            guard let inspection else { throw ControlError.actionWithToken(kind.name) }
            do {
                let identity = try await inspection.verifyWebIdentity(token, providerID, account, role.arn, call.names)
                return decisions(on: identity, "explain")
            } catch let error as WebIdentityError { throw invalid(error.cause ?? "\(error)") }
        case .saml:
            var refusal: SAMLIdentityError?
            for trust in call.cloud.directory.samlTrusts.values.sorted(by: { $0.arn < $1.arn }) where trust.account == account {
                guard let metadata = SAMLMetadata(try await trust.currentMetadata(in: call.cloud)) else { continue }
                do {
                    let verifier = SAMLIdentityVerifier(clock: call.cloud.clock, metadata: metadata, trust: trust)
                    let identity = try await verifier.verify(token, for: role.arn, in: call.cloud)
                    return decisions(on: identity, identity.sessionName)
                } catch let error as SAMLIdentityError { refusal = error }
            }
            throw invalid(refusal?.cause ?? "the account \(account) has no SAML provider.")
        }
    }

}

/// An action of STS whose calls present a token or an assertion.
private enum FederatedAction: String {
    case webIdentity = "sts:assumerolewithwebidentity"
    case saml = "sts:assumerolewithsaml"

    init?(_ action: String) { self.init(rawValue: action.lowercased()) }

    /// The action in the spelling of the service.
    var name: String {
        switch self {
        case .webIdentity: WebIdentity.action
        case .saml: SAMLIdentity.action
        }
    }

    /// Returns whether a text can be the `Federated` principal of a trust policy for this action.
    func accepts(_ principal: String) -> Bool {
        switch self {
        case .webIdentity: principal.contains(":oidc-provider/") || principal.contains(".") && !principal.contains(":")
        case .saml: principal.contains(":saml-provider/")
        }
    }
}

/// A user of an identity provider, without any claims but those of the question.
private struct AssumedIdentity: FederatedIdentity {
    static let action = WebIdentity.action
    static let canNameRoles = true

    var federatedPrincipal: String
    var trustKeys: [SessionCredentials.Claim] { [] }
    var sessionKeys: [SessionCredentials.Claim] { [] }
    var requests: SessionRequests { SessionRequests() }
}
