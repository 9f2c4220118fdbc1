import Calls
import Cloud
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    /// `GET /_virga/journal`: returns recent requests, newest first, with caller and decision trace.
    ///
    /// Filters: `face`, `operation`, `caller` (substring), `status`, `error`, `fault`, `path` (substring), `request_id`, `after` (a
    /// number), `denied` (`true`); `limit` (default 100, at most 1,000).
    func listJournal(_ call: Call) throws -> Response {
        guard let query = FormFields(parsing: call.query) else {
            throw ControlError(.badRequest, "malformed_filter", "The query is not well encoded.")
        }
        let known = ["face", "operation", "caller", "status", "error", "fault", "path", "request_id", "after", "denied", "limit"]
        if let unknown = query.fields.first(where: { !known.contains($0.name) }) {
            throw ControlError(
                .badRequest, "unknown_filter", "Unknown filter '\(unknown.name)'; expected \(known.joined(separator: ", ")).")
        }
        let limit = try query.first("limit").map { text in
            guard let limit = Int(digits: text), (1...1000).contains(limit) else {
                throw ControlError(.badRequest, "malformed_filter", "'limit' must be a number from 1 to 1000.")
            }
            return limit
        }
        let after = try query.first("after").map { text in
            guard let number = Int64(digits: text) else {
                throw ControlError(.badRequest, "malformed_filter", "'after' must be the number of an entry.")
            }
            return number
        }
        if let text = query.first("denied"), text != "true" {
            throw ControlError(.badRequest, "malformed_filter", "'denied' must be true.")
        }
        let entries = call.cloud.journal.recent(limit: limit ?? 100) { entry in
            query.fields.allSatisfy { field in
                switch field.name {
                case "face": entry.face == field.value
                case "operation": entry.operation == field.value
                case "caller": entry.caller?.contains(field.value) ?? false
                case "status": String(entry.status) == field.value
                case "error": entry.errorCode == field.value
                case "fault": entry.faults.contains(field.value)
                case "path": entry.target.contains(field.value)
                case "request_id": entry.requestID == field.value
                case "after": entry.number > after ?? 0
                case "denied": entry.isRefused
                default: true
                }
            }
        }
        return .json(["entries": .array(entries.map(\.json))])
    }
}

extension JournalEntry {
    /// The complete entry; traces are computed on demand.
    fileprivate var json: JSONValue {
        [
            "number": .integer(number), "time": .string(time.iso8601Milliseconds), "request_id": .string(requestID),
            "method": .string(method), "target": .string(maskedTarget), "host": .string(host), "face": .string(face),
            "operation": operation.map(JSONValue.string) ?? .null, "caller": caller.map(JSONValue.string) ?? .null,
            "claimed_key": claimedKey.map(JSONValue.string) ?? .null,
            "status": .integer(Int64(status)), "error": errorCode.map(JSONValue.string) ?? .null,
            "refused": .bool(isRefused), "reason": reason.map(JSONValue.string) ?? .null, "faults": .array(faults.map(JSONValue.string)),
            "reported": .bool(isReported),
            "decisions": .array(
                decisions.map { decision in
                    [
                        "action": .string(decision.action), "resource": .string(decision.resource),
                        "allowed": .bool(decision.allowed), "trace": .array(decision.evidence.trace.explanation.map(JSONValue.string)),
                    ]
                }),
        ]
    }
}
