package import Calls
package import Federation
import HTTPTypes
import WireFormats

/// The Security Token Service over the AWS Query protocol.
/// (STS API Reference, version 2011-06-15; XML namespace `https://sts.amazonaws.com/doc/2011-06-15/`.)
package struct STSFace: ServiceFace {
    typealias Wire = QueryProtocol
    typealias SignedCall = STSCall

    let service: QueryService
    /// Finds the keys of external identity providers.
    let issuers: ForeignIssuers
    /// The cached metadata of SAML providers.
    let samlMetadata = SAMLMetadataCache()
    let usedCodes = UsedCodes()
    let dialect: Dialect
    var authenticator: Authenticator { service.authenticator }
    var tokens: SessionTokens { authenticator.sessions }

    /// - Parameters:
    ///   - issuers: finds the keys of external identity providers.
    ///   - dialect: the real service to imitate where they differ.
    package init(authenticator: Authenticator, issuers: ForeignIssuers, dialect: Dialect = .aws) {
        self.dialect = dialect
        self.issuers = issuers
        // A SAML assertion has at most 100,000 characters, a session policy 2,048; everything else is small.
        service = QueryService(
            name: "sts",
            wire: QueryProtocol(
                version: "2011-06-15", namespace: "https://sts.amazonaws.com/doc/2011-06-15/",
                membersInJSON: QueryJSON(
                    moments: ["Expiration"], numbers: ["PackedPolicySize", "SessionTokenSize", "SessionTokenUtilization"])),
            bodyLimit: 256 << 10, takesVersion2: true, authenticator: authenticator,
            identify: { [samlMetadata] call in
                if call.action == "AssumeRoleWithSAML" { return await Self.samlIdentity(of: call, samlMetadata) }
                return await Self.webIdentity(of: call, issuers: issuers, dialect)
            })
    }

    /// Responds to one call.
    /// - Parameter form: the form, if the front door has already read it.
    package func respond(to call: Call, form: QueryForm?) async -> Response {
        if call.method == .options {
            call.note(face: "sts")
            return QueryCrossOrigin.preflight(call)
        }
        var response = await answer(call, form: form)
        QueryCrossOrigin.append(to: &response, for: call)
        return response
    }

    func signed(_ call: ServiceCall, by signer: Signer) throws(ServiceError) -> STSCall {
        if let refusal = Self.refusal(of: call.action, by: signer.caller) { throw refusal }
        guard let account = signer.caller.account else { throw Self.refusal(ofSessionFor: call.action) }
        return STSCall(
            face: self, http: call.http, caller: signer.caller, account: account, region: signer.region ?? "us-east-1",
            action: call.action, parameters: QueryParameters(call.fields))
    }

    static let operations: [String: ServiceOperation<STSFace>] = [
        "AssumeRole": .init(assumeRole), "AssumeRoot": .init(assumeRoot),
        "AssumeRoleWithSAML": .unsigned { face, call in
            try await face.assumeRoleWithSAML(AssumeRoleWithSAMLInput(call.fields), call.http).encode
        },
        "AssumeRoleWithWebIdentity": .unsigned { face, call in
            try await face.assumeRoleWithWebIdentity(AssumeRoleWithWebIdentityInput(call.fields), call.http).encode
        },
        "DecodeAuthorizationMessage": .init(decodeAuthorizationMessage), "GetAccessKeyInfo": .init(getAccessKeyInfo),
        "GetCallerIdentity": .init(getCallerIdentity), "GetDelegatedAccessToken": .init(getDelegatedAccessToken),
        "GetFederationToken": .init(getFederationToken), "GetScopedCredentials": .init(getScopedCredentials),
        "GetSessionToken": .init(getSessionToken), "GetWebIdentityToken": .init(getWebIdentityToken),
    ]

    /// The operations to which policies do not apply. (STS API Reference, "GetCallerIdentity" and "GetSessionToken", "Permissions".)
    static let withoutPolicies: Set<String> = ["GetCallerIdentity", "GetSessionToken"]

    /// Returns the signed operation that policies name as an action, in any case; `nil` for another text.
    static func operation(ofAction action: String) -> String? {
        operations.first { $0.value.isSigned && "sts:\($0.key)".lowercased() == action.lowercased() }?.key
    }

    /// Returns the error for credentials that cannot be used for an operation at all, independent of policies.
    /// (IAM User Guide, "Compare AWS STS credentials", "Limitations"; the message is observed for the two that issue credentials.)
    static func refusal(of action: String, by caller: Caller) -> ServiceError? {
        takes(action, from: caller) ? nil : refusal(ofSessionFor: action)
    }

    private static func refusal(ofSessionFor action: String) -> ServiceError {
        ServiceError("AccessDenied", .forbidden, "Cannot call \(action) with session credentials")
    }

    /// Returns the error for a root user that assumes a role.
    static func rootRefusal(of action: String, by caller: Caller) -> ServiceError? {
        guard action == "AssumeRole", case .root = caller else { return nil }
        return ServiceError("AccessDenied", .forbidden, "Roles may not be assumed by root accounts.")
    }

    private static func takes(_ action: String, from caller: Caller) -> Bool {
        switch caller {
        case .root(_, _?), .user(_, _?): ["AssumeRole", "GetCallerIdentity", "GetScopedCredentials"].contains(action)
        case .federatedUser: ["GetCallerIdentity", "GetScopedCredentials"].contains(action)
        case .role: !["GetSessionToken", "GetFederationToken"].contains(action)
        case .root(_, nil), .user(_, nil), .anonymous: true
        }
    }
}
