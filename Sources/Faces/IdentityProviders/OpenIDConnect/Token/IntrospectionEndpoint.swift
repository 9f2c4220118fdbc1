import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The introspection endpoint (RFC 7662). Clients that can authenticate may introspect every token of the issuer.
struct IntrospectionEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "introspection_endpoint": .string(visit.url(of: .introspection)),
            "introspection_endpoint_auth_methods_supported": .array(
                ClientRegistration.authenticationMethods.filter { $0 != "none" }.map { .string($0) }),
            "introspection_endpoint_auth_signing_alg_values_supported": .array(
                ClientMetadata.assertionAlgorithms.map { .string($0) }),
            "introspection_signing_alg_values_supported": .array(ClientMetadata.signingAlgorithms.map { .string($0) }),
        ]
    }

    func respond() async throws -> Response {
        try await visit.enter("Introspect")
        let form = try await visit.postedFields()
        let client = try await visit.clientOfTokenStatus(form)
        guard !client.isPublic else {
            throw visit.manners.refusals.publicIntrospection
        }
        visit.call.note(caller: client.id)
        guard let token = form.value("token") else { throw OAuthError(.invalidRequest, "Token not provided.") }
        let found = try await visit.token(token)
        let status: JSONObject = found.map { self.status(of: token, $0) } ?? ["active": false]
        guard wantsToken else { return .json(.object(status), headers: .unstored) }
        let claims: JSONObject = [
            "iss": .string(visit.issuer), "aud": .string(client.id), "iat": .integer(visit.cloud.clock.now.seconds),
            "token_introspection": .object(status),
        ]
        let response = try await visit.signed(
            claims, for: client, algorithm: client.metadata.introspectionSignedResponseAlg, type: Self.tokenType, .introspection)
        return Response(status: .ok, contentType: "application/" + Self.tokenType, headers: .unstored, text: response)
    }

    /// The `typ` of a response token, and the end of its media type (RFC 9701 section 5).
    private static let tokenType = "token-introspection+jwt"

    /// Whether the request accepts a token as the response (RFC 9701 section 4).
    private var wantsToken: Bool {
        (visit.call.headers.value(of: .accept) ?? "").split(separator: ",").contains { type in
            String(type.prefix { $0 != ";" }).lowercasedASCII.filter { $0 != " " } == "application/" + Self.tokenType
        }
    }

    /// Returns the token's own claims, if any, and those of section 2.2.
    private func status(of token: String, _ found: VerifiedGrant) -> JSONObject {
        let grant = found.grant
        let isAccess = grant.kind == .accessToken
        var status = (try? JSONWebToken(parsing: token).claims) ?? claims(ofOpaque: found)
        let aging = visit.cloud.clock.aging(since: grant.issued)
        status["exp"] = .integer(grant.expires.seconds - aging)
        status["iat"] = .integer(grant.issued.seconds - aging)
        // The token's own times are those at its issue.
        for name in ["auth_time", "nbf"] { status[name] = status[name]?.integerValue.map { .integer($0 - aging) } ?? status[name] }
        if status["sub"] == nil, let person = found.person {
            status["sub"] = .string(visit.provider.subject(of: person, for: found.client))
        }
        // A client that acts for itself is the subject (RFC 9068 section 2.2).
        if status["sub"] == nil, found.person == nil { status["sub"] = .string(grant.client) }
        status["iss"] = status["iss"] ?? .string(visit.issuer)
        status["scope"] = grant.details["scope"] ?? ""
        status["client_id"] = .string(grant.client)
        status["username"] = status["preferred_username"] ?? .string(grant.person.isEmpty ? grant.client : grant.person)
        if visit.manners.signsTokens { status["typ"] = isAccess ? "Bearer" : "Refresh" }
        let thumbprint = grant.details["jkt"]
        if isAccess { status["token_type"] = thumbprint == nil ? "Bearer" : "DPoP" }
        if let thumbprint { status["cnf"] = ["jkt": thumbprint] }
        if let audiences = grant.details["aud"] { status["aud"] = audiences }
        if let actor = grant.details["act"] { status["act"] = actor }
        if let session = grant.details["sid"] { status["sid"] = session }
        status["active"] = true
        return status
    }

    /// Returns the claims that a JWT would have in place of an opaque access token.
    private func claims(ofOpaque found: VerifiedGrant) -> JSONObject {
        guard found.grant.kind == .accessToken else { return [:] }
        let audiences = found.grant.details["aud"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return visit.provider.accessClaims(for: found.client, person: found.person, audiences: audiences)
    }
}

extension Visit {
    /// Returns the client that introspects or revokes a token. Keycloak has its own text for an invalid client.
    func clientOfTokenStatus(_ form: FormFields) async throws -> Client {
        do {
            return try await client(of: form)
        } catch let error as OAuthError {
            throw manners.refusals.unauthenticatedClient ?? error
        }
    }
}
