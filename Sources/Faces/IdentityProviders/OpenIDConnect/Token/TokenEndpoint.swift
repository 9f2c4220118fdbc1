import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The token endpoint (RFC 6749 section 3.2, OpenID Connect Core 1.0 sections 3.1.3 and 12).
struct TokenEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "token_endpoint": .string(visit.url(of: .token)),
            "grant_types_supported": .array(
                ([UsualGrant.refreshToken.rawValue] + FurtherGrant.allCases.map(\.rawValue)).map { .string($0) }),
            "token_endpoint_auth_methods_supported": .array(ClientRegistration.authenticationMethods.map { .string($0) }),
            "token_endpoint_auth_signing_alg_values_supported": .array(ClientMetadata.assertionAlgorithms.map { .string($0) }),
            "dpop_signing_alg_values_supported": .array(DPoPProof.algorithms.map { .string($0) }),
        ]
    }

    func respond() async throws -> Response {
        try await visit.enter("Token")
        let form = try await visit.postedFields(lists: ["audience", ResourceIndicators.parameter])
        if visit.manners.readsGrantTypeFirst { _ = try requestedGrant(form) }
        let client = try await self.client(of: form)
        let grant = try requestedGrant(form)
        guard form["authorization_details"] == nil else { throw OAuthError(.invalidRequest, RequestObject.unsupportedDetails) }
        let request = try self.request(of: client, form)
        return try await visit.refusing(unknownClient: unknownClient(in: form), unknownPerson: grant.unknownUser(request)) {
            if let refusal = grant.refusal(request) { throw refusal }
            let response = try await request.issue(try await grant.access(request))
            // What has no grant, such as an ID token for another client, is also refused to a client that was removed.
            try visit.grantIssuer.check(provider: visit.provider.name, client: request.client.id)
            return response
        }
    }

    /// Returns the grant of the request's type.
    private func requestedGrant(_ form: FormFields) throws(OAuthError) -> TokenGrant {
        guard let grantType = form.value("grant_type") else { throw visit.manners.refusals.missingGrantType }
        guard let grant = TokenGrant.named(grantType) else { throw visit.manners.refusals.unsupportedGrantType(grantType) }
        return grant
    }

    /// Returns the request. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func request(of client: Client, _ form: FormFields) throws -> TokenRequest {
        TokenRequest(visit: visit, form: form, client: client, keyThumbprint: try keyThumbprint(of: client))
    }

    /// Returns the client. If the grant is an assertion and the request has no client authentication, the client is the assertion's issuer:
    /// its signature authenticates it (RFC 7521 section 4.1).
    private func client(of form: FormFields) async throws -> Client {
        guard let assertion = identifyingAssertion(in: form) else { return try await visit.client(of: form) }
        let token = try? JSONWebToken(parsing: assertion, accepting: Set(SignatureAlgorithm.allCases))
        guard let client = token?.claims["iss"]?.stringValue.flatMap(visit.provider.client) else { throw unknownClient(in: form) }
        visit.reader?.client = client
        return client
    }

    /// Returns the assertion that identifies the client; `nil` if the request authenticates it otherwise.
    private func identifyingAssertion(in form: FormFields) -> String? {
        let namesNone = form["client_id"] == nil && form["client_assertion"] == nil && !visit.call.headers.has(.authorization)
        guard namesNone, form.value("grant_type") == FurtherGrant.jwtBearer.rawValue else { return nil }
        return form.value("assertion")
    }

    private func unknownClient(in form: FormFields) -> OAuthError {
        identifyingAssertion(in: form) == nil
            ? visit.unknownClient(in: form) : OAuthError(.invalidGrant, "The assertion's issuer is unknown.")
    }

    /// Returns the thumbprint of the key that the tokens are bound to (RFC 9449 section 5).
    private func keyThumbprint(of client: Client) throws -> String? {
        do throws(DPoPProof.Fault) {
            let proof = try DPoPProof(of: visit)
            if proof == nil, client.metadata.dpopBoundAccessTokens == true {
                throw DPoPProof.Fault("The client's tokens must be bound to a key, and the request has no DPoP proof.")
            }
            return proof?.keyThumbprint
        } catch {
            throw OAuthError(error.code, error.explanation)
        }
    }
}
