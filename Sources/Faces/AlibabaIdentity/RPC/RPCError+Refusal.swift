package import Federation
import WireFormats

extension AlibabaRPCFace {
    /// Returns the error of the gateway for a call that it cannot authenticate.
    package static func refusal(of error: AuthenticationError) -> ServiceCheck.Refusal { ServiceCheck.Refusal(RPCError(error)) }
}

extension ServiceCheck.Refusal {
    init(_ error: RPCError) { self.init(code: error.code, message: error.message) }
}
