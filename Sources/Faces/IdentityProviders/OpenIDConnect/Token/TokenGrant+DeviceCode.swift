import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension TokenGrant {
    /// The device code of a device that polls (RFC 8628 sections 3.4 and 3.5).
    static let deviceCode = TokenGrant(
        refusal: { $0.refusal(for: .deviceCode, "The client may not use the device flow.") },
        unknownUser: { _ in OAuthError(.invalidGrant, "The user of the device_code no longer exists.") },
        access: { try await $0.redeemDeviceCode() })
}

extension TokenRequest {
    fileprivate func redeemDeviceCode() async throws -> GrantedAccess {
        guard let code = form.value("device_code") else { throw OAuthError(.invalidRequest, "The device_code is missing.") }
        let grant: Grant
        do {
            grant = try await DeviceGrant(visit: visit).redeem(code, by: client)
        } catch let fault as DeviceGrant.Fault {
            throw switch fault {
            case .unknown: OAuthError(.invalidGrant, "The device_code is unknown, was used, or was issued to another client.")
            case .expired: OAuthError(.expiredToken, "The device_code has expired.")
            case .pending: OAuthError(.authorizationPending, "The user has not decided yet.")
            case .slowDown: OAuthError(.slowDown, "The device polls too often.")
            case .denied: OAuthError(.accessDenied, "The user denied access.")
            }
        }
        guard let approval = Approval(grant, at: visit.provider) else { throw TokenGrant.deviceCode.unknownUser(self) }
        guard approval.person.isEnabled else { throw visit.disabledUser }
        return .user(UserAccess(approval: approval, extent: .approved, renewal: .offline))
    }
}
