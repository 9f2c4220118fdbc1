import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension TokenGrant {
    /// A refresh token (RFC 6749 section 6). Each can be used once and is replaced by another. A second use indicates a stolen token and
    /// revokes everything that was issued on the approval (RFC 9700 section 4.14.2).
    static let refreshToken = TokenGrant(
        refusal: { $0.refusal(for: .refreshToken) },
        unknownUser: { _ in
            OAuthError(.invalidGrant, "The refresh_token is unknown, has expired or was issued to another client.")
        },
        access: { try await $0.refresh() })
}

extension TokenRequest {
    fileprivate func refresh() async throws -> GrantedAccess {
        guard let token = form.value("refresh_token") else { throw OAuthError(.invalidRequest, "The refresh_token is missing.") }
        let unknown = TokenGrant.refreshToken.unknownUser(self)
        let known = try visit.cloud.grants.look(up: token, kind: .refreshToken, at: visit.provider.name)
        guard let grant = known, grant.client == client.id else { throw unknown }
        let fault = visit.grantVerifier.fault(of: grant)
        if fault == .spent { throw try await reuse(of: grant) }
        if fault == .disabledPerson { throw visit.disabledUser }
        guard fault == nil, var approval = Approval(grant, at: visit.provider) else { throw unknown }
        // The nonce belongs only to the authorization request (OpenID Connect Core 1.0 section 12.2).
        approval.nonce = nil
        return .user(
            UserAccess(
                approval: approval, extent: .narrowed, renewal: .always, spent: IssuedGrant(grant, token: token),
                binding: UserAccess.Binding(parameter: "refresh_token", keyThumbprint: approval.keyThumbprint)))
    }
}
