package import Cloud
package import ControlDocuments
package import WireFormats

/// What the requests to a sandbox show about the person who works in it. It is derived from the journal when it is requested.
package struct SandboxProgress: Sendable {
    /// A step of a workshop.
    package typealias Step = WorkshopStep

    /// The last denied or rejected request.
    package struct Refusal: Sendable {
        /// The number of the journal entry.
        package var number: Int64
        /// When it arrived, by the sandbox's clock.
        package var time: Timestamp
        /// The service and the operation.
        package var operation: String
        /// The error code.
        package var error: String?
        /// Why it was refused.
        package var reason: String?
    }

    /// The steps that were reached.
    package private(set) var steps: Set<Step> = []
    /// The number of requests, without those to the control API.
    package private(set) var requests: Int64 = 0
    /// The number of refused requests.
    package private(set) var refusals: Int64 = 0
    /// When the last request arrived, by real time.
    package private(set) var active: Timestamp?
    /// The last refusal.
    package private(set) var lastRefusal: Refusal?

    package init() {}

    /// Adds entries of the journal.
    /// - Parameters:
    ///   - entries: the oldest first.
    ///   - active: the real time of the last one.
    package mutating func add(_ entries: [JournalEntry], active: Timestamp) {
        for entry in entries { add(entry) }
        // The reason is computed for one entry only, because it evaluates policies.
        if let entry = entries.last(where: Self.isRefusal) { lastRefusal = Refusal(entry) }
        if !entries.isEmpty { self.active = active }
    }

    private mutating func add(_ entry: JournalEntry) {
        if !Self.isOfControl(entry) { requests += 1 }
        if let step = Self.step(of: entry) { steps.insert(step) }
        if !entry.faults.isEmpty { steps.insert(.broken) }
        guard Self.isRefusal(entry) else { return }
        refusals += 1
        steps.insert(entry.decisions.contains { !$0.allowed } ? .refused : .broken)
    }

    private static func isOfControl(_ entry: JournalEntry) -> Bool { entry.face == "control" || entry.face == "console" }

    private static func isRefusal(_ entry: JournalEntry) -> Bool { entry.isRefused && !isOfControl(entry) }

    /// The step of a successful request.
    private static func step(of entry: JournalEntry) -> Step? {
        guard (200..<400).contains(entry.status), let operation = entry.operation else { return nil }
        if operation == "/tokens" || operation == "Token" || operation == "SignIn" && entry.caller != nil { return .login }
        if credentialOperations.contains(operation), entry.face != "iam" { return .credentials }
        if entry.face == "iam" || entry.face == "ram" || entry.face == "ims" {
            return changes.contains { operation.hasPrefix($0) } ? .policy : nil
        }
        if operation == "PutBucketPolicy" { return .policy }
        guard entry.caller?.contains(":assumed-role/") == true || entry.caller?.contains(":federated-user/") == true else { return nil }
        if readOperations.contains(operation) { return .read }
        return writeOperations.contains(operation) ? .write : nil
    }

    private static let credentialOperations: Set<String> = [
        "AssumeRole", "AssumeRoleWithWebIdentity", "AssumeRoleWithSAML", "AssumeRoleWithOIDC", "GetFederationToken", "GetSessionToken",
    ]
    private static let readOperations: Set<String> = ["GetObject", "SelectObjectContent", "SelectObject"]
    private static let writeOperations: Set<String> = [
        "PutObject", "PostObject", "CopyObject", "AppendObject", "CompleteMultipartUpload",
    ]
    private static let changes = ["Put", "Update", "Attach", "Detach", "Create", "Delete", "Add", "Remove", "Set"]
}

extension SandboxProgress {
    var document: Document<ProgressMembers> {
        Document {
            [
                $0.steps(Step.allCases.filter(steps.contains).map(\.rawValue)), $0.requests(requests), $0.refusals(refusals),
                $0.active(active?.iso8601Milliseconds), $0.lastRefusal(lastRefusal?.document),
            ]
        }
    }
}

extension SandboxProgress.Refusal {
    fileprivate init(_ entry: JournalEntry) {
        self.init(
            number: entry.number, time: entry.time, operation: "\(entry.face) \(entry.operation ?? entry.method)",
            error: entry.errorCode, reason: entry.reason)
    }

    fileprivate var document: Document<LastRefusalMembers> {
        Document {
            [$0.number(number), $0.time(time.iso8601Milliseconds), $0.operation(operation), $0.error(error), $0.reason(reason)]
        }
    }
}
