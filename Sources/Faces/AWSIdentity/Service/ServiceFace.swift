import Calls
import Cloud
import HTTPTypes
import WireFormats

/// An AWS service: a table of operations, and the processing that all services share. (Its wire protocol is ``Service/wire``.)
protocol ServiceFace: Sendable {
    associatedtype Wire: WireProtocol
    /// A signed call, as the service's operations receive it.
    associatedtype SignedCall: Sendable

    var service: Service<Wire> { get }

    /// Every operation, by name.
    static var operations: [String: ServiceOperation<Self>] { get }

    /// Returns the call for its operation, if the service accepts the caller.
    func signed(_ call: ServiceCall, by signer: Signer) throws(ServiceError) -> SignedCall
}

extension ServiceFace {
    /// Responds to one call.
    /// - Parameter form: the form, if the front door has already read it.
    func answer(_ call: Call, form: QueryForm? = nil) async -> Response {
        await service.respond(to: call, form: form) { call in
            let operation = Self.operations[call.action]
            if let operation { try operation.refuseMembers(of: call) }
            if call.http.cloud.faults.isArmed { try await service.applyFaults(call) }
            call.http.note(operation: call.action)
            guard let operation else { throw service.wire.unknown(call) }
            // Clients with a provider's token or assertion have no credentials with which to sign.
            if case .unsigned(let perform) = operation.handler { return try await perform(self, call) }
            return try await performSigned(operation, call)
        }
    }

    @inline(never)
    private func performSigned(_ operation: ServiceOperation<Self>, _ call: ServiceCall) async throws -> Wire.Result? {
        guard case .signed(let perform) = operation.handler else {
            throw ServiceError("NotImplemented", .notImplemented, "The action \(call.action) is not implemented by this sandbox.")
        }
        var signed = try signed(call, by: try service.authenticated(call))
        return try await perform(&signed)
    }
}

extension ServiceOperation {
    /// Refuses a call with a member that Virga does not support.
    fileprivate func refuseMembers(of call: ServiceCall) throws(ServiceError) {
        guard !refusedMembers.isEmpty, let name = refusedMembers.first(where: call.fields.containsParameter) else { return }
        throw .unsupportedMember(name, of: call.action)
    }
}

extension ServiceError {
    /// The error for a member that the operation of the real service has, and Virga does not support.
    static func unsupportedMember(_ name: String, of operation: String) -> ServiceError {
        ServiceError("NotImplemented", .notImplemented, "\(operation) does not support \(name).")
    }
}
