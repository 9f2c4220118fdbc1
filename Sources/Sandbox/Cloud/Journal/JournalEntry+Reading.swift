import Policy
import WireFormats

extension JournalEntry {
    /// The ``target`` without the values of secret parameters, so that the journal can be shared.
    package var maskedTarget: String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let parameters = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let masked = parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            let decoded = percentDecoded(String(name)) ?? String(name)
            return Self.secretParameters.contains(decoded.lowercased()) ? "\(name)=…" : String(parameter)
        }
        return target[...mark] + masked.joined(separator: "&")
    }

    private static let secretParameters: Set<String> = [
        "x-amz-signature", "x-amz-security-token", "signature", "access_token", "refresh_token", "input_token", "id_token",
        "code", "code_verifier", "client_secret", "password", "webidentitytoken", "fb_exchange_token", "token",
        "id_token_hint", "request", "samlassertion", "session_code", "samlresponse", "user_code", "key", "securitytoken",
        "security-token", "x-oss-signature", "x-oss-security-token", "oidctoken", "session", "sessionkey", "sessiontoken", "signintoken",
        "form", "assertion", "client_assertion", "subject_token", "actor_token", "device_code", "devicecode", "refreshtoken",
        "clientsecret", "codeverifier",
    ]

    /// Whether the request was rejected, by a policy or because of its signature, token or login.
    package var isRefused: Bool {
        isReported || status == 401 || status == 403 || errorCode.map(Self.refusals.contains) == true
    }

    /// The reason of the failure: the decision of the policies, or else the error message in one line without secrets. `nil` if the request
    /// did not fail.
    package var reason: String? {
        if isRefused, let reason = denial?.evidence.trace.reason { return reason }
        return statedReason
    }

    /// The reason without the resource that policies denied: requests with the same text failed for the same cause.
    package var sharedReason: String? {
        if isRefused, let trace = denial?.evidence.trace, let reason = trace.decision.reason(action: trace.request.action) { return reason }
        return statedReason
    }

    /// The decision because of which the request failed, if a policy denied it. In a rejected request, the last denial ended it. In a request
    /// that was only reported, the first one would have.
    package var denial: JournalDecision? { isReported ? decisions.first { !$0.allowed } : decisions.last { !$0.allowed } }

    /// The error message in one line without secrets, and the cause that the client does not receive.
    private var statedReason: String? {
        let message = errorMessage.flatMap(Self.reason(message:))
        guard let cause else { return message }
        return message.map { "\($0) Cause: \(cause)" } ?? cause
    }

    /// Error codes of rejected requests that have other statuses.
    private static let refusals: Set<String> = [
        "ExpiredToken", "ExpiredTokenException", "InvalidIdentityToken", "IDPRejectedClaim", "InvalidToken", "InvalidClientTokenId",
        "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "invalid_client", "invalid_grant", "invalid_scope",
        "invalid_token", "invalid_request_object", "access_denied", "AuthenticationFail.OIDCToken.Expired",
        "AuthenticationFail.OIDCToken.Invalid",
        "InvalidSecurityToken.Expired", "InvalidSecurityToken.Malformed", "SecurityTokenExpired", "AccessDeniedException",
        "AssumeRoleUnauthorizedAccess", "InvalidIdInRequest", "InvalidTokenException", "InvalidGrantException",
        "InvalidScopeException", "IncompleteSignatureException", "InvalidSignatureException", "MissingAuthenticationTokenException",
        "UnrecognizedClientException",
    ]
}
