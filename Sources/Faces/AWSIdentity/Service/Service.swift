import Calls
import Cloud
import Federation
import HTTPTypes
import WireFormats

/// What all AWS services share, whatever their wire protocol: journal, authentication, errors on demand.
struct Service<Wire: WireProtocol>: Sendable {
    /// The service's name in the scope of signatures and in the journal.
    let name: String
    let wire: Wire
    /// The maximum size of a call's body in bytes.
    let bodyLimit: Int
    /// Whether calls may be signed with Version 2.
    var takesVersion2 = false
    let authenticator: Authenticator
    /// Returns the caller of an unsigned call, from its token or assertion. It is called only if an error on demand is limited to a caller.
    var identify: (@Sendable (ServiceCall) async -> String?)?

    /// The result of an operation.
    typealias Result = Wire.Result

    /// Responds to one call.
    /// - Parameters:
    ///   - form: the form, if the front door has already read it.
    ///   - perform: performs the call.
    func respond(
        to call: Call, form: QueryForm?, perform: (ServiceCall) async throws -> Result?
    ) async -> Response {
        call.note(face: name)
        do {
            let body = if let form { form.bytes } else { try await call.collectBody(upTo: bodyLimit) }
            let read = try wire.read(call, body: body, form: form)
            return wire.response(try await perform(read), of: read.action, to: call)
        } catch {
            return refuse(error, call)
        }
    }

    /// Returns the response to a call that failed. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func refuse(_ error: any Error, _ call: Call) -> Response {
        let refusal: ServiceError
        if let fault = error as? InjectedFault {
            // The rule names the code that the client receives.
            let (status, message) = fault.entry(in: .query)
            refusal = ServiceError(fault.failure.code, status, message)
        } else {
            refusal = wire.translate(Self.serviceError(for: error, call))
        }
        call.note(errorCode: refusal.code, message: refusal.message)
        return wire.response(refusal, to: call)
    }

    private static func serviceError(for error: any Error, _ call: Call) -> ServiceError {
        switch error {
        case let error as ServiceError: return error
        case is BodyTooLarge: return ServiceError("RequestEntityTooLarge", .contentTooLarge, "Request body is too large.")
        case is ContentCutOff: return ServiceError("MalformedInput", .badRequest, "The request body ended before its length.")
        case _ where FullStorage.isCause(of: error): return ServiceError("LimitExceeded", .conflict, FullStorage.message(for: error))
        default:
            call.note(failure: error)
            return ServiceError("InternalFailure", .internalServerError, "The request processing has failed because of an unknown error.")
        }
    }
}
