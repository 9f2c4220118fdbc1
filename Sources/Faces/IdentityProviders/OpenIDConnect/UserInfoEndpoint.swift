import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The userinfo endpoint (OpenID Connect Core 1.0 section 5.3). It accepts bearer tokens (RFC 6750) and tokens that are bound to a key (RFC
/// 9449 section 7).
struct UserInfoEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "userinfo_endpoint": .string(visit.url(of: .userInfo)),
            "userinfo_signing_alg_values_supported": .array(ClientMetadata.signingAlgorithms.map { .string($0) }),
        ]
    }

    private enum Scheme: String {
        case bearer = "Bearer"
        case dpop = "DPoP"
    }

    func respond() async throws -> Response {
        try await visit.enter("UserInfo")
        guard let (token, scheme) = try await self.token() else {
            // Requests without a token get a challenge without an error code (RFC 6750 section 3.1).
            throw OAuthError(.invalidToken, "An access token is needed.", status: .unauthorized, challenge: challenge(.bearer))
        }
        guard let grant = try await visit.grant(ofAccessToken: token),
            let approval = Approval(grant, at: visit.provider)
        else { throw unknownToken(scheme) }
        try checkPossession(of: token, boundTo: approval.keyThumbprint, scheme)
        visit.call.note(caller: approval.person.name)
        visit.reader?.client = approval.client
        guard approval.scopes.contains("openid") else {
            throw refusal(.insufficientScope, visit.manners.refusals.missingOpenIDScope, status: .forbidden, scheme)
        }
        var claims: JSONObject = ["sub": .string(approval.subject)]
        for (name, value) in approval.person.claims(for: approval.scopes, and: approval.claims.userInfo).members { claims[name] = value }
        for (name, value) in approval.mappedClaims(in: .userinfo).members { claims[name] = value }
        // Keycloak returns this claim for every user, whether or not it was set.
        if visit.manners.signsTokens {
            let access = SignedAccess(approval)
            if approval.scopes.contains("profile") { claims["preferred_username"] = .string(access.userName) }
            access.addMappedClaims(to: &claims, of: .userInfo)
        }
        do {
            guard let text = try await responseToken(claims, of: approval) else { return .json(.object(claims), headers: .unstored) }
            return Response(status: .ok, contentType: "application/jwt", headers: .unstored, text: text)
        } catch let refusal as GrantRefusal where refusal != .provider {
            throw unknownToken(scheme)
        }
    }

    /// Returns the response as a token that is signed, encrypted or both; `nil` for clients that have registered for neither (section
    /// 5.3.2).
    private func responseToken(_ claims: JSONObject, of approval: Approval) async throws -> String? {
        let client = approval.client
        guard let algorithm = client.metadata.userinfoSignedResponseAlg.flatMap(SignatureAlgorithm.init(rawValue:)) else {
            return try await visit.encrypted(JSONValue.object(claims).serializedBytes(), for: client, .userinfo, contentType: nil)
        }
        var signed: JSONObject = ["iss": .string(visit.issuer), "aud": .string(approval.client.id)]
        for (name, value) in claims.members { signed[name] = value }
        let key = try await visit.mint.signingKey(of: visit.provider, algorithm: algorithm, client: client, person: approval.person)
        return try await visit.encrypted(try JSONWebToken.sign(claims: signed, key: key), for: client, .userinfo)
    }

    /// Returns the access token from the header or the form (RFC 6750 sections 2.1 and 2.2). A token in the query is not accepted (RFC 9700
    /// section 4.3.2).
    private func token() async throws -> (String, Scheme)? {
        let header =
            visit.authorization("bearer").map { ($0, Scheme.bearer) } ?? visit.authorization("dpop").map { ($0, Scheme.dpop) }
        guard visit.call.method == .post, visit.call.headers[.contentType] != nil else { return header }
        do {
            let fields = try await visit.form().all(named: "access_token")
            guard fields.count + (header == nil ? 0 : 1) <= 1 else {
                throw refusal(.invalidRequest, "The access token is sent twice.", status: .badRequest)
            }
            return header ?? fields.first.map { ($0, .bearer) }
        } catch FormFault.otherContentType where header != nil {
            return header
        } catch let fault as FormFault {
            throw refusal(.invalidRequest, fault.explanation, status: .badRequest)
        }
    }

    /// Checks that the sender has the key that the token is bound to, if any. A bound token must not be accepted as a bearer token (RFC
    /// 9449 section 7.2).
    private func checkPossession(of token: String, boundTo thumbprint: String?, _ scheme: Scheme) throws {
        switch (scheme, thumbprint) {
        case (.bearer, nil): return
        case (.bearer, _?):
            throw refusal(
                .invalidToken, "The access token is bound to a key, and the request has no proof.", status: .unauthorized, .dpop
            )
        case (.dpop, _):
            let proof: DPoPProof?
            do throws(DPoPProof.Fault) {
                proof = try DPoPProof(of: visit, accessToken: token)
            } catch {
                throw refusal(error.code, error.explanation, status: .unauthorized, .dpop)
            }
            guard let proof else { throw refusal(.invalidDPoPProof, "The proof is missing.", status: .unauthorized, .dpop) }
            guard proof.keyThumbprint == thumbprint else {
                throw refusal(.invalidToken, "The access token is not bound to the key of the proof.", status: .unauthorized, .dpop)
            }
        }
    }

    private func unknownToken(_ scheme: Scheme) -> OAuthError {
        refusal(.invalidToken, visit.manners.refusals.unknownAccessToken, status: .unauthorized, scheme)
    }

    private func challenge(_ scheme: Scheme) -> String {
        switch scheme {
        case .bearer: "Bearer realm=\"\(visit.provider.name)\""
        case .dpop: "DPoP realm=\"\(visit.provider.name)\", algs=\"\(DPoPProof.algorithms.joined(separator: " "))\""
        }
    }

    private func refusal(
        _ code: OAuthError.Code, _ description: String, status: HTTPResponse.Status, _ scheme: Scheme = .bearer
    ) -> OAuthError {
        OAuthError(
            code, description, status: status,
            challenge: "\(challenge(scheme)), error=\"\(code.rawValue)\", error_description=\"\(description)\"")
    }
}
