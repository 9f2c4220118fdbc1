package import Calls
package import Federation
import HTTPTypes
import WireFormats

/// Identity and Access Management over the AWS Query protocol.
/// (IAM API Reference, version 2010-05-08; XML namespace `https://iam.amazonaws.com/doc/2010-05-08/`.)
package struct IAMFace: ServiceFace {
    typealias Wire = QueryProtocol
    typealias SignedCall = IAMCall

    let service: QueryService
    private let toolbox: IAMToolbox
    private let dialect: Dialect

    /// - Parameters:
    ///   - dialect: the real service to imitate where they differ.
    package init(authenticator: Authenticator, dialect: Dialect = .aws) {
        self.dialect = dialect
        toolbox = IAMToolbox(authenticator: authenticator)
        // The metadata of a SAML provider has at most 10,000,000 characters, each of which a form may encode in three.
        service = QueryService(
            name: "iam", wire: QueryProtocol(version: "2010-05-08", namespace: "https://iam.amazonaws.com/doc/2010-05-08/"),
            bodyLimit: 32 << 20, authenticator: authenticator)
    }

    /// Responds to one call.
    /// - Parameter form: the form, if the front door has already read it.
    package func respond(to call: Call, form: QueryForm?) async -> Response {
        if form == nil, IAMToolbox.answers(call.path) { return await toolbox.answer(call) }
        // Pages of other origins cannot call IAM: it redirects browsers that send a preflight request to its description.
        if call.method == .options {
            call.note(face: "iam")
            return Response(status: .found, headers: [.location: "https://aws.amazon.com/iam"])
        }
        return await answer(call, form: form)
    }

    func signed(_ call: ServiceCall, by signer: Signer) throws(ServiceError) -> IAMCall {
        let caller = signer.caller
        if let refusal = Self.refusal(of: caller) { throw refusal }
        guard let account = caller.account else { throw ServiceError.invalidClientToken }
        return IAMCall(http: call.http, caller: caller, account: account, action: call.action, dialect: dialect, fields: call.fields)
    }

    /// Returns the error for credentials that cannot be used at all: those of GetSessionToken can call IAM only with an MFA device, those of
    /// GetFederationToken never, those of a login always. (IAM User Guide, "Compare AWS STS credentials".)
    static func refusal(of caller: Caller) -> ServiceError? {
        switch caller {
        case .root(_, let session?) where session.credentials.isSignIn, .user(_, let session?) where session.credentials.isSignIn: nil
        case .root(_, let session?), .user(_, let session?): session.credentials.deviceUsed == nil ? .invalidClientToken : nil
        case .federatedUser: .invalidClientToken
        case .root, .user, .role, .anonymous: nil
        }
    }

    typealias Operation = ServiceOperation<IAMFace>

    /// Each family of operations has its own table next to its code.
    static let operations: [String: Operation] = [
        users, boundaries, inlinePolicies, attachedPolicies, groups, memberships, accessKeys, loginProfiles, publicKeys,
        signingCertificates, serverCertificates, serviceCredentials, virtualDevices, deviceAssignment, accountAliases, passwordPolicies,
        accountSummary, credentialReports, roles, roleSettings, serviceLinkedRoles, instanceProfiles, managedPolicies, policyVersions,
        tags, openIDConnectProviders, samlProviders, reports, accessReports, outboundFederation, tokenPreferences, organizationFeatures,
        simulation, unavailable,
    ].reduce(into: [:]) { all, family in
        all.merge(family) { first, _ in first }
    }

    /// Operations of the service model that Virga does not support.
    private static let unavailable: [String: Operation] = Dictionary(
        uniqueKeysWithValues: [
            "AcceptDelegationRequest", "AcquireRole", "AssociateDelegationRequest", "CreateDelegationRequest",
            "GenerateOrganizationsAccessReport", "GetAccountProperties", "GetDelegationRequest",
            "GetHumanReadableSummary", "GetOrganizationsAccessReport", "GetRoleTemplateVersion",
            "ListDelegationRequests", "PutAccountProperties", "RejectDelegationRequest", "SendDelegationToken",
            "UpdateDelegationRequest",
        ].map { ($0, Operation.notImplemented) })
}

extension ServiceError {
    /// The service does not accept the credentials.
    static let invalidClientToken = ServiceError(
        "InvalidClientTokenId", .forbidden, "The security token included in the request is invalid")
}
