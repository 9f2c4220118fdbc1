import Cloud
public import FoundationEssentials
import Policy
import WireFormats

extension RunningCloud.Journal {
    /// A request, its caller, and how it was decided.
    public struct Entry: Sendable, CustomStringConvertible {
        let entry: JournalEntry

        /// The number, which is unique in the cloud.
        public var number: Int { Int(entry.number) }
        /// When the request arrived, in the time of the cloud.
        public var time: Date { Date(timeIntervalSince1970: Double(entry.time.milliseconds) / 1000) }
        /// The request ID of the response.
        public var requestID: String { entry.requestID }
        /// The HTTP method.
        public var method: String { entry.method }
        /// The path and the query. Secrets in the query are masked.
        public var target: String { entry.maskedTarget }
        /// The host that the client addressed.
        public var host: String { entry.host }
        /// The service: `s3`, `sts`, `company`, ….
        public var service: String { entry.face }
        /// The operation, as the service names it; `nil` if the request is not an operation.
        public var operation: String? { entry.operation }
        /// The service and the operation, such as `s3:GetObject`.
        public var call: String { "\(entry.face):\(entry.operation ?? entry.method)" }
        /// The caller's ARN or name; `nil` for an anonymous caller.
        public var caller: String? { entry.caller }
        /// The HTTP status code.
        public var status: Int { entry.status }
        /// The error code of the response.
        public var errorCode: String? { entry.errorCode }
        /// Whether the request was refused: by a policy, or because of its signature, token or login.
        public var isRefused: Bool { entry.isRefused }
        /// Why the request failed, in one line without secrets.
        public var reason: String? { entry.reason }
        /// The identifiers of the rules for errors that were applied.
        public var faults: [String] { entry.faults }
        /// The decisions of the policies, in order.
        public var decisions: [Decision] { entry.decisions.map { Decision(decision: $0) } }

        /// The request in one line.
        public var description: String { entry.summary(of: entry.decisions.isEmpty ? nil : 0) }
    }

    /// A decision of the policies.
    public struct Decision: Sendable {
        let decision: JournalDecision

        /// The action, such as `s3:GetObject`.
        public var action: String { decision.action }
        /// The ARN of the resource.
        public var resource: String { decision.resource }
        /// Whether the policies allowed the action.
        public var isAllowed: Bool { decision.allowed }
        /// Each statement that was evaluated, and why it did or did not apply.
        public var trace: [String] { decision.evidence.trace.explanation }
    }
}

extension JournalEntry {
    /// Returns the request in one line.
    /// - Parameter decision: the index of the decision that the line shows.
    func summary(of decision: Int?) -> String {
        let decision = decision.map { decisions[$0] }
        let action = decision?.action ?? "\(face):\(operation ?? method)"
        let resource = decision?.resource ?? String(maskedTarget.prefix { $0 != "?" })
        return "\(action) on \(resource) by \(caller ?? "anonymous") with status \(status)"
    }
}
