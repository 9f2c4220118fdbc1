import Calls
import HTTPTypes
import WireFormats

/// A wire protocol of AWS: how calls are read, and how results and errors are written. A service has one, and its operations know nothing
/// of it but the type of a result. (Smithy, "AWS protocols".)
protocol WireProtocol: Sendable {
    /// What an operation returns.
    associatedtype Result

    /// Reads a call.
    /// - Parameters:
    ///   - body: the whole body.
    ///   - form: the body as a form, if the front door has already parsed it.
    func read(_ call: Call, body: [UInt8], form: QueryForm?) throws(ServiceError) -> ServiceCall

    /// Returns the error for an operation that the service does not have.
    func unknown(_ call: ServiceCall) -> ServiceError

    /// Returns the response with the result of an operation. Operations that return only metadata have none.
    func response(_ result: Result?, of operation: String, to call: Call) -> Response

    /// Returns an error that services share with the code that it has in this protocol. It is created with that of the Query protocol.
    func translate(_ error: ServiceError) -> ServiceError

    /// Returns the response for a call that failed.
    /// - Parameter error: the translated error.
    func response(_ error: ServiceError, to call: Call) -> Response
}

/// One call of an AWS service, not yet checked.
struct ServiceCall: Sendable {
    let http: Call
    let action: String
    /// The members of the input that are texts, numbers or Booleans, by the names of the service model. Those in lists and structures are
    /// named as the Query protocol names them.
    let fields: FormFields
    /// The body as received, which signatures cover.
    let body: [UInt8]
}

extension ServiceError {
    /// The error for a query or form that cannot be decoded.
    static let malformedQuery = ServiceError("MalformedQueryString", .notFound, "The query string contains a syntax error.")
}
