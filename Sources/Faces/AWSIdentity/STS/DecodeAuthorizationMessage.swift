import Cloud
import Federation
import HTTPTypes
import WireFormats

extension STSFace {
    /// DecodeAuthorizationMessage. Returns why a request was denied, if the caller may know it.
    @Sendable static func decodeAuthorizationMessage(_ call: inout STSCall) async throws -> QueryService.Result? {
        let encoded = call.parameters.requiredText("EncodedMessage", length: 1...AuthorizationMessage.longest)
        try call.parameters.check()
        try call.authorize("sts:DecodeAuthorizationMessage", STSCall.Question())
        guard let message = AuthorizationMessage.open(encoded, key: call.cloud.sealingKey) else {
            throw ServiceError("InvalidAuthorizationMessageException", .badRequest, "Message is not valid")
        }
        return { $0.element("DecodedMessage", message) }
    }
}
