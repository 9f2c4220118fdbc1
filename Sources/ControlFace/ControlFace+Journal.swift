import Cloud
import Exchange
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    /// `GET /_virga/journal`: recent exchanges, newest first, with caller and decision trace.
    ///
    /// Filters: `face`, `operation`, `caller` (part of it), `status`, `error`, `fault`, `path` (part of it), `request_id`;
    /// `limit` (100, at most 1,000).
    func listJournal(_ exchange: Exchange) throws -> Response {
        guard let query = FormFields(parsing: exchange.query) else {
            throw ControlError(.badRequest, "malformed_filter", "The query is not well encoded.")
        }
        let known = ["face", "operation", "caller", "status", "error", "fault", "path", "request_id", "limit"]
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
        let entries = exchange.cloud.journal.recent(limit: limit ?? 100) { entry in
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
                default: true
                }
            }
        }
        return .json(["entries": .array(entries.map(\.json))])
    }
}

extension JournalEntry {
    /// Everything about the entry; traces are computed now.
    fileprivate var json: JSONValue {
        [
            "number": .integer(number), "time": .string(time.iso8601Milliseconds), "request_id": .string(requestID),
            "method": .string(method), "target": .string(Self.masked(target)), "host": .string(host), "face": .string(face),
            "operation": operation.map(JSONValue.string) ?? .null, "caller": caller.map(JSONValue.string) ?? .null,
            "status": .integer(Int64(status)), "error": errorCode.map(JSONValue.string) ?? .null,
            "faults": .array(faults.map(JSONValue.string)), "reported": .bool(isReported),
            "decisions": .array(
                decisions.map { decision in
                    [
                        "action": .string(decision.action), "resource": .string(decision.resource),
                        "allowed": .bool(decision.allowed), "trace": .array(decision.evidence.trace.explanation.map(JSONValue.string)),
                    ]
                }),
        ]
    }

    /// The target with the values of secret parameters replaced, so that a journal can be shown around.
    private static func masked(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let parameters = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let masked = parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            let decoded = percentDecoded(String(name)) ?? String(name)
            return secretParameters.contains(decoded.lowercased()) ? "\(name)=…" : String(parameter)
        }
        return target[...mark] + masked.joined(separator: "&")
    }

    private static let secretParameters: Set<String> = [
        "x-amz-signature", "x-amz-security-token", "signature", "access_token", "refresh_token", "input_token", "id_token",
        "code", "code_verifier", "client_secret", "password", "webidentitytoken", "fb_exchange_token", "token",
        "id_token_hint", "request", "samlassertion", "samlresponse", "user_code", "key", "securitytoken",
        "security-token", "x-oss-signature", "x-oss-security-token", "oidctoken",
    ]
}
