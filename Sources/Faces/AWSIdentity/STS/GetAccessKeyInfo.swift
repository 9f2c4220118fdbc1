import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension STSFace {
    /// GetAccessKeyInfo. Returns the account of an access key, of any account and in any state.
    @Sendable static func getAccessKeyInfo(_ call: inout STSCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("AccessKeyId", length: 16...128, pattern: .word.ofAnyNumber)
        try call.parameters.check()
        try call.authorize("sts:GetAccessKeyInfo", STSCall.Question())
        let account: String? =
            switch call.directory.keys[id] {
            case .root(let account, _): account.id
            case .user(let user, _): user.user.account
            case nil: AccessKeyAlphabet.account(of: id).flatMap { call.directory.accounts[$0]?.id }
            }
        guard let account else {
            // Virga's wording: the real service knows the account of every key that ever existed.
            throw ServiceError("ValidationError", .badRequest, "The access key \(id) does not exist.")
        }
        return { xml in xml.element("Account", account) }
    }
}
