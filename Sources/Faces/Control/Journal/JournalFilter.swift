import Cloud
import HTTPTypes
import WireFormats

/// The entries that a call of the journal selects, by the parameters of its query.
struct JournalFilter {
    /// The parameters that compare a member of an entry; `exclude` accepts them as well.
    private enum Member: String, CaseIterable {
        case face, operation, caller, status, error, fault, path
        case requestID = "request_id"
        case traceID = "trace_id"
    }

    private struct Condition {
        var member: Member
        var value: String
    }

    private static let others = ["exclude", "text", "after", "before", "denied", "faulted", "count", "limit"]

    /// The most entries to return.
    private(set) var limit = 100
    /// Whether the number of all selected entries is asked for.
    private(set) var isCounting = false
    private var required: [Condition] = []
    private var excluded: [Condition] = []
    /// In lower case.
    private var texts: [String] = []
    private var after: Int64 = 0
    private var before = Int64.max
    private var onlyDenied = false
    private var onlyFaulted = false

    /// - Throws: ``ControlError`` for an unknown or malformed parameter.
    init(parsing query: String) throws(ControlError) {
        guard let query = FormFields(parsing: query) else { throw Self.malformed("The query is not well encoded.") }
        for field in query.fields {
            if let member = Member(rawValue: field.name) {
                required.append(Condition(member: member, value: field.value))
                continue
            }
            switch field.name {
            case "exclude": excluded.append(try Self.exclusion(field.value))
            case "text": texts.append(field.value.lowercased())
            case "after": after = max(after, try Self.number(field))
            case "before": before = min(before, try Self.number(field))
            case "denied": onlyDenied = try Self.flag(field)
            case "faulted": onlyFaulted = try Self.flag(field)
            case "count": isCounting = try Self.flag(field)
            case "limit":
                guard let limit = Int(digits: field.value), (1...1000).contains(limit) else {
                    throw Self.malformed("'limit' must be a number from 1 to 1000.")
                }
                self.limit = limit
            default:
                let known = Member.allCases.map(\.rawValue) + Self.others
                throw ControlError(
                    .badRequest, "unknown_filter", "Unknown filter '\(field.name)'; expected \(known.joined(separator: ", ")).")
            }
        }
    }

    /// The trace that entries must belong to, if one is given.
    var traceID: String? { required.first { $0.member == .traceID }?.value }

    /// Returns whether an entry is selected.
    func selects(_ entry: JournalEntry) -> Bool {
        guard entry.number > after, entry.number < before, !onlyDenied || entry.isRefused, !onlyFaulted || !entry.faults.isEmpty else {
            return false
        }
        return required.allSatisfy { Self.matches($0, entry) } && !excluded.contains { Self.matches($0, entry) }
            && texts.allSatisfy { Self.contains($0, entry) }
    }

    private static func matches(_ condition: Condition, _ entry: JournalEntry) -> Bool {
        let value = condition.value
        return switch condition.member {
        case .face: entry.face == value
        case .operation: entry.operation == value
        case .caller: entry.caller?.contains(value) ?? false
        case .status: value.hasSuffix("*") ? String(entry.status).hasPrefix(value.dropLast()) : String(entry.status) == value
        case .error: entry.errorCode == value
        case .fault: entry.faults.contains(value)
        case .path: entry.target.contains(value)
        case .requestID: entry.requestID == value
        case .traceID: entry.trace?.traceID == value
        }
    }

    /// Returns whether one of the displayed texts contains another one, which is in lower case.
    private static func contains(_ text: String, _ entry: JournalEntry) -> Bool {
        let fixed = [entry.maskedTarget, entry.host, entry.face, entry.requestID, entry.method]
        let optional = [entry.operation, entry.caller, entry.errorCode, entry.claimedKey, entry.cause]
        return (fixed + optional.compactMap(\.self)).contains { $0.lowercased().contains(text) }
            || entry.decisions.contains { $0.action.lowercased().contains(text) || $0.resource.lowercased().contains(text) }
    }

    /// Reads `face:control`.
    private static func exclusion(_ text: String) throws(ControlError) -> Condition {
        guard let colon = text.firstIndex(of: ":"), let member = Member(rawValue: String(text[..<colon])) else {
            throw malformed("'exclude' must be a filter and a value, such as face:control.")
        }
        return Condition(member: member, value: String(text[text.index(after: colon)...]))
    }

    private static func number(_ field: FormFields.Field) throws(ControlError) -> Int64 {
        guard let number = Int64(digits: field.value) else { throw malformed("'\(field.name)' must be the number of an entry.") }
        return number
    }

    private static func flag(_ field: FormFields.Field) throws(ControlError) -> Bool {
        guard field.value == "true" else { throw malformed("'\(field.name)' must be true.") }
        return true
    }

    private static func malformed(_ message: String) -> ControlError { ControlError(.badRequest, "malformed_filter", message) }
}
