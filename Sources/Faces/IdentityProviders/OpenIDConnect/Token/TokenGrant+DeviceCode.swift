import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension TokenGrant {
    /// The device code of a device that polls (RFC 8628 sections 3.4 and 3.5).
    static let deviceCode = TokenGrant(
        refusal: { request in
            request.client.mayUse(.deviceCode) ? nil : request.visit.manners.refusals.deviceFlow
        },
        unknownUser: { _ in OAuthError(.invalidGrant, "The user of the device_code no longer exists.") },
        access: { try await $0.redeemDeviceCode() })
}

extension TokenRequest {
    fileprivate func redeemDeviceCode() async throws -> GrantedAccess {
        guard let code = form.value("device_code") else { throw visit.manners.refusals.missingParameter("device_code") }
        let grant: Grant
        do {
            grant = try await DeviceGrant(visit: visit).redeem(code, by: client.id)
        } catch let fault as DeviceGrant.Fault {
            throw visit.manners.refusals.deviceCode(fault)
        }
        guard let approval = Approval(grant, at: visit.provider) else { throw TokenGrant.deviceCode.unknownUser(self) }
        guard approval.person.isEnabled else { throw visit.disabledUser }
        return .user(UserAccess(approval: approval, extent: .approved, renewal: visit.manners.alwaysRenews ? .always : .offline))
    }
}
