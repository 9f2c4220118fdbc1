package import HTTPTypes
package import Policy
package import ServiceModels
import WireFormats

/// An error of a forwarded service that Virga returns itself, in the words of the service.
package struct Refusal: Equatable, Sendable {
    /// The HTTP status.
    package let status: HTTPResponse.Status
    /// The error code, such as `AccessDeniedException`.
    package let code: String
    /// The message.
    package let message: String

    private init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// Returns the refusal of a call that a policy denies; `nil` if the decision allows it.
    /// - Parameters:
    ///   - context: the question that was decided.
    ///   - operation: the operation that was called.
    ///   - service: the prefix of the service's actions in policies.
    ///   - wire: the protocol of the call.
    package static func denied(
        _ decision: Decision, _ context: RequestContext, operation: String, of service: String, in wire: ServiceProtocol
    ) -> Refusal? {
        let wording = ServiceWording(of: service, in: wire)
        let action = wording.spelled(context.action)
        guard let reason = decision.reason(action: action) else { return nil }
        let resource = wording.namesResource(operation) ? " on resource: \(context.resource)" : ""
        return Refusal(
            wording.status, wording.code,
            "User: \(context.principal.name) is not authorized to perform: \(action)\(resource) \(reason)")
    }

    /// Returns the refusal of an operation whose permission is not known.
    package static func unmapped(_ operation: String, of service: String, in wire: ServiceProtocol) -> Refusal {
        unknown(
            "Virga does not know which permission \(service):\(operation) needs; --forward-unmapped allow forwards it.", in: wire)
    }

    /// Returns the refusal of a call that names no operation of the service, or could be read as two.
    /// - Parameter message: Virga's wording.
    package static func unknown(_ message: String, in wire: ServiceProtocol) -> Refusal {
        switch wire {
        case .query, .ec2, .restXML: Refusal(.badRequest, "InvalidAction", message)
        case .json10, .json11: Refusal(.badRequest, "UnknownOperationException", message)
        case .restJSON, .cbor: Refusal(.notFound, "UnknownOperationException", message)
        }
    }

    /// Returns the refusal of a call whose input cannot be decided.
    package static func undecidable(_ cause: UndecidableCall, operation: String, of service: String, in wire: ServiceProtocol) -> Refusal {
        let detail =
            switch cause {
            case .unmapped: ""
            case .unexpectedType(let member): "\(member) must be a string."
            case .repeatedMember(let member): "\(member) occurs more than once, or is spelled differently."
            case .contradiction(let member): "\(member) contradicts another part of the request, or has an unusual form."
            case .statement: "Virga forwards only statements about one table without nested queries."
            }
        if case .unmapped = cause { return unmapped(operation, of: service, in: wire) }
        let code =
            switch wire {
            case .query, .ec2, .restXML: "ValidationError"
            case .json10, .json11, .restJSON, .cbor: "ValidationException"
            }
        return Refusal(.badRequest, code, "Virga cannot decide \(service):\(operation): \(detail)")
    }

    /// Returns the error of a call whose upstream cannot be reached.
    /// - Parameters:
    ///   - upstream: the URL of the upstream.
    ///   - cause: why, such as `connection refused`.
    package static func unreachable(_ upstream: String, _ cause: String, of service: String, in wire: ServiceProtocol) -> Refusal {
        let code =
            switch wire {
            case .json10, .json11, .cbor: "InternalServerError"
            case .query, .ec2, .restJSON, .restXML: "ServiceUnavailable"
            }
        return Refusal(.serviceUnavailable, code, "Virga could not reach the upstream of \(service) at \(upstream): \(cause)")
    }
}
