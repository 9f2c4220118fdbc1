import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

extension TokenGrant {
    /// A refresh token (RFC 6749 section 6). By default each can be used once and is replaced by another. A second use indicates a stolen
    /// token and revokes everything that was issued on the approval (RFC 9700 section 4.14.2). In a realm, each can be used again.
    static let refreshToken = TokenGrant(
        refusal: { $0.refusal(for: .refreshToken) },
        unknownUser: { $0.visit.manners.refusals.endedSession },
        access: { try await $0.refresh() })
}

extension TokenRequest {
    fileprivate func refresh() async throws -> GrantedAccess {
        let manners = visit.manners
        guard let token = form.value("refresh_token") else { throw manners.refusals.missingParameter("refresh_token") }
        guard let grant = try visit.cloud.grants.look(up: token, kind: .refreshToken, at: visit.provider.name) else {
            throw visit.refusal(ofUnknownRefreshToken: token)
        }
        guard grant.client == client.id else { throw manners.refusals.foreignRefreshToken }
        switch visit.grantVerifier.fault(of: grant) {
        case nil: break
        case .spent: throw try await reuse(of: grant)
        case .expired: throw manners.refusals.expiredRefreshToken
        case .disabledPerson: throw visit.disabledUser
        case .unknown, .withoutKey, .withoutClient, .withoutPerson: throw manners.refusals.endedSession
        }
        guard var approval = Approval(grant, at: visit.provider) else { throw manners.refusals.endedSession }
        // The nonce belongs only to the authorization request (OpenID Connect Core 1.0 section 12.2).
        approval.nonce = nil
        return .user(
            UserAccess(
                approval: approval, extent: .narrowed, renewal: .always, redeemed: IssuedGrant(grant, token: token),
                isReusable: !(visit.provider.revokesRefreshTokens ?? manners.revokesRefreshTokens),
                binding: UserAccess.Binding(parameter: "refresh_token", keyThumbprint: approval.keyThumbprint)))
    }
}

extension Visit {
    /// Returns the error for a refresh token without a record. Keycloak distinguishes its own tokens, whose session has ended, from others.
    /// Only the record is proof that a token was issued, so this decides nothing but the text.
    func refusal(ofUnknownRefreshToken token: String) -> OAuthError {
        isOwnRefreshToken(token) ? manners.refusals.endedSession : manners.refusals.unknownRefreshToken
    }

    /// Returns whether a refresh token has the form of those that are issued here.
    func isOwnRefreshToken(_ token: String) -> Bool {
        guard let claims = try? JSONWebToken(parsing: token, accepting: [.hs512]).claims else { return false }
        guard let type = claims["typ"]?.stringValue, let issuer = claims["iss"]?.stringValue else { return false }
        return (type == "Refresh" || type == "Offline")
            && cloud.directory.provider(issuer: issuer, names: call.names)?.name == provider.name
    }
}
