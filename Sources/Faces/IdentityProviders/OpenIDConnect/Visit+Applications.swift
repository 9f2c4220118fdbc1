import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

extension Visit {
    /// Returns the fields that an application posted. A repeated field is an error, unless it is a list (RFC 6749 section 3.2).
    /// - Parameter lists: the names that may be repeated.
    func postedFields(lists: Set<String> = []) async throws -> FormFields {
        let form: FormFields
        do {
            form = try await self.form()
        } catch let fault as FormFault {
            throw OAuthError(fault)
        }
        if let name = form.repeatedName(but: lists) { throw manners.refusals.repeatedParameter(name) }
        return form
    }

    /// Returns the authenticated client of a request. It must use exactly one method, and the registered one if there is one (RFC 6749
    /// section 2.3, OpenID Connect Core 1.0 section 9).
    /// - Throws: `OAuthError`.
    func client(of form: FormFields) async throws -> Client {
        let client = try await authenticatedClient(form)
        reader?.client = client
        return client
    }

    private func authenticatedClient(_ form: FormFields) async throws -> Client {
        if form["client_assertion"] != nil || form["client_assertion_type"] != nil { return try await assertedClient(form) }
        if let client = try await appleClient(of: form) { return client }
        let client: Client
        let method: ClientAuthentication.Method
        do {
            (client, method) = try ClientAuthentication.authenticate(
                form, headers: call.headers, at: provider, mixture: manners.acceptsEitherSecretMethod ? .bodyWins : .refused)
        } catch {
            throw refusal(of: error)
        }
        // Keycloak does not distinguish the two ways to send a secret.
        let isSecret =
            manners.acceptsEitherSecretMethod && method != .none
            && client.metadata.tokenEndpointAuthMethod?.hasPrefix("client_secret_") == true
        guard isSecret || client.metadata.tokenEndpointAuthMethod ?? method.rawValue == method.rawValue else {
            throw OAuthError(
                .invalidClient, "The client has not registered to authenticate by \(method.rawValue).",
                challenge: method == .basic ? basicChallenge : nil)
        }
        return client
    }

    /// The error for an unknown client, which depends on how the request names it.
    func unknownClient(in form: FormFields) -> OAuthError {
        if form["client_assertion"] != nil { return OAuthError(.invalidClient, Self.unknownSigner) }
        return refusal(of: .init(reason: .unknownClient, usedHeader: call.headers.has(.authorization)))
    }

    private static let unknownSigner = "The client is unknown, or the assertion is not signed with its key."

    private var basicChallenge: String { "Basic realm=\"\(provider.name)\", charset=\"UTF-8\"" }

    private func refusal(of fault: ClientAuthentication.Fault) -> OAuthError {
        let challenge = fault.usedHeader ? basicChallenge : nil
        return switch fault.reason {
        case .severalMethods: OAuthError(.invalidRequest, "The client must authenticate in one way only.")
        case .missing: manners.refusals.missingClient.with(challenge: challenge)
        case .malformed: OAuthError(.invalidClient, "The Authorization header is malformed.", challenge: challenge)
        case .unknownClient: manners.refusals.unknownClient.with(challenge: challenge)
        case .wrongSecret, .missingSecret: manners.refusals.wrongSecret.with(challenge: challenge)
        }
    }

