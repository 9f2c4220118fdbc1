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
        do {
            throw error
        } catch let error as ServiceError {
            return refuse(error, call)
        } catch let fault as InjectedFault {
            let (status, message) = fault.entry(in: .query)
            return refuse(ServiceError(fault.failure.code, status, message), call)
        } catch is BodyTooLarge {
            return refuse(ServiceError("RequestEntityTooLarge", .contentTooLarge, "Request body is too large."), call)
        } catch is ContentCutOff {
            return refuse(ServiceError("MalformedInput", .badRequest, "The request body ended before its length."), call)
        } catch let error where FullStorage.isCause(of: error) {
            return refuse(ServiceError("LimitExceeded", .conflict, FullStorage.message(for: error)), call)
        } catch {
            call.note(failure: error)
            return refuse(
                ServiceError("InternalFailure", .internalServerError, "The request processing has failed because of an unknown error."),
                call)
        }
    }

    private func refuse(_ error: ServiceError, _ call: Call) -> Response {
        let error = wire.translate(error)
        call.note(errorCode: error.code, message: error.message)
        return wire.response(error, to: call)
    }
}
