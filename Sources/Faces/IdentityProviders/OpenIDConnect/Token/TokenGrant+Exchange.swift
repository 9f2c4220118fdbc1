import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The types of token in an exchange (RFC 8693 section 3).
enum TokenType: String {
    case accessToken = "urn:ietf:params:oauth:token-type:access_token"
    case refreshToken = "urn:ietf:params:oauth:token-type:refresh_token"
    case idToken = "urn:ietf:params:oauth:token-type:id_token"
    /// An access token or ID token that is signed; no token is issued under this name.
    case jwt = "urn:ietf:params:oauth:token-type:jwt"
}

/// A token of this issuer that is presented for exchange.
private struct ExchangedToken {
    /// The user; `nil` for a client's own token.
    var person: Person?
    var subject: String
    var scopes: [String]
    /// The clients that it was issued to, and its audiences.
    var parties: [String]
    var authenticated: Timestamp
    var sessionID: String?
    var actor: JSONObject?
    var family: String?
}

/// The token that is issued for another one.
struct TokenExchange {
    /// What the new token stands for, with its scopes and audiences.
    var approval: Approval
    /// The type of the new token.
    var type: TokenType
    /// The family of the exchanged token, which is revoked together with the new one.
    var family: String?
}

extension TokenGrant {
    /// Another token (RFC 8693), which is exchanged for another audience, for a narrower scope, or for an actor on behalf of the user.
    static let tokenExchange = TokenGrant(
        refusal: { request in
            request.visit.manners.exchangesAccessTokensOnly
                ? request.refusalOfStandardExchange : request.refusal(for: .tokenExchange, "The client may not exchange tokens.")
        },
        unknownUser: { $0.visit.manners.exchangeRefusals.unknownToken("subject_token") },
        access: { try await $0.exchangeToken() })
}

extension TokenRequest {
    fileprivate func exchangeToken() async throws -> GrantedAccess {
        guard let subjectToken = form.value("subject_token"), let subjectType = form.value("subject_token_type") else {
            throw OAuthError(.invalidRequest, "The subject_token or its type is missing.")
        }
        let manners = visit.manners
        let wanted: TokenType
        switch form.value("requested_token_type").map(TokenType.init(rawValue:)) {
        case nil, .accessToken??: wanted = .accessToken
        case .idToken??: wanted = .idToken
        default: throw manners.exchangeRefusals.requestedType
        }
        let subject = try await exchanged(subjectToken, type: subjectType, called: "subject_token")
        guard let person = subject.person else { throw manners.exchangeRefusals.subjectWithoutUser }
        guard subject.parties.contains(client.id) else { throw manners.exchangeRefusals.foreignSubject }
        let audiences = try self.audiences(for: wanted)
        if visit.manners.exchangesAccessTokensOnly { try checkRoles(of: person, in: audiences) }
        var approval = Approval(
            provider: visit.provider, client: client, person: person, scopes: try scopes(within: subject.scopes, at: audiences),
            authenticated: subject.authenticated, sessionID: subject.sessionID)
        approval.audiences = audiences
        if audiences.isEmpty, wanted == .accessToken, visit.manners.acceptsResources {
            approval.audiences = visit.provider.audiences(ofScopes: approval.scopes, for: client)
        }
        // An ID token's client is its audience, if one is requested.
        let party = wanted == .idToken ? audiences.first.flatMap(visit.provider.client) ?? client : client
        // Keycloak does not support actors.
        if !visit.manners.exchangesAccessTokensOnly { approval.actor = try await actor(for: subject, person: person, issuedTo: party) }
        return .exchange(TokenExchange(approval: approval, type: wanted, family: subject.family))
    }

    /// Issues the token of an exchange.
    func issue(_ exchange: TokenExchange) async throws -> Response {
        visit.call.note(caller: exchange.approval.person.name)
        switch exchange.type {
        case .accessToken, .refreshToken, .jwt: return try await exchangeForAccess(exchange)
        case .idToken: return try await exchangeForIdentity(exchange.approval)
        }
    }

    private func exchangeForAccess(_ exchange: TokenExchange) async throws -> Response {
        var approval = exchange.approval
        approval.keyThumbprint = keyThumbprint
        var access = try await visit.newAccessToken(approval)
        // The new token is revoked together with the subject token.
        access.grant.family = exchange.family
        try await visit.grantIssuer.keep([access])
        var body: JSONObject = [
            "access_token": .string(access.token), "issued_token_type": .string(TokenType.accessToken.rawValue),
            "token_type": .string(tokenType), "expires_in": .integer(Int64(approval.accessTokenLifetime)),
            "scope": .string(approval.scopes.joined(separator: " ")),
        ]
        if visit.manners.namesSessions {
            body["refresh_expires_in"] = 0
            body["not-before-policy"] = 0
            if let session = approval.sessionID { body["session_state"] = .string(session) }
            if form.value("scope") != nil, approval.scopes.contains("openid") {
                body["id_token"] = .string(
                    try await visit.idToken(approval, accessToken: access.token, claims: try visit.realmClaims(of: approval)))
            }
        }
        return .json(.object(body), headers: .unstored)
    }

