import Calls
import Federation
import HTTPTypes
import Policy
import WireFormats

/// A signed call of a service whose actions have no resources.
struct AccountCall: AuthorizedCall {
    let http: Call
    let caller: Caller
    /// The caller's account.
    let account: String
    /// The action in policies, such as `iam:GetRequestAuthorizationDetails`.
    let action: String
    var parameters: QueryParameters

    /// - Parameters:
    ///   - service: the prefix of the service's actions in policies.
    ///   - quotes: whether error messages quote the values of members.
    init(_ call: ServiceCall, by signer: Signer, of service: String, quotes: Bool) throws(ServiceError) {
        guard let account = signer.caller.account else { throw .missingToken }
        http = call.http
        caller = signer.caller
        self.account = account
        action = "\(service):\(call.action)"
        parameters = QueryParameters(call.fields, quotes: quotes)
    }

    func authorize(on resource: some ServiceResource) throws(ServiceError) {
        let verdict = http.authorize(caller, action, on: resource.arn, ownedBy: account)
        guard let message = verdict.decision.message(for: verdict.context) else { return }
        throw ServiceError("AccessDenied", .forbidden, message)
    }
}
