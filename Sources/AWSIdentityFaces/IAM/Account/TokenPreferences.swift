import Cloud
import Directory
import HTTPTypes

extension IAMFace {
    /// Which tokens the global endpoint of STS gives. Those of a sandbox are good in every region, so that the account's summary alone
    /// shows it. (IAM API Reference, "SetSecurityTokenServicePreferences".)
    static let tokenPreferences: [String: Operation] = ["SetSecurityTokenServicePreferences": setSecurityTokenServicePreferences]

    private static func setSecurityTokenServicePreferences(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let version = call.parameters.requiredChoice("GlobalEndpointTokenVersion", of: ["v2Token", "v1Token"], lists: true)
        try call.parameters.check()
        try call.authorize(on: "*")
        try await call.changeAccount { account in account.givesLongGlobalTokens = version == "v2Token" }
        return nil
    }
}
