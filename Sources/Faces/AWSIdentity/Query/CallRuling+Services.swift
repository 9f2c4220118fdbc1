package import Federation
import HTTPTypes
import WireFormats

extension STSFace {
    /// Returns what STS decides about an action without policies; `nil` if policies decide.
    /// - Parameter action: such as `sts:AssumeRole`, in any case.
    package static func ruling(on action: String, by caller: Caller) -> CallRuling? {
        guard let operation = operation(ofAction: action) else { return nil }
        guard caller.account != nil else { return .refused(.init(.missingToken)) }
        if let refusal = refusal(of: operation, by: caller) ?? rootRefusal(of: operation, by: caller) { return .refused(.init(refusal)) }
        return withoutPolicies.contains(operation) ? .allowed : nil
    }
}

extension IAMFace {
    /// Returns what IAM decides about a caller without policies; `nil` if policies decide.
    package static func ruling(on caller: Caller) -> CallRuling? {
        guard caller.account != nil else { return .refused(.init(.missingToken)) }
        return refusal(of: caller).map { .refused(.init($0)) }
    }
}

extension ServiceError {
    /// The error for a call without a signature.
    static let missingToken = ServiceError(AuthenticationRefusal.missingToken)
}

extension ServiceCheck.Refusal {
    init(_ error: ServiceError) { self.init(code: error.code, message: error.message) }
}
