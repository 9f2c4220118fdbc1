package import Policy
package import WireFormats

/// One call: what was asked, who asked, what was decided and answered.
package struct JournalEntry: Sendable {
    /// Counts up from 1; tells entries of one sandbox apart.
    package internal(set) var number: Int64 = 0
    /// When the request arrived, by the sandbox's clock.
    package var time: Timestamp
    /// The request ID in the answer.
    package var requestID: String
    /// The HTTP method.
    package var method: String
    /// Path and query as received. Secrets in it (signatures, tokens) are masked when it is shown.
    package var target: String
    /// The host that the client addressed.
    package var host: String
    /// `s3`, `sts`, `facebook`, …; the face that answered.
    package var face: String
    /// ARN of the caller, or the name that the face uses; `nil` for an anonymous one.
    package var caller: String?
    /// The operation, as the service names it, or `nil` if the request is none.
    package var operation: String?
    /// What the authorizer was asked, in order.
    package var decisions: [JournalDecision]
    /// The HTTP status code of the answer.
    package var status: Int
    /// The wire error code, if the answer was an error.
    package var errorCode: String?
    /// The message of the error as the client got it, bounded, perhaps with secrets; ``reason`` is for people.
    package var errorMessage: String?
    /// What exactly was wrong, where the service's message does not say it; the client does not get it.
    package var cause: String?
    /// The access key that the signature named, where no caller was authenticated.
    package var claimedKey: String?
    /// The rules of errors on demand that struck the call, by their identifiers.
    package var faults: [String]
    /// Whether policies denied what was served all the same (`--authorization report`).
    package var isReported: Bool

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

    /// Bytes that the entry is counted with: its texts and the size of its fixed parts.
    var cost: Int {
        256 + method.utf8.count + target.utf8.count + host.utf8.count + (caller?.utf8.count ?? 0)
            + (errorMessage?.utf8.count ?? 0) + (cause?.utf8.count ?? 0) + (claimedKey?.utf8.count ?? 0)
            + decisions.reduce(0) { $0 + $1.cost }
    }
}

/// One question to the authorizer and its answer, with what it was decided from.
package struct JournalDecision: Sendable {
    /// The action, with its service.
    package var action: String
    /// The ARN of the resource.
    package var resource: String
    /// Whether the request was allowed.
    package var allowed: Bool
    /// What explains the decision when somebody asks.
    package var evidence: any DecisionEvidence

    package init(action: String, resource: String, allowed: Bool, evidence: any DecisionEvidence) {
        self.action = action
        self.resource = resource
        self.allowed = allowed
        self.evidence = evidence
    }

    /// The captured inputs are an array of keys beside policies that the directory holds anyway.
    var cost: Int { 1024 + action.utf8.count + resource.utf8.count }
}

/// The inputs of a decision. What they tell is computed when somebody looks.
///
/// A class, since the journal keeps one for each decision and should not have to copy it.
package protocol DecisionEvidence: AnyObject, Sendable {
    /// Every statement that was considered and why it did or did not apply.
    var trace: DecisionTrace { get }
    /// What DecodeAuthorizationMessage returns about the decision.
    var message: JSONValue { get }
    /// The smallest change of policies after which the request is allowed; nil if it is allowed, or no statement can allow it.
    var remedy: Remedy? { get }
    /// Condition keys of policy variables without a value, with one of which a statement would allow the request.
    var unresolvedVariables: [String] { get }
}

extension DecisionEvidence {
    /// Policy variables that had no value, so that their statements could not match.
    package var unresolvedVariables: [String] { [] }
}
