import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension TokenGrant {
    /// An authorization code (RFC 6749 section 4.1.3).
    static let authorizationCode = TokenGrant(
        refusal: { $0.refusal(for: .authorizationCode) },
        unknownUser: { _ in OAuthError(.invalidGrant, "The user of the code no longer exists.") },
        access: { try await $0.redeemCode() })
}

extension TokenRequest {
    fileprivate func redeemCode() async throws -> GrantedAccess {
        let manners = visit.manners
        guard let text = form.value("code") else { throw manners.refusals.missingParameter("code") }
        guard let redirectURI = form.value("redirect_uri") ?? (manners.takesMissingForWrong ? "" : nil) else {
            throw manners.refusals.missingParameter("redirect_uri")
        }
        let code = AuthorizationCode(text: text, visit: visit)
        let grant: Grant
        do {
            grant = try await code.check(by: client, redirectURI: redirectURI, verifier: form.value("code_verifier"))
        } catch let fault as AuthorizationCode.Fault {
            throw manners.refusals.code(fault)
        }
        guard let approval = Approval(grant, at: visit.provider) else { throw TokenGrant.authorizationCode.unknownUser(self) }
        let isOffline = manners.alwaysRenews || grant.details["offline"]?.boolValue == true
        return .user(
            UserAccess(
                approval: approval, extent: .approved, renewal: isOffline ? .always : .never, redeemed: IssuedGrant(grant, token: text),
                binding: UserAccess.Binding(parameter: "code", keyThumbprint: grant.details["dpop_jkt"]?.stringValue)))
    }
}

extension AuthorizationCode.Fault {
    /// The reason in words.
    var explanation: String {
        switch self {
        case .unknown, .otherClient: "The code is unknown, or was issued to another client."
        case .expired: "The code has expired."
        case .alreadyUsed: "The code was used before; the tokens issued on it are revoked."
        case .otherRedirectURI: "The redirect_uri is not the one of the authorization request."
        case .missingVerifier: "The code_verifier is missing."
        case .unexpectedVerifier: "The authorization request had no code_challenge, so the code_verifier is not allowed."
        case .wrongVerifier: "The code_verifier does not fit the code_challenge."
        }
    }
}
