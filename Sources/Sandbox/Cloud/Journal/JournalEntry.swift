package import NIOCore
package import Policy
package import WireFormats

/// One call: the request, the caller, the decisions and the response.
package struct JournalEntry: Sendable {
    /// The number of the entry, from 1, which is unique in the sandbox.
    package internal(set) var number: Int64 = 0
    /// When the request arrived, by the sandbox's clock.
    package var time: Timestamp
    /// The request ID of the response.
    package var requestID: String
    /// The HTTP method.
    package var method: String
    /// Path and query as received. Secrets in it (signatures, tokens) are masked when it is displayed.
    package var target: String
    /// The host that the client addressed.
    package var host: String
    /// The face that responded: `s3`, `sts`, `facebook`, ….
    package var face: String
    /// The caller's ARN or name at the face; `nil` for an anonymous caller.
    package var caller: String?
    /// The operation, as the service names it, or `nil` if the request is not an operation.
    package var operation: String?
    /// The decisions of the authorizer, in order.
    package var decisions: [JournalDecision]
    /// The HTTP status code of the response.
    package var status: Int
    /// The error code in the response, if it was an error.
    package var errorCode: String?
    /// The error message that the client received, truncated. It may contain secrets; ``reason`` is for display.
    package var errorMessage: String?
    /// The precise cause, if the service's message does not state it. The client does not receive it.
    package var cause: String?
    /// The access key that the signature named, if the caller was not authenticated.
    package var claimedKey: String?
    /// The identifiers of the rules for errors on demand that were applied.
    package var faults: [String]
    /// Whether policies denied a request that was processed anyway (`--authorization report`).
    package var isReported: Bool
    /// The time from the request to the head of the response; `nil` if it was not measured.
    package var duration: Duration?
    /// The size of the request body in bytes; `nil` if the client did not declare it.
    package var requestBytes: Int64?
    /// The size of the response body in bytes; `nil` if it was not known when the response began.
    package var responseBytes: Int64?
    /// The address of the client, if the transport has one.
    package var peer: SocketAddress?
    /// Whether a trusted proxy did not report the client's address.
    package var isFromUnknownClient = false
    /// The client's IP address, `unknown` if a trusted proxy did not report it, or `nil` for a request without a connection.
    package var source: String? { isFromUnknownClient ? "unknown" : peer?.ipAddress }
    /// Whether the client used TLS.
    package var isSecure = false
    /// The span of the request; `nil` if it belongs to no trace.
    package var trace: TraceParent?
    /// Headers and bodies, if they were captured.
    package var captured: CapturedExchange?
    /// The server that the call was forwarded to; `nil` if it was not.
    package var upstream: Upstream?

    /// A server that calls are forwarded to, and what it answered.
    package struct Upstream: Sendable {
        /// `host[:port]`.
        package let address: String
        /// The status of the answer; `nil` if there was none.
        package let status: Int?

        package init(address: String, status: Int?) {
            self.address = address
            self.status = status
        }
    }

    package init(
        time: Timestamp, requestID: String, method: String, target: String, host: String, face: String, caller: String?,
        operation: String?, decisions: [JournalDecision], status: Int, errorCode: String?, errorMessage: String? = nil,
        cause: String? = nil, faults: [String] = [], isReported: Bool = false
    ) {
        self.time = time
        self.requestID = requestID
        self.method = method
        self.target = target
        self.host = host
        self.face = face
        self.caller = caller
        self.operation = operation
        self.decisions = decisions
        self.status = status
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.cause = cause
        self.faults = faults
        self.isReported = isReported
    }

    /// The size of the entry in bytes: its texts and its fixed parts.
    var cost: Int {
        256 + method.utf8.count + target.utf8.count + host.utf8.count + (caller?.utf8.count ?? 0)
            + (errorMessage?.utf8.count ?? 0) + (cause?.utf8.count ?? 0) + (claimedKey?.utf8.count ?? 0)
            + (upstream?.address.utf8.count ?? 0) + decisions.reduce(0) { $0 + $1.cost } + (captured?.cost ?? 0)
    }
}

/// One decision of the authorizer, with its inputs.
package struct JournalDecision: Sendable {
    /// The action, with its service.
    package var action: String
    /// The ARN of the resource.
    package var resource: String
    /// Whether the request was allowed.
    package var allowed: Bool
    /// The data that explains the decision on request.
    package var evidence: any DecisionEvidence

    package init(action: String, resource: String, allowed: Bool, evidence: any DecisionEvidence) {
        self.action = action
        self.resource = resource
        self.allowed = allowed
        self.evidence = evidence
    }

    /// The captured inputs are an array of condition keys and policies that the directory contains anyway.
    var cost: Int { 1024 + action.utf8.count + resource.utf8.count }
}

/// The inputs of a decision. Explanations are computed on request.
///
/// A class, because the journal stores one for each decision without copying it.
package protocol DecisionEvidence: AnyObject, Sendable {
    /// Every statement that was evaluated, and why it did or did not apply.
    var trace: DecisionTrace { get }
    /// The document that DecodeAuthorizationMessage returns about the decision.
    var message: JSONValue { get }
    /// The smallest policy change that allows the request; `nil` if it is allowed, or no statement can allow it.
    var remedy: Remedy? { get }
    /// Condition keys of policy variables without a value. With a value for one of them, a statement would allow the request.
    var unresolvedVariables: [String] { get }
    /// The request and its policies, to decide it again; `nil` if the evidence does not have them.
    var request: DecidedRequest? { get }
}

extension DecisionEvidence {
    /// No variables, by default.
    package var unresolvedVariables: [String] { [] }

    /// No request, by default.
    package var request: DecidedRequest? { nil }
}
