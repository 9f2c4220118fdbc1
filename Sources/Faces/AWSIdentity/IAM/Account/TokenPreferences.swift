import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// The operation that selects the version of tokens of the global STS endpoint. A sandbox's tokens are valid in every region, so the
    /// setting appears only in the account summary. (IAM API Reference, "SetSecurityTokenServicePreferences".)
    static let tokenPreferences: [String: Operation] = [
        "SetSecurityTokenServicePreferences": .authorized(members: tokenVersion, setSecurityTokenServicePreferences)
    ]

    private static func tokenVersion(_ parameters: inout QueryParameters) -> String {
        parameters.requiredChoice("GlobalEndpointTokenVersion", of: ["v2Token", "v1Token"], lists: true)
    }

    private static func setSecurityTokenServicePreferences(_ version: String, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.changeAccount { account in account.givesLongGlobalTokens = version == "v2Token" }
        return nil
    }
}
