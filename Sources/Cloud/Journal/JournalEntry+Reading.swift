import Policy
import WireFormats

extension JournalEntry {
    /// ``target`` with the values of secret parameters replaced, so that a journal can be shown around.
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
        "id_token_hint", "request", "samlassertion", "samlresponse", "user_code", "key", "securitytoken",
        "security-token", "x-oss-signature", "x-oss-security-token", "oidctoken",
    ]

    /// Whether the caller was refused: by a policy, or since a signature, a token or a login does not count.
    package var isRefused: Bool {
        isReported || status == 401 || status == 403 || errorCode.map(Self.refusals.contains) == true
    }

    /// Why the request failed, in words: what policies decided, else the message of the error in one line, without secrets; nil for a
    /// request that did not fail.
    package var reason: String? {
        // Of a refusal the last denial is the one that ended it; of what was served the first one would have.
        let denial = isReported ? decisions.first { !$0.allowed } : decisions.last { !$0.allowed }
        if isRefused, let reason = denial?.evidence.trace.reason { return reason }
        let message = errorMessage.flatMap(Self.reason(message:))
        guard let cause else { return message }
        return message.map { "\($0) Cause: \(cause)" } ?? cause
    }

    /// Codes of refusals that are answered with other statuses.
    private static let refusals: Set<String> = [
        "ExpiredToken", "ExpiredTokenException", "InvalidIdentityToken", "IDPRejectedClaim", "InvalidToken", "InvalidClientTokenId",
        "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "invalid_client", "invalid_grant", "invalid_token",
        "invalid_request_object", "access_denied", "AuthenticationFail.OIDCToken.Expired", "AuthenticationFail.OIDCToken.Invalid",
        "InvalidSecurityToken.Expired", "InvalidSecurityToken.Malformed", "SecurityTokenExpired",
    ]
}