    /// Returns the client that authenticates with a signed assertion: `private_key_jwt` and `client_secret_jwt` (RFC 7523 sections 2.2 and
    /// 3).
    private func assertedClient(_ form: FormFields) async throws -> Client {
        guard form.value("client_secret") == nil, call.headers[.authorization] == nil else {
            throw OAuthError(.invalidRequest, "The client must authenticate in one way only.")
        }
        guard form.value("client_assertion_type") == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
            throw OAuthError(.invalidClient, "The client_assertion_type is unknown.")
        }
        do {
            let assertion = try SignedAssertion(form.value("client_assertion") ?? "", to: self)
            guard assertion.issuer == assertion.subject, form.value("client_id") ?? assertion.subject == assertion.subject else {
                throw SignedAssertion.Fault("The assertion's iss and sub must both be the client_id.")
            }
            guard let client = provider.client(assertion.subject), try await isSigned(assertion.token, by: client) else {
                throw SignedAssertion.Fault(Self.unknownSigner)
            }
            try assertion.spend(by: client, in: self, isIdentified: true)
            return client
        } catch let fault as SignedAssertion.Fault {
            throw OAuthError(.invalidClient, fault.explanation)
        }
    }

    /// Returns whether the client signed the token, with the method that it registered.
    /// - Throws: `SignedAssertion.Fault` for another algorithm than the registered one, or what ``signed(_:by:)`` throws.
    private func isSigned(_ token: JSONWebToken, by client: Client) async throws -> Bool {
        let metadata = client.metadata
        if let algorithm = metadata.tokenEndpointAuthSigningAlg, algorithm != token.algorithm.rawValue {
            throw SignedAssertion.Fault("The client has registered to sign its assertions with \(algorithm).")
        }
        let secretMethod = "client_secret_jwt"
        let isOfSecret = SignatureAlgorithm.sharedSecret.contains(token.algorithm)
        let method = isOfSecret ? secretMethod : "private_key_jwt"
        if !isOfSecret, client.secret != nil, metadata.jwks == nil, metadata.jwksURI == nil {
            // Libraries with keys of their own take the first algorithm of the metadata for this method, too.
            throw SignedAssertion.Fault(
                "The assertion is signed with \(token.algorithm.rawValue), and the client has registered no keys. \(secretMethod) needs "
                    + "HS256, HS384 or HS512.")
        }
        guard metadata.tokenEndpointAuthMethod ?? method == method else { return false }
        return try await signed(token, by: client)
    }

    /// Returns whether a key or the secret of the client signed the token. What a client signed that was removed in the meantime does not
    /// count: fetching its keys can take long.
    /// - Throws: `GrantRefusal.provider`, or an error of the storage.
    func signed(_ token: JSONWebToken, by client: Client) async throws -> Bool {
        guard SignatureAlgorithm.sharedSecret.contains(token.algorithm) else {
            return try await applications.signed(token, client: client, in: cloud) && has(client)
        }
        guard let secret = client.secret else { return false }
        return (try? token.verify(secret: Array(secret.utf8))) != nil
    }

    /// Returns the claims that Keycloak adds to ID tokens; empty if the request was not addressed to a realm.
    func realmClaims(of approval: Approval) throws -> JSONObject {
        guard manners.signsTokens else { return [:] }
        let access = SignedAccess(approval)
        var claims: JSONObject = [
            "jti": .string(try SignedAccess.newIdentifier()), "typ": "ID", "azp": .string(approval.client.id), "acr": "1",
            "preferred_username": .string(access.userName),
        ]
        access.addMappedClaims(to: &claims, of: .idToken)
        return claims
    }

    /// Returns an access token of the issuer's kind: Keycloak's for requests to a realm.
    func newAccessToken(_ approval: Approval) async throws -> IssuedGrant {
        if manners.signsTokens { return try await mint.newSignedAccessToken(SignedAccess(approval), issuer: issuer) }
        return switch provider.accessTokenFormat(for: approval.audiences) {
        case .opaque: try mint.newAccessToken(approval)
        case .jwt: try await mint.newJWTAccessToken(approval, issuer: issuer)
        }
    }

    /// Returns a refresh token of the issuer's kind: Keycloak's for requests to a realm.
    func newRefreshToken(_ approval: Approval) throws -> IssuedGrant {
        manners.signsTokens ? try mint.newSignedRefreshToken(approval, issuer: issuer) : try mint.newRefreshToken(approval)
    }

    /// Returns an access token that needs no stored grant; `nil` if the issuer does not issue such tokens. It belongs to no family, so it
    /// cannot be revoked with one.
    func sealedAccessToken(_ approval: Approval) throws -> String? {
        manners.signsTokens || provider.accessTokenFormat(for: approval.audiences) == .jwt ? nil : try mint.sealedAccessToken(approval)
    }
}

extension OAuthError {
    /// Returns the error with a challenge for clients that used the header.
    fileprivate func with(challenge: String?) -> OAuthError {
        var error = self
        error.challenge = challenge
        return error
    }
}
