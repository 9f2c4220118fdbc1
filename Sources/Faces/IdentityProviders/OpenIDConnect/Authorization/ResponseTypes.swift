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

    /// The response modes: those of the specifications, and those in which the response is a token (JARM section 2.3).
    static let modes = ["query", "fragment", "form_post", "jwt", "query.jwt", "fragment.jwt", "form_post.jwt"]

    private static func parts(_ text: String) -> Set<AuthorizationRequest.ResponseType>? {
        let parts = text.split(separator: " ").map { AuthorizationRequest.ResponseType(rawValue: String($0)) }
        let known = Set(parts.compactMap { $0 })
        return known.count == parts.count && !known.isEmpty ? known : nil
    }

    /// Reads `response_type` and `response_mode`. Later errors are returned in this mode.
    /// - Throws: `AuthorizationFault`.
    static func read(
        _ parameters: FormFields, into request: inout AuthorizationRequest, as manners: ProviderManners
    ) throws(AuthorizationFault) {
        let type = parameters.value("response_type")
        let isKnown = type.map { type in supported.contains { parts($0) == parts(type) } } ?? false
        if isKnown, let asked = type.flatMap(parts) { request.responseTypes = asked }
        let client = request.client
        let carriesTokens = !request.responseTypes.isDisjoint(with: [.token, .idToken])
        let allowed = client.metadata.responseModes.map { $0.compactMap(AuthorizationAnswer.Mode.init(rawValue:)) }
        let usual: AuthorizationAnswer.Mode = carriesTokens ? .fragment : .query
        request.responseMode = allowed.map { $0.contains(usual) ? usual : $0.first ?? usual } ?? usual
        if let name = parameters.value("response_mode") {
            guard modes.contains(name) else { throw manners.refusals.unknownResponseMode }
            let isToken = name == "jwt" || name.hasSuffix(".jwt")
            let mode = name == "jwt" ? usual : AuthorizationAnswer.Mode(rawValue: isToken ? String(name.dropLast(4)) : name) ?? usual
            // Servers and proxies log queries (Multiple Response Type Encoding Practices section 3.0), so only clients that list the mode
            // receive tokens there, and those that receive encrypted responses (JARM section 2.3.1).
            let isHidden = isToken && client.metadata.authorizationEncryptedResponseAlg != nil
            guard mode != .query || !carriesTokens || isHidden || client.metadata.responseModes?.contains(name) == true else {
                throw manners.refusals.tokensInQuery(name)
            }
            guard client.metadata.responseModes?.contains(name) ?? true else {
                throw AuthorizationFault(.invalidRequest, "The client is not registered for this response_mode.")
            }
            request.responseMode = mode
            request.receivesToken = isToken
        }
        guard let type else { throw manners.refusals.missingResponseType }
        guard isKnown else { throw manners.refusals.unsupportedResponseType }
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
