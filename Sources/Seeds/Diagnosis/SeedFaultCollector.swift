import Directory
import Policy
import Synchronization
import WireFormats

/// The faults of a seed that is decoded to find all of them.
///
/// Without a collector, decoding and the checks after it stop at the first fault. With one, each fault is added here and the decoding
/// goes on with a substitute, so that the rules are those of a server that starts.
final class SeedFaultCollector: Sendable {
    /// The collector of the current task; nil where the first fault is thrown.
    @TaskLocal static var current: SeedFaultCollector?

    private struct State {
        var faults: [SeedError] = []
        var losesNames = false
    }

    private let state = Mutex(State())

    var faults: [SeedError] { state.withLock(\.faults) }
    /// Whether a part was left out that other parts may refer to.
    var losesNames: Bool { state.withLock(\.losesNames) }

    func add(_ fault: SeedError, losesNames: Bool = false) {
        state.withLock { state in
            state.losesNames = state.losesNames || losesNames
            // A substitute of a faulty value may be faulty as well.
            let isKnown = state.faults.contains { $0.file == fault.file && $0.place == fault.place }
            if !isKnown { state.faults.append(fault) }
        }
    }

    func add(_ fault: DecodingError, losesNames: Bool) { add(SeedError(file: "", fault: fault), losesNames: losesNames) }

    /// Adds a key that the object does not have, with the name that replaced it or the nearest one.
    func addUnknownKey(_ key: String, _ fault: DecodingError, renamed: String?, known: [String]) {
        var error = SeedError(file: "", fault: fault)
        if let renamed {
            error.problem = "'\(key)' is now '\(renamed)'"
            error.expected = ""
        } else {
            error.problem = "unknown key '\(key)'"
            error.suggestion = nearestWord(to: key, among: known)
        }
        add(error, losesNames: true)
    }

    /// Adds the faults of a policy, one for each faulty statement.
    func add(_ fault: PolicyFaultReport.Fault) {
        let (json, error) = (fault.policy, fault.error)
        let place = SeedError.place(fault.path)
        var faults: [PolicySyntaxError] = []
        if case .object(var document) = json, case .array(let statements)? = document["Statement"] {
            for (index, statement) in statements.enumerated() {
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
    /// Throws a fault, or adds it to those that are collected.
    /// - Parameters:
    ///   - name: what was found there, a name.
    ///   - names: the names that are known.
    static func report(file: String, place: String, expected: String, name: String = "", from names: [String] = []) throws(SeedError) {
        var error = SeedError(file: file, place: place, expected: expected)
        error.suggestion = nearestWord(to: name, among: names)
        guard let collector = SeedFaultCollector.current else { throw error }
        collector.add(error)
    }
}

/// The word that a mistyped one most likely stands for; nil if none is near.
package func nearestWord(to word: String, among words: [String]) -> String? {
    guard word.count >= 3 else { return nil }
    let distances = words.filter { $0 != word }.map { ($0, editDistance(word.lowercased(), $0.lowercased())) }
    guard let nearest = distances.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }), nearest.1 <= max(1, word.count / 3) else { return nil }
    return nearest.0
}

/// The number of letters to insert, remove, replace or swap with their neighbour.
private func editDistance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var rows = [Array(0...second.count)]
    for i in 1...first.count {
        var row = [i]
        for j in 1...second.count {
            var distance = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1))
            if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
                distance = min(distance, rows[i - 2][j - 2] + 1)
            }
            row.append(distance)
        }
        rows.append(row)
    }
    return rows[first.count][second.count]
}
