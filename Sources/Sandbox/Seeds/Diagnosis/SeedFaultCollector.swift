import Directory
import Policy
import Synchronization
import WireFormats

/// Collects all faults of a seed while it is decoded and checked.
///
/// Without a collector, decoding and the checks after it stop at the first fault. With one, each fault is added, and decoding continues
/// with a substitute value. In this way the same rules apply as at the start of a server.
final class SeedFaultCollector: Sendable {
    /// The collector of the current task; `nil` if the first fault is thrown.
    @TaskLocal static var current: SeedFaultCollector?

    /// The maximum number of faults that are kept. Further ones are only counted.
    static let limit = 1000
    /// The maximum number of suggestions that are searched for, since each search compares many words.
    private static let mostSuggestions = 100

    private struct Place: Hashable {
        var file: String
        var place: String
    }

    private struct State {
        var faults: [SeedError] = []
        var places: Set<Place> = []
        var uncollected = 0
        var suggestions = 0
        var losesNames = false
    }

    private let state = Mutex(State())

    var faults: [SeedError] { state.withLock(\.faults) }
    /// The number of faults, including those that are not kept.
    var count: Int { state.withLock { $0.faults.count + $0.uncollected } }
    /// Whether a part was omitted that other parts may refer to.
    var losesNames: Bool { state.withLock(\.losesNames) }

    func add(_ fault: SeedError, losesNames: Bool = false) {
        state.withLock { state in
            state.losesNames = state.losesNames || losesNames
            guard state.faults.count < Self.limit else { return state.uncollected += 1 }
            // A fault at the same path may be caused by the substitute value.
            if state.places.insert(Place(file: fault.file, place: fault.place)).inserted { state.faults.append(fault) }
        }
    }

    /// Counts a fault if the limit of kept faults is reached.
    /// - Returns: whether it was counted, so that the caller need not create its description.
    func counts(losesNames: Bool) -> Bool {
        state.withLock { state in
            guard state.faults.count >= Self.limit else { return false }
            state.losesNames = state.losesNames || losesNames
            state.uncollected += 1
            return true
        }
    }

    /// Returns the most similar word; `nil` after the maximum number of searches.
    func suggestion(for word: String, among words: () -> [String]) -> String? {
        let isLookedFor = state.withLock { state in
            state.suggestions += 1
            return state.suggestions <= Self.mostSuggestions
        }
        return isLookedFor ? nearestWord(to: word, among: words()) : nil
    }

    func add(_ fault: DecodingError, losesNames: Bool) {
        if !counts(losesNames: losesNames) { add(SeedError(file: "", fault: fault), losesNames: losesNames) }
    }

    /// Adds the fault of an unknown key, with its new name if it was renamed, or the most similar key.
    func addUnknownKey(_ key: String, _ fault: DecodingError, renamed: String?, known: [String]) {
        var error = SeedError(file: "", fault: fault)
        if let renamed {
            error.problem = "'\(key)' is now '\(renamed)'"
            error.expected = ""
        } else {
            error.problem = "unknown key '\(key)'"
            error.suggestion = otherName(of: key, among: known) ?? nearestWord(to: key, among: known)
        }
        add(error, losesNames: true)
    }

    /// Adds the faults of a policy: one for each faulty statement.
    func add(_ fault: PolicyFaultReport.Fault) {
        let (json, error) = (fault.policy, fault.error)
        let place = SeedError.place(fault.path)
        var faults: [PolicySyntaxError] = []
        if case .object(var document) = json, case .array(let statements)? = document["Statement"] {
            for (index, statement) in statements.enumerated() where faults.count < Self.limit {
                document["Statement"] = .array([statement])
                do {
                    _ = try PolicyDocument(json: .object(document), kind: fault.kind, dialect: fault.dialect)
                } catch {
                    var fault = error
                    fault.place = fault.place.replacing("Statement[0]", with: "Statement[\(index)]")
                    faults.append(fault)
                }
            }
        }
        let isInStatements = faults.contains { $0.place.hasPrefix("Statement[") }
        for fault in isInStatements ? faults : [error] {
            var seedError = SeedError(
                file: "", place: fault.place.isEmpty ? place : "\(place).\(fault.place)", expected: "")
            let end = fault.message.hasSuffix(".") ? "" : "."
            seedError.problem = fault.detail.isEmpty ? fault.message : "\(fault.message)\(end) \(fault.detail)"
            add(seedError)
        }
    }
}

extension SeedError {
    /// Throws a fault, or adds it to the collector of the current task.
    /// - Parameters:
    ///   - name: the unknown name that was found.
    ///   - names: the known names, for a suggestion.
    static func report(
        file: String, place: String, expected: String, name: String = "", from names: @autoclosure () -> [String] = []
    ) throws(SeedError) {
        let collector = SeedFaultCollector.current
        if collector?.counts(losesNames: false) == true { return }
        var error = SeedError(file: file, place: place, expected: expected)
        guard let collector else {
            error.suggestion = nearestWord(to: name, among: names())
            throw error
        }
        if !name.isEmpty { error.suggestion = collector.suggestion(for: name, among: names) }
        collector.add(error)
    }
}
