import Cloud
import Exchange
import HTTPTypes
import Tokens
import WireFormats

/// What a token is worth, and its end (RFC 7662, RFC 7009). Clients with a secret alone may ask.
struct TokenStatusEndpoint {
    let visit: Visit

    /// - Parameter path: `/token/introspect` or `/revoke`.
    func respond(at path: String) async throws -> Response {
        let isRevocation = path == "/revoke"
        try await visit.enter(isRevocation ? "Revoke" : "Introspect")
        let form: FormFields
        do {
            form = try await visit.form()
        } catch let fault as FormFault {
            throw OAuthError(.invalidRequest, fault.explanation, status: fault == .notPosted ? .methodNotAllowed : nil)
        }
        let client: Client
        do {
            client = try ClientAuthentication.client(of: form, headers: visit.exchange.headers, at: visit.provider)
        } catch {
            throw refusal
        }
        if !isRevocation, client.secret == nil { throw refusal }
        guard let token = form.value("token") else { throw OAuthError(.invalidRequest, "Token not provided.") }
        let grants = visit.cloud.grants
        let access = try grants.find(token, kind: .accessToken, at: visit.provider.name)
        let grant = try access ?? grants.find(token, kind: .refreshToken, at: visit.provider.name)
        guard isRevocation else {
            return .json(.object(grant.map { status(of: token, $0, isAccess: access != nil) } ?? ["active": false]), headers: .unstored)
        }
        // A token that is unknown is as good as revoked (RFC 7009 section 2.2); another client's is not its to revoke.
        if let grant, grant.client == client.id { try await grants.revoke(token) }
        return Response(status: .ok, headers: .unstored)
    }

    private var refusal: OAuthError {
        OAuthError(.invalidRequest, "Authentication failed.", status: .unauthorized)
    }

    /// The token's own claims, where it has any, and those that RFC 7662 section 2.2 names.
    private func status(of token: String, _ grant: Grant, isAccess: Bool) -> JSONObject {
        let person = visit.provider.person(named: grant.person)
        // Somebody who is gone has no tokens.
        if person == nil, !grant.person.isEmpty { return ["active": false] }
        var status = (try? JSONWebToken(parsing: token).claims) ?? [:]
        let aging = visit.cloud.clock.aging(since: grant.issued)
        status["exp"] = .integer(grant.expires.seconds - aging)
        status["iat"] = .integer(grant.issued.seconds - aging)
        if status["sub"] == nil, let person { status["sub"] = .string(person.subject) }
        status["iss"] = status["iss"] ?? .string(visit.issuer)
        status["typ"] = isAccess ? "Bearer" : "Refresh"
        status["scope"] = grant.details["scope"] ?? ""
        status["client_id"] = .string(grant.client)
        status["username"] = status["preferred_username"] ?? .string(grant.person)
        if isAccess { status["token_type"] = "Bearer" }
        status["active"] = true
        return status
    }
}
