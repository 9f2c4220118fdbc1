import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

extension OpenIDConnectFace {
    /// The pages of IAM Identity Center, which the issuer has if it is the one whose users Identity Center knows.
    static let identityCenterRoutes: [ProviderRoute<OpenIDConnectFace>] = {
        let (device, authorization) = (CenterTokens.Pages.device, CenterTokens.Pages.authorization)
        return [
            .page(device, takes: [.get]) { try await $0.centerDevices().show() },
            .page(DeviceVerification.formPath(of: device), takes: [.post]) { try await $0.centerDevices().submit() },
            .page(authorization, takes: [.get]) { face in
                try await CenterAuthorizeEndpoint(visit: face.visit, tokens: face.centerTokens()).signIn.begin(face.visit.query())
            },
            .page(CenterAuthorizeEndpoint.formPath, takes: [.post]) { face in
                try await CenterAuthorizeEndpoint(visit: face.visit, tokens: face.centerTokens()).signIn.submit(face.visit.form())
            },
        ]
    }()

    /// - Throws: ``FaultPage`` if Identity Center has the users of another issuer.
    private func centerTokens() throws -> CenterTokens {
        guard let tokens = CenterTokens(in: visit.cloud), tokens.provider.name == visit.provider.name else {
            throw FaultPage(
                status: .notFound, code: "not_found", explanation: "This issuer is not the identity provider of IAM Identity Center.")
        }
        return tokens
    }

    private func centerDevices() throws -> DeviceVerification {
        let tokens = try centerTokens()
        return DeviceVerification(
            visit: visit, path: CenterTokens.Pages.device, meaning: CenterAuthorizeEndpoint.meaning(ofScope:),
            client: { tokens.client($0)?.shown })
    }
}
