import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// The operation that selects the version of tokens of the global STS endpoint. A sandbox's tokens are valid in every region, so the
    /// setting appears only in the account summary. (IAM API Reference, "SetSecurityTokenServicePreferences".)
    static let tokenPreferences: [String: Operation] = ["SetSecurityTokenServicePreferences": .init(setSecurityTokenServicePreferences)]

    private static func setSecurityTokenServicePreferences(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let version = call.parameters.requiredChoice("GlobalEndpointTokenVersion", of: ["v2Token", "v1Token"], lists: true)
        try call.parameters.check()
        try call.authorize(on: "*")
        try await call.changeAccount { account in account.givesLongGlobalTokens = version == "v2Token" }
        return nil
    }
}
