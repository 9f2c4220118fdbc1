import Calls
import Cloud
import Directory
import WireFormats

/// The response types and modes of the authorization endpoint (OAuth 2.0 Multiple Response Type Encoding Practices).
enum ResponseTypes {
    /// The response types in the order of the specification; requests may use another order.
    static let supported = [
        "code", "id_token", "id_token token", "code id_token", "code token", "code id_token token", "token", "none",
    ]

    private static func parts(_ text: String) -> Set<AuthorizationRequest.ResponseType>? {
        let parts = text.split(separator: " ").map { AuthorizationRequest.ResponseType(rawValue: String($0)) }
        let known = Set(parts.compactMap { $0 })
        return known.count == parts.count && !known.isEmpty ? known : nil
    }

    /// Reads `response_type` and `response_mode`. Later errors are returned in this mode.
    /// - Throws: `AuthorizationFault`.
    static func read(_ parameters: FormFields, into request: inout AuthorizationRequest) throws(AuthorizationFault) {
        let type = parameters.value("response_type")
        let isKnown = type.map { type in supported.contains { parts($0) == parts(type) } } ?? false
        if isKnown, let asked = type.flatMap(parts) { request.responseTypes = asked }
        let client = request.client
        let carriesTokens = !request.responseTypes.isDisjoint(with: [.token, .idToken])
        let allowed = client.metadata.responseModes.map { $0.compactMap(AuthorizationAnswer.Mode.init(rawValue:)) }
        let usual: AuthorizationAnswer.Mode = carriesTokens ? .fragment : .query
        request.responseMode = allowed.map { $0.contains(usual) ? usual : $0.first ?? usual } ?? usual
        if let name = parameters.value("response_mode") {
            guard let mode = AuthorizationAnswer.Mode(rawValue: name) else {
                throw AuthorizationFault(.invalidRequest, "The response_mode is unknown.")
            }
            // Servers and proxies log queries (Multiple Response Type Encoding Practices section 3.0), so only clients that list `query`
            // receive tokens there.
            guard mode != .query || !carriesTokens || allowed?.contains(.query) == true else {
                throw AuthorizationFault(.invalidRequest, "Tokens are not returned in the response_mode query.")
            }
            guard allowed?.contains(mode) ?? true else {
                throw AuthorizationFault(.invalidRequest, "The client is not registered for this response_mode.")
            }
            request.responseMode = mode
        }
        guard let type else { throw AuthorizationFault(.invalidRequest, "The response_type is missing.") }
        guard isKnown else { throw AuthorizationFault(.unsupportedResponseType, "The response_type is not supported.") }
        guard client.mayAsk(for: type) else {
            throw AuthorizationFault(.unauthorizedClient, "The client is not registered for this response_type.")
        }
    }
}

extension Client {
    /// Returns whether the client has registered the response type. The default is `code` alone, if the client may redeem codes (RFC 7591
    /// section 2).
    fileprivate func mayAsk(for type: String) -> Bool {
        func parts(_ text: String) -> Set<Substring> { Set(text.split(separator: " ")) }
        return (metadata.responseTypes ?? (mayUse(.authorizationCode) ? ["code"] : [])).contains { parts($0) == parts(type) }
    }
}
