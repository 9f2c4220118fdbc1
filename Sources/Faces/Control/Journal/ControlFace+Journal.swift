import Calls
import Cloud
import ControlDocuments
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
        let count = filter.isCounting ? Int64(selected.count) : nil
        return .json(
            Document<JournalMembers> {
                [
                    $0.entries(selected.prefix(filter.limit).map(\.document)), $0.selected(count), $0.state(state),
                    $0.generation(call.cloud.generation),
                ]
            }.json)
    }

    /// The numbers of the journal, and what is captured.
    static func state(of journal: Journal) -> Document<JournalStateMembers> {
        Document {
            [$0.last(journal.lastNumber), $0.first(journal.firstNumber), $0.capture(journal.capture.setting().map(\.document))]
        }
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
        let curl = CurlCommand(entry, origin: call.origin, authority: call.authority).text
        return .json(
            Document<EntryDetailMembers> {
                [
                    $0.entry(entry.document), $0.decisions(entry.decisions.map(\.detail)),
                    $0.request(entry.captured?.request.document), $0.response(entry.captured?.response.document), $0.curl(curl),
                ]
            }.json)
    }
}

extension JournalEntry {
    /// The complete entry; traces are computed on demand.
    fileprivate var document: Document<EntryMembers> {
        Document {
            [
                $0.number(number), $0.time(time.iso8601Milliseconds), $0.requestID(requestID), $0.sourceIP(source),
                $0.scheme(isSecure ? "https" : "http"), $0.traceID(trace?.traceID), $0.spanID(trace?.spanID),
                $0.traceFlags(trace?.traceFlags), $0.method(method), $0.target(maskedTarget), $0.host(host), $0.face(face),
                $0.operation(operation), $0.caller(caller), $0.claimedKey(claimedKey), $0.status(status), $0.error(errorCode),
                $0.refused(isRefused), $0.reason(reason), $0.faults(faults), $0.reported(isReported),
                $0.duration(duration?.milliseconds), $0.requestBytes(requestBytes), $0.responseBytes(responseBytes),
                $0.captured(captured != nil), $0.decisions(decisions.map(\.summary)),
                $0.upstream(upstream?.address), $0.upstreamStatus(upstream?.status.map { Int64($0) }),
            ]
        }
    }
}

extension JournalDecision {
    fileprivate var summary: Document<EntryDecisionMembers> {
        Document { [$0.action(action), $0.resource(resource), $0.allowed(allowed), $0.trace(evidence.trace.explanation)] }
    }

    /// The decision with the statements that were evaluated.
    fileprivate var detail: Document<DecisionMembers> {
        let evidence = evidence.document
        return Document { [evidence.object, $0.allowed(allowed), $0.trace(evidence.explanation)] }
    }
}

extension CapturedExchange.Message {
    fileprivate var document: Document<MessageMembers> {
        let headers = fields.map { field in Document<HeaderMembers> { [$0.name(field.name), $0.value(field.value)] } }
        return Document { [$0.headers(headers), $0.body(MessageBody(start: body.start, total: body.total).document)] }
    }
}