    /// Returns an ID token. The response member is called access_token for any type of token (section 2.2.1).
    private func exchangeForIdentity(_ approval: Approval) async throws -> Response {
        var approval = approval
        var further = try visit.realmClaims(of: approval)
        if let audience = approval.audiences.first.flatMap(visit.provider.client), audience.id != client.id {
            approval.client = audience
            further["azp"] = .string(client.id)
        }
        if let actor = approval.actor { further["act"] = .object(actor) }
        let token = try await visit.idToken(approval, claims: further)
        return .json(
            [
                "access_token": .string(token), "issued_token_type": .string(TokenType.idToken.rawValue), "token_type": "N_A",
                "expires_in": .integer(Int64(visit.provider.tokenLifetime)), "scope": .string(approval.scopes.joined(separator: " ")),
            ], headers: .unstored)
    }

    /// Returns the requested audiences: clients of the provider by name, and APIs and resources by URI (section 2.1; RFC 8707 section 2).
    private func audiences(for wanted: TokenType) throws -> [String] {
        let names = form.all(named: ResourceIndicators.audience).filter { !$0.isEmpty }
        for name in names where visit.provider.client(name) == nil && visit.provider.api(name) == nil {
            throw visit.manners.exchangeRefusals.unknownAudience(name)
        }
        let resources: [String]
        do throws(ResourceIndicators.Fault) {
            resources = try visit.manners.acceptsResources ? form.resources : []
            for name in resources + names.filter({ visit.provider.client($0) == nil }) { try visit.check(audience: name, for: client) }
        } catch {
            throw OAuthError(.invalidTarget, error.explanation)
        }
        guard wanted == .accessToken || resources.isEmpty && names.count <= 1 else {
            throw OAuthError(.invalidTarget, "An ID token is for one client.")
        }
        let audiences = names + resources
        if client.isOpenlyRegistered == true, let other = audiences.first(where: { $0 != client.id }) {
            throw visit.manners.exchangeRefusals.forbiddenAudience(other)
        }
        return audiences
    }

    /// Returns the requested scopes, which must be among the granted ones, and among those that the client may have; all of them by
    /// default. The token may have been granted to another client.
    private func scopes(within granted: [String], at audiences: [String]) throws -> [String] {
        let rules = ScopeRules(visit: visit, client: client)
        guard let named = try narrowedScopes(within: granted) else {
            return visit.provider.scopes(rules.permitted(granted), at: audiences).filter { $0 != "offline_access" }
        }
        do {
            return try rules.allowed(named.joined(separator: " "), at: audiences)
        } catch {
            throw OAuthError(.invalidScope, error.explanation)
        }
    }

    /// Returns the claim `act` of the new token (section 4.1). An earlier actor is nested in it. If the user has the claim `may_act`, no
    /// other actor is allowed (section 4.4).
    /// - Parameter party: the client that the token is for, which determines the subject identifiers.
    private func actor(for subject: ExchangedToken, person: Person, issuedTo party: Client) async throws -> JSONObject? {
        guard let token = form.value("actor_token") else {
            guard form.value("actor_token_type") == nil else {
                throw OAuthError(.invalidRequest, "There is an actor_token_type without an actor_token.")
            }
            return subject.actor
        }
        guard let type = form.value("actor_token_type") else {
            throw OAuthError(.invalidRequest, "The actor_token_type is missing.")
        }
        let actor = try await exchanged(token, type: type, called: "actor_token")
        if let permitted = person.claims["may_act"], permitted["sub"]?.stringValue != actor.person?.subject ?? actor.subject {
            throw OAuthError(.invalidRequest, "The actor_token's subject may not act for the user.")
        }
        let name = actor.person.map { visit.provider.subject(of: $0, for: party) } ?? actor.subject
        var claim: JSONObject = ["iss": .string(visit.issuer), "sub": .string(name)]
        if let earlier = subject.actor { claim["act"] = .object(earlier) }
        return claim
    }

