import Federation
import WireFormats

extension STSFace {
    /// GetCallerIdentity. Every caller with credentials may call it; policies do not apply.
    @Sendable static func getCallerIdentity(_ call: inout STSCall) async throws -> QueryService.Result? {
        let (caller, account) = (call.caller, call.account)
        return { xml in
            xml.element("Arn", caller.arn ?? "")
            xml.element("UserId", caller.userID)
            xml.element("Account", account)
        }
    }
}
