import Calls
import Directory
import HTTPTypes
import WireFormats

extension TokenRequest {
    /// The error for a user who does not exist, or no longer exists.
    func unknownUser(_ grantType: String) -> OAuthError {
        if let usual = UsualGrant(rawValue: grantType) { return unknownUser(usual) }
        return FurtherGrant(rawValue: grantType).map { unknownUser($0) } ?? .revokedGrant
    }

    func unknownUser(_ grant: UsualGrant) -> OAuthError {
        switch grant {
        case .authorizationCode: OAuthError(.invalidGrant, "The user of the code no longer exists.")
        case .refreshToken:
            OAuthError(.invalidGrant, "The refresh_token is unknown, has expired or was issued to another client.")
        }
    }

    func unknownUser(_ grant: FurtherGrant) -> OAuthError {
        switch grant {
        // The client acts for itself.
        case .clientCredentials: .revokedGrant
        case .password: OAuthError(.invalidGrant, "Invalid user credentials", status: visit.isRealm ? .unauthorized : nil)
        case .deviceCode: OAuthError(.invalidGrant, "The user of the device_code no longer exists.")
        case .tokenExchange: Self.unknownToken("subject_token")
        case .jwtBearer: OAuthError(.invalidGrant, "The assertion's subject is not a user of the provider.")
        }
    }

    /// The error for a token to exchange.
    /// - Parameter name: the parameter with the token.
    static func unknownToken(_ name: String) -> OAuthError {
        OAuthError(.invalidRequest, "The \(name) is unknown, has expired or was revoked.")
    }
}
