import Cloud
import Exchange
import Federation
import HTTPTypes
import Policy
import WireFormats

extension STSFace {
    /// Tells why a request was refused, to those who may know. (STS API Reference, "DecodeAuthorizationMessage".)
    func decodeAuthorizationMessage(_ call: QueryCall) throws(QueryError) -> QueryService.Result {
        let caller = try service.authenticate(call)
        var parameters = QueryParameters(call.fields)
        let encoded = parameters.requiredText("EncodedMessage", length: 1...AuthorizationMessage.longest)
        try parameters.check()
        let action = "sts:DecodeAuthorizationMessage"
        let verdict = call.exchange.authorize(caller, action, on: "*", ownedBy: caller.account ?? "")
        if let reason = verdict.decision.reason(action: action) {
            // The service says nothing of the resource, which is always the same.
            throw QueryError("AccessDenied", .forbidden, "User: \(verdict.context.principal.name) is not authorized to perform: \(action) \(reason)")
        }
        guard let message = AuthorizationMessage.open(encoded, key: call.exchange.cloud.sealingKey) else {
            throw QueryError("InvalidAuthorizationMessageException", .badRequest, "Message is not valid")
        }
        return { $0.element("DecodedMessage", message) }
    }
}
