import Cloud
import Synchronization
import WireFormats

/// The calls of a run as text, which is the same for each run of the same program: caller, operation, resource, decision and status.
///
/// Identifiers that differ from run to run are masked.
struct GoldenTrace: Sendable {
    private(set) var lines: [String] = []

    /// Adds a call. Calls of the control API are not part of the trace.
    mutating func note(_ entry: JournalEntry) {
        guard entry.face != "control" else { return }
        let operation = entry.operation.map { "\(entry.face):\($0)" } ?? "\(entry.face):\(entry.method)"
        let error = entry.errorCode.map { " \($0)" } ?? ""
        lines.append(Self.masked("\(operation) by \(entry.caller ?? "anonymous"): \(entry.status)\(error)"))
        if entry.decisions.isEmpty { lines.append(Self.masked("    \(entry.method) \(entry.target.prefix { $0 != "?" })")) }
        for decision in entry.decisions {
            lines.append(Self.masked("    \(decision.allowed ? "allowed" : "denied ") \(decision.action) on \(decision.resource)"))
        }
    }

    /// The trace as a file.
    var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

    /// Masks UUIDs, long hexadecimal runs, access keys and times of SDKs. Other names stay, because seeds choose them.
    static func masked(_ text: String) -> String {
        var result = ""
        var word = ""
        func end() {
            result += mask(word)
            word = ""
        }
        for character in text.visible {
            if character.isASCII, character.isLetter || character.isNumber || character == "-" {
                word.append(character)
            } else {
                end()
                result.append(character)
            }
        }
        end()
        return result
    }

    private static func mask(_ word: String) -> String {
        if isUUID(word) { return "<uuid>" }
        if word.utf8.count >= 16, word.utf8.contains(where: isDigit), word.utf8.allSatisfy(isHexDigit),
            !word.utf8.allSatisfy(isDigit)
        {
            return "<id>"
        }
        if word.utf8.count >= 16, ["AKIA", "ASIA", "AROA", "AIDA", "LTAI"].contains(where: word.hasPrefix) { return "<key>" }
        // A time in seconds or milliseconds at the end, as in the names of sessions that SDKs choose.
        if let dash = word.lastIndex(of: "-"), case let digits = word[word.index(after: dash)...],
            [10, 13, 19].contains(digits.utf8.count),
            digits.hasPrefix("1"), digits.utf8.allSatisfy(isDigit)
        {
            return "\(word[...dash])<time>"
        }
        return word
    }

    private static func isUUID(_ word: String) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.utf8.allSatisfy(isHexDigit) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || 0x61...0x66 ~= byte || 0x41...0x46 ~= byte }
}

/// Collects the calls while a command runs.
final class TraceRecorder: Sendable {
    private let state = Mutex(GoldenTrace())

    func note(_ entry: JournalEntry) { state.withLock { $0.note(entry) } }

    var trace: GoldenTrace { state.withLock { $0 } }
}
