package import Directory
package import Policy
import Synchronization
import WireFormats

/// The distinct requests that policies decided since recording began, within a fixed number of bytes.
///
/// The journal forgets; this store keeps one of all requests that no policy can tell apart. Least policies and the coverage of statements
/// are computed from it. It is off by default, and then costs one Boolean per request. A reset of the sandbox does not empty it.
package final class Usage: Sendable {
    /// A distinct request, and how often it was made.
    package struct Question: Sendable {
        /// The request with its policies.
        package var request: DecidedRequest
        /// The operation that first asked it, such as `s3:PutObject`.
        package var operation: String
        /// Whether the request was processed: it was allowed, or it was denied and only reported.
        package var isServed: Bool
        /// How often it was asked.
        package var count: Int
    }

    /// The contents at one time.
    package struct Contents: Sendable {
        /// Whether requests are recorded.
        package var isEnabled: Bool
        /// Whether all requests since recording began fit.
        package var isComplete: Bool
        /// The size of the questions in bytes, as it is counted.
        package var bytes: Int
        /// The questions in order of first appearance.
        package var questions: [Question]
    }

    fileprivate struct State {
        var history = UsageHistory()
        var questions: [Question] = []
        var places: [String: Int] = [:]
        /// The documents that questions refer to, whose texts are counted once.
        var documents: Set<ObjectIdentifier> = []
        /// Numbers of document texts. Two questions are distinct if their policies have different texts.
        var texts: [String: Int] = [:]
        /// Documents whose texts were compared, so that the same document is serialized once.
        var numbers: [ObjectIdentifier: (document: PolicyDocument, text: Int)] = [:]
        var bytes = 0
        var isComplete = true
    }

    private let enabled = Atomic(false)
    private let state = Mutex(State())
    /// The most bytes that are kept.
    package let capacity: Int
    /// The most documents that are remembered without a question that refers to them.
    fileprivate static let rememberedDocuments = 4096

    /// - Parameter capacity: the maximum size of the questions, in bytes.
    package init(capacity: Int = 32 << 20) { self.capacity = capacity }

    /// Whether requests are recorded.
    package var isEnabled: Bool {
        get { enabled.load(ordering: .relaxed) }
        set { enabled.store(newValue, ordering: .relaxed) }
    }

    /// Records the decisions of a request.
    package func record(_ entry: borrowing JournalEntry, in directory: Directory) {
        let operation = entry.operation.map { "\(entry.face):\($0)" } ?? entry.method
        let isReported = entry.isReported
        for decision in entry.decisions {
            guard let request = decision.evidence.request else { continue }
            state.withLock { $0.history.count(decision.allowed, at: entry.time) }
            record(request, operation: operation, isServed: request.isAllowed || isReported, in: directory)
        }
    }

    /// Records one decided request.
    /// - Parameter directory: where the tags of the caller are.
    package func record(_ request: DecidedRequest, operation: String, isServed: Bool, in directory: Directory) {
        let request = request.kept(tags: directory.tags(of: request.context.principal).map(\.key))
        let identity = request.identity
        let documents = request.attached.map { ($0.type, $0.policy.document) }
        state.withLock { state in
            var key = identity + (isServed ? "\u{0}1" : "\u{0}0")
            for (type, document) in documents {
                guard let number = state.number(of: document, within: capacity) else {
                    state.isComplete = false
                    return
                }
                key += "\u{0}\(type.rawValue) \(number)"
            }
            if let place = state.places[key] {
                state.questions[place].count += 1
                return
            }
            // The key occurs in the dictionary, and its parts occur in the request.
            var cost = 640 + 3 * key.utf8.count
            for (_, document) in documents where !state.documents.contains(ObjectIdentifier(document)) {
                cost += 1024 + 8 * document.json.serializedBytes().count
            }
            guard state.bytes + cost <= capacity else {
                state.isComplete = false
                return
            }
            state.bytes += cost
            for (_, document) in documents { state.documents.insert(ObjectIdentifier(document)) }
            state.places[key] = state.questions.count
            state.questions.append(Question(request: request, operation: operation, isServed: isServed, count: 1))
        }
    }

    /// The recorded questions.
    package var contents: Contents {
        let isEnabled = isEnabled
        return state.withLock { state in
            Contents(isEnabled: isEnabled, isComplete: state.isComplete, bytes: state.bytes, questions: state.questions)
        }
    }

    /// How many decisions were made when. It counts requests of this sandbox, also those for which there was no room; imported events are not
    /// in it.
    package var history: UsageHistory { state.withLock { $0.history } }

    /// Forgets every question, and the history.
    package func removeAll() { state.withLock { $0 = State() } }
}

extension Usage.State {
    /// Returns a number that documents with the same text and kind share; `nil` if there is no room for another text.
    fileprivate mutating func number(of document: PolicyDocument, within capacity: Int) -> Int? {
        if let known = numbers[ObjectIdentifier(document)] { return known.text }
        let text = "\(document.kind) \(document.indexes) \(document.json.serialized())"
        let number = texts[text] ?? texts.count
        if number == texts.count {
            guard bytes + text.utf8.count <= capacity else { return nil }
            bytes += text.utf8.count
            texts[text] = number
        }
        // A document that is remembered is kept alive, so that its identifier is not used again.
        if numbers.count >= Usage.rememberedDocuments { numbers = [:] }
        numbers[ObjectIdentifier(document)] = (document, number)
        return number
    }
}

extension Directory {
    /// Returns the tags of the user or role that a principal is or acts as.
    fileprivate func tags(of principal: Principal) -> [Tag] {
        switch principal.identity {
        case .user(let arn, _), .federatedUser(_, let arn, _): user(arn: arn)?.user.tags ?? []
        case .assumedRole(let arn, _, _): role(arn: arn)?.role.tags ?? []
        case .anonymous, .root, .federated, .service: []
        }
    }
}
