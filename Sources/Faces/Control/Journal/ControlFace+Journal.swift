import Calls
import Cloud
import Federation
import HTTPTypes
import NIOCore
import Policy
import WireFormats

extension ControlFace {
    /// `GET /_virga/journal`: returns recent requests, newest first, with caller and decision trace. `DELETE` removes them.
    func answerJournal(_ call: Call) throws -> Response {
        let journal = call.cloud.journal
        guard call.method != .delete else {
            journal.removeAll()
            return .json(["status": "ok"])
        }
        let filter = try JournalFilter(parsing: call.query)
        // Read before the entries, so that an entry that arrives in between is returned again and not lost.
        let state = Self.state(of: journal)
        let selected = journal.recent(limit: filter.isCounting ? Int.max : filter.limit, where: filter.selects)
        var answer: JSONObject = ["entries": .array(selected.prefix(filter.limit).map { .object($0.json) })]
        if filter.isCounting { answer["selected"] = .integer(Int64(selected.count)) }
        for (name, value) in state.members { answer[name] = value }
        answer["generation"] = .integer(call.cloud.generation)
        return .json(.object(answer))
    }

    /// The numbers of the journal, and what is captured.
    static func state(of journal: Journal) -> JSONObject {
        [
            "last": .integer(journal.lastNumber), "first": .integer(journal.firstNumber),
            "capture": journal.capture.setting().map(\.json) ?? .null,
        ]
    }

    /// `GET /_virga/journal/<id>`: returns an entry with the statements that were evaluated, headers and bodies if they were captured, and a
    /// command that sends the request again.
    /// - Parameter id: the number or the request ID of the entry.
    func describeEntry(_ call: Call, _ id: String) throws -> Response {
        let number = Int64(digits: id)
        let found = call.cloud.journal.recent(limit: 1) { entry in
            entry.number == number || RequestID.isSame(id, as: entry.requestID)
        }
        guard let entry = found.first else {
            throw ControlError(.notFound, "unknown_request", "The journal has no exchange '\(id)' (any more).")
        }
        var json = entry.json
        json["decisions"] = .array(
            entry.decisions.map { decision in
                var json = decision.evidence.json
                json["allowed"] = .bool(decision.allowed)
                json["trace"] = json["explanation"]
                return .object(json)
            })
        json["request"] = entry.captured.map { $0.request.json } ?? .null
        json["response"] = entry.captured.map { $0.response.json } ?? .null
        json["curl"] = .string(CurlCommand(entry, origin: call.origin, authority: call.authority).text)
        return .json(.object(json))
    }
}

extension JournalEntry {
    /// The complete entry; traces are computed on demand.
    fileprivate var json: JSONObject {
        [
            "number": .integer(number), "time": .string(time.iso8601Milliseconds), "request_id": .string(requestID),
            "source_ip": source.map(JSONValue.string) ?? .null, "scheme": isSecure ? "https" : "http",
            "trace_id": trace.map { .string($0.traceID) } ?? .null, "span_id": trace.map { .string($0.spanID) } ?? .null,
            "trace_flags": trace.map { .string($0.traceFlags) } ?? .null,
            "method": .string(method), "target": .string(maskedTarget), "host": .string(host), "face": .string(face),
            "operation": operation.map(JSONValue.string) ?? .null, "caller": caller.map(JSONValue.string) ?? .null,
            "claimed_key": claimedKey.map(JSONValue.string) ?? .null,
            "status": .integer(Int64(status)), "error": errorCode.map(JSONValue.string) ?? .null,
            "refused": .bool(isRefused), "reason": reason.map(JSONValue.string) ?? .null, "faults": .array(faults.map(JSONValue.string)),
            "reported": .bool(isReported), "duration_ms": duration.map { .number($0.milliseconds) } ?? .null,
            "request_bytes": requestBytes.map(JSONValue.integer) ?? .null,
            "response_bytes": responseBytes.map(JSONValue.integer) ?? .null, "captured": .bool(captured != nil),
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

extension CapturedExchange.Message {
    fileprivate var json: JSONValue {
        [
            "headers": .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] }),
            "body": MessageBody(start: body.start, total: body.total).json,
        ]
    }
}
