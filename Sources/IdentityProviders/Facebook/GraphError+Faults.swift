import Cloud
import Exchange
import HTTPTypes

extension GraphError {
    /// An error on demand in the Graph API's words: codes of AWS in those that mean the same, numbers as they are.
    /// (Meta for Developers, "Handling Errors", "Rate Limits".)
    init(_ fault: InjectedFault) {
        let failure = fault.failure
        self =
            switch failure.code {
            case "InternalError", "InternalFailure", "ServiceFailure", "server_error": .internalError
            case "ServiceUnavailable", "temporarily_unavailable":
                GraphError(message: "Service temporarily unavailable", code: 2, status: .serviceUnavailable)
            case "Throttling", "ThrottlingException", "RequestLimitExceeded", "TooManyRequestsException", "SlowDown":
                GraphError(message: "(#4) Application request limit reached", code: 4, status: .forbidden)
            case "ExpiredToken", "ExpiredTokenException":
                GraphError(
                    message: "Error validating access token: Session has expired.", code: 190, subcode: 463, status: .unauthorized)
            case "AccessDenied", "AccessDeniedException":
                GraphError(message: "(#200) Permissions error", code: 200, status: .forbidden)
            default: GraphError(message: failure.code, code: Int(failure.code) ?? 1)
            }
        if let message = failure.message { self.message = message }
        if let status = failure.status { self.status = HTTPResponse.Status(code: status) }
    }
}