    private func exchanged(_ text: String, type: String, called name: String) async throws -> ExchangedToken {
        let invalid = visit.manners.exchangeRefusals.unknownToken(name)
        switch TokenType(rawValue: type) {
        case .accessToken:
            guard let grant = try await visit.grant(ofAccessToken: text), let found = exchanged(grant) else { throw invalid }
            return found
        case .refreshToken:
            let grant = try await visit.grantVerifier.verified(text, kind: .refreshToken)?.grant
            guard let grant, let found = exchanged(grant) else { throw invalid }
            return found
        case .idToken:
            guard let found = try await exchanged(idToken: text) else { throw invalid }
            return found
        case .jwt:
            // An opaque token is not a JWT, even if it is valid.
            guard (try? JSONWebToken(parsing: text)) != nil else { throw invalid }
            if let grant = try await visit.grant(ofAccessToken: text), let found = exchanged(grant) { return found }
            guard let found = try await exchanged(idToken: text) else { throw invalid }
            return found
        case nil: throw OAuthError(.invalidRequest, "The \(name)_type is not supported.")
        }
    }

    private func exchanged(_ grant: Grant) -> ExchangedToken? {
        let provider = visit.provider
        if grant.person.isEmpty {
            guard let client = provider.client(grant.client) else { return nil }
            // In tokens of a realm, the subject is the client's service account.
            let own = SignedAccess(provider: provider, client: client, scopes: [], authenticated: grant.issued)
            return ExchangedToken(
                subject: visit.manners.signsTokens ? own.subject : client.id, scopes: [], parties: [client.id], authenticated: grant.issued)
        }
        guard let approval = Approval(grant, at: provider), approval.keyThumbprint == nil || approval.keyThumbprint == keyThumbprint
        else { return nil }
        var audiences = approval.audiences
        if audiences.isEmpty, visit.manners.exchangesAccessTokensOnly {
            audiences = SignedAccess(approval).availableAudiences
        }
        return ExchangedToken(
            person: approval.person, subject: approval.subject, scopes: approval.scopes,
            parties: [approval.client.id] + audiences, authenticated: approval.authenticated,
            sessionID: approval.sessionID, actor: approval.actor, family: grant.family)
    }

    private func exchanged(idToken text: String) async throws -> ExchangedToken? {
        guard let token = try await visit.cloud.token(text, signedBy: visit.provider.name), token.isIDToken else { return nil }
        let claims = token.claims
        // The token can have any name of this issuer.
        guard let issuer = claims["iss"]?.stringValue, let subject = claims["sub"]?.stringValue,
            visit.cloud.directory.provider(issuer: issuer, names: visit.call.names)?.name == visit.provider.name,
            let issued = claims["iat"]?.integerValue, let expiry = claims["exp"]?.integerValue,
            // An `nbf` that is not an integer is out of range.
            isCurrent(issued: issued, notBefore: claims["nbf"].map { $0.integerValue ?? .max }, expiry: expiry)
        else { return nil }
        let named = claims["aud"]?.arrayValue ?? [claims["aud"] ?? .null]
        let audiences = named.compactMap(\.stringValue)
        // Other tokens signed with the same key have other audiences.
        guard audiences.count == named.count, audiences.allSatisfy({ visit.provider.client($0) != nil }),
            let first = audiences.first.flatMap(visit.provider.client),
            let person = visit.provider.person(subject: subject, for: first), person.isEnabled
        else { return nil }
        // An ID token has no scopes. It stands for those that the user granted to its client.
        let agreed = try Consent(client: first, person: person).scopes(in: visit)
        return ExchangedToken(
            person: person, subject: subject, scopes: agreed ?? ["openid"],
            parties: audiences + [claims["azp"]?.stringValue].compactMap { $0 },
            authenticated: authentication(claims, issued: Timestamp(seconds: issued)),
            sessionID: claims["sid"]?.stringValue, actor: claims["act"]?.objectValue)
    }

    /// Returns the time of the login of an ID token, as a timestamp that later agings still apply to. The claim `auth_time` is the effective
    /// time when the token was issued.
    private func authentication(_ claims: JSONObject, issued: Timestamp) -> Timestamp {
        guard let seconds = claims["auth_time"]?.integerValue, (-1 << 40...1 << 40).contains(seconds) else { return issued }
        let clock = visit.cloud.clock
        return clock.stamp(ofEffective: clock.effectiveExpiry(Timestamp(seconds: seconds), issuedAt: issued))
    }

    /// Returns whether a token with these times is valid now.
    private func isCurrent(issued: Int64, notBefore: Int64?, expiry: Int64) -> Bool {
        let times: ClosedRange<Int64> = -1 << 40...1 << 40
        guard times.contains(issued), times.contains(expiry), times.contains(notBefore ?? issued) else { return false }
        let clock = visit.cloud.clock
        let begin = max(issued, notBefore ?? issued) - clock.aging(since: Timestamp(seconds: issued))
        return begin <= clock.now.seconds && !clock.hasExpired(Timestamp(seconds: expiry), issuedAt: Timestamp(seconds: issued))
    }
}
