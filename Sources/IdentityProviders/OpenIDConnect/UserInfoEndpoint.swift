import Cloud
import Exchange
import Federation
import HTTPTypes
import WireFormats

/// The userinfo endpoint (OpenID Connect Core 1.0 section 5.3), a resource protected by bearer tokens (RFC 6750).
struct UserInfoEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject { ["userinfo_endpoint": .string(visit.url(of: .userInfo))] }

    func respond() async throws -> Response {
        try await visit.enter("UserInfo")
        guard let token = try await self.token() else {
            // Who gave no token is told no error (RFC 6750 section 3.1).
            let response = OAuthError(.invalidToken, "An access token is needed.", status: .unauthorized, challenge: challenge())
            throw response
        }
        guard let grant = try await visit.grant(ofAccessToken: token),
            let approval = Approval(grant, at: visit.provider)
        else { throw refusal(.invalidToken, "The access token is unknown, expired or revoked.", status: .unauthorized) }
        visit.exchange.note(caller: approval.person.name)
        guard approval.scopes.contains("openid") else {
            throw refusal(.insufficientScope, "The access token was not issued for the scope openid.", status: .forbidden)
        }
        var claims: JSONObject = ["sub": .string(approval.person.subject)]
        for (name, value) in approval.person.claims(for: approval.scopes, and: approval.claims.userInfo).members { claims[name] = value }
        return .json(.object(claims), headers: .unstored)
    }

    /// The token, by header or by form (RFC 6750 sections 2.1 and 2.2); in the query it is not taken (RFC 9700 section 4.3.2).
    private func token() async throws -> String? {
        let header = visit.authorization("bearer")
        guard visit.exchange.method == .post, visit.exchange.headers[.contentType] != nil else { return header }
        do {
            let field = try await visit.form()["access_token"]
            if field != nil, header != nil {
                throw refusal(.invalidRequest, "The access token is sent twice.", status: .badRequest)
            }
            return header ?? field
        } catch let fault as FormFault {
            throw refusal(.invalidRequest, fault.explanation, status: .badRequest)
        }
    }

    private func challenge() -> String { "Bearer realm=\"\(visit.provider.name)\"" }

    private func refusal(_ code: OAuthError.Code, _ description: String, status: HTTPResponse.Status) -> OAuthError {
        OAuthError(
            code, description, status: status,
            challenge: "\(challenge()), error=\"\(code.rawValue)\", error_description=\"\(description)\"")
    }
}
