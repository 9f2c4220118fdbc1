package import Cloud
import Tokens
package import WireFormats

/// What identity pools need of user pools: the verification of their ID tokens.
package protocol UserPoolLogins: Sendable {
    /// Verifies an ID token of a user pool: its signature, that it is an ID token, and its times.
    /// - Parameters:
    ///   - pool: the identifier of the user pool, such as `us-east-1_AbCdEfGhI`.
    ///   - isCurrent: whether the user must still exist and be enabled, and the token must not be revoked.
    /// - Returns: the claims.
    /// - Throws: `WebIdentityError`, or an error of the database.
    func claims(ofIDToken text: String, pool: String, isCurrent: Bool, in cloud: Cloud) async throws -> JSONObject
}

/// The user pools of this sandbox.
package struct OwnUserPools: UserPoolLogins {
    package init() {}

    package func claims(ofIDToken text: String, pool: String, isCurrent: Bool, in cloud: Cloud) async throws -> JSONObject {
        do {
            let token = try await VerifiedUserPoolToken(text, use: .id, pool: pool, in: cloud)
            if isCurrent { _ = try token.currentUser(in: cloud) }
            return token.claims
        } catch let fault as UserPoolTokenFault {
            throw error(for: fault, text, cloud)
        }
    }

    private func error(for fault: UserPoolTokenFault, _ text: String, _ cloud: Cloud) -> WebIdentityError {
        switch fault {
        case .invalid, .signature: return .noVerificationKey
        // The text of AWS is not known.
        case .revoked, .disabled: return .rejected("The token is revoked, or its user cannot sign in.")
        case .expired:
            let claims = (try? JSONWebToken(parsing: text))?.claims
            let expiry = Timestamp(seconds: claims?["exp"]?.integerValue ?? 0)
            let issued = Timestamp(seconds: claims?["iat"]?.integerValue ?? 0)
            let end = cloud.clock.effectiveExpiry(expiry, issuedAt: issued)
            return .expired(now: cloud.clock.now.seconds, expiry: end.seconds)
        }
    }
}
