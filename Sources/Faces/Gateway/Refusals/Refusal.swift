package import Calls
import Cloud
package import Federation
package import HTTPTypes
package import Policy
package import ServiceModels
import WireFormats

/// An error of a forwarded service that Virga returns itself, in the words of the service.
package struct Refusal: Error, Sendable {
    /// The HTTP status.
    package let status: HTTPResponse.Status
    /// The error code, such as `AccessDeniedException`.
    package let code: String
    /// The message.
    package let message: String
    /// The code that clients of the Query protocol know, without the party at fault.
    let queryCode: String
    /// Whether the message is in a member in lowercase, whatever the service has for denials.
    let isCommon: Bool

    private init(_ status: HTTPResponse.Status, _ code: String, _ message: String, queryCode: String? = nil, isCommon: Bool = true) {
        self.status = status
        self.code = code
        self.message = message
        self.queryCode = queryCode ?? code
        self.isCommon = isCommon
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
            "User: \(context.principal.name) is not authorized to perform: \(action)\(resource) \(reason)", queryCode: "AccessDenied",
            isCommon: false)
    }

    /// Returns the refusal of a call that could not be authenticated. (Recorded of DynamoDB in dynalite, of Kinesis in kinesalite; assumed
    /// for the other services.)
    package static func unauthenticated(_ refusal: AuthenticationRefusal, of service: String, in wire: ServiceProtocol) -> Refusal {
        switch wire {
        case .query, .ec2, .restXML:
            return Refusal(refusal.isMalformed ? .badRequest : .forbidden, refusal.code, refusal.message)
        case .json10, .json11, .cbor, .restJSON:
            let isShort = refusal.code == AuthenticationRefusal.missingToken.code && service != "dynamodb"
            let status = wire == .restJSON && !refusal.isMalformed ? HTTPResponse.Status.forbidden : .badRequest
            return Refusal(
                status, refusal.codeInJSON, isShort ? "Missing Authentication Token" : refusal.message, queryCode: refusal.code)
        }
    }

    /// Returns the refusal of a call that a page of another origin signs with a well-known key.
    package static func foreignPage(_ message: String, in wire: ServiceProtocol) -> Refusal {
        switch wire {
        case .query, .ec2, .restXML: Refusal(.forbidden, "AccessDenied", message)
        case .json10, .json11, .cbor, .restJSON: Refusal(.forbidden, "AccessDeniedException", message, queryCode: "AccessDenied")
        }
    }

    /// Returns the refusal of a body that is not a document of the protocol.
    package static func malformed(_ message: String, in wire: ServiceProtocol) -> Refusal {
        switch wire {
        case .query, .ec2, .restXML: Refusal(.badRequest, "MalformedInput", message)
        case .json10, .json11, .cbor, .restJSON: Refusal(.badRequest, "SerializationException", message, queryCode: "MalformedInput")
        }
    }

    /// Returns the refusal of a body that is too long.
    package static func tooLarge(_ limit: Int) -> Refusal {
        Refusal(.contentTooLarge, "RequestEntityTooLarge", "Virga forwards bodies up to \(limit) bytes; --forward-body-limit changes it.")
    }

    /// The refusal of a call whose body does not fit into the memory of all bodies.
    package static let busy = Refusal(.serviceUnavailable, "ServiceUnavailable", "Virga holds too many request bodies at once. Try again.")

    /// The error for an unexpected failure.
    package static func failure(in wire: ServiceProtocol) -> Refusal {
        let message = "The request processing has failed because of an unknown error."
        switch wire {
        case .query, .ec2, .restXML: return Refusal(.internalServerError, "InternalFailure", message)
        case .json10, .json11, .cbor, .restJSON:
            return Refusal(.internalServerError, "InternalServerError", message, queryCode: "InternalFailure")
        }
    }

    /// Returns an error on demand.
    package static func injected(_ fault: InjectedFault) -> Refusal {
        let (status, message) = fault.entry(in: .query)
        return Refusal(status, fault.failure.code, message)
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
            case .unknownKey(let key): "A policy reads \(key), which Virga cannot find for this call."
            }
        if case .unmapped = cause { return unmapped(operation, of: service, in: wire) }
        return undecidable(detail, operation, of: service, in: wire)
    }

    /// - Parameter detail: Virga's wording of why.
    private static func undecidable(_ detail: String, _ operation: String, of service: String, in wire: ServiceProtocol) -> Refusal {
        let code =
            switch wire {
            case .query, .ec2, .restXML: "ValidationError"
            case .json10, .json11, .restJSON, .cbor: "ValidationException"
            }
        return Refusal(.badRequest, code, "Virga cannot decide \(service):\(operation): \(detail)")
    }

    /// Returns the refusal of a call on a resource whose policy cannot be read.
    /// - Parameter fault: what is wrong with the policy.
    package static func unreadablePolicy(
        of resource: String, _ fault: String, operation: String, of service: String, in wire: ServiceProtocol
    ) -> Refusal {
        undecidable("The policy of \(resource) cannot be evaluated. \(fault)", operation, of: service, in: wire)
    }

    /// Returns the refusal of a call that is allowed, and names resources of several accounts.
    package static func severalAccounts(operation: String, of service: String, in wire: ServiceProtocol) -> Refusal {
        undecidable("Virga forwards only calls on resources of one account.", operation, of: service, in: wire)
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

extension Refusal: Equatable {
    /// Texts are equal if their bytes are.
    package static func == (left: Refusal, right: Refusal) -> Bool {
        left.status == right.status && left.code == right.code && left.message == right.message && left.queryCode == right.queryCode
            && left.isCommon == right.isCommon
    }
}
