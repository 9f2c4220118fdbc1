import Federation
import HTTPTypes
import RequestSigning
import WireFormats

extension ServiceError {
    /// Translates the error of a request that could not be authenticated, in the wording of AWS services.
    init(_ error: AuthenticationError) { self.init(AuthenticationRefusal(error)) }

    init(_ refusal: AuthenticationRefusal) { self.init(refusal.code, refusal.isMalformed ? .badRequest : .forbidden, refusal.message) }

    /// Translates the error of a call that is signed with Version 2. (STS API Reference, "Common Errors" of its version of 2011.)
    init(_ error: QueryAuthenticationError) {
        self =
            switch error {
            case .malformed(.missing(let name)):
                ServiceError("MissingParameter", .badRequest, "The request must contain the parameter \(name)")
            case .malformed(.unsupported(let name, let value)):
                ServiceError("InvalidParameterValue", .badRequest, "Value (\(value)) for parameter \(name) is invalid.")
            case .malformed(.severalTimes):
                ServiceError(
                    "InvalidParameterCombination", .badRequest, "The parameter Timestamp cannot be used with the parameter Expires")
            case .tooFar(let text): ServiceError("RequestExpired", .badRequest, "Request has expired. Timestamp date is \(text)")
            case .expired(let end): ServiceError("RequestExpired", .badRequest, "Request has expired. Expires date is \(end.iso8601)")
            case .refused(let error): ServiceError(error)
            }
    }
}
