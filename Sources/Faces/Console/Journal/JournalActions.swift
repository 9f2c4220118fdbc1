import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// The buttons of the journal: clear, capture, and replay of an entry.
struct JournalActions {
    let visit: Visit

    /// - Parameter segments: the path after `/journal`.
    func perform(_ segments: [String]) async throws -> Response {
        switch segments.first {
        case "clear" where segments.count == 1:
            return try finish(await visit.client.call(.delete, "/journal", nil), .cleared)
        case "capture" where segments.count == 1:
            let order: JSONValue = ["body": 16384, "for": "PT30M"]
            return try finish(await visit.client.call(.put, "/journal/capture", order), .captured)
        case "uncapture" where segments.count == 1:
            return try finish(await visit.client.call(.delete, "/journal/capture", nil), .uncaptured)
        default:
            guard segments.count == 2, segments[1] == "replay", let id = segments.first else {
                throw ConsoleRefusal.noSuchAction
            }
            return try await replay(id)
        }
    }

    private func finish(_ answer: ControlAnswer, _ message: DoneMessage) throws -> Response {
        if let refusal = answer.refusal { throw refusal }
        return Visit.seeOther("\(Visit.path("/journal"))?done=\(message.rawValue)")
    }

    /// Sends an entry's request again, as the same or another caller, and opens the new entry with the old one beside it.
    private func replay(_ id: String) async throws -> Response {
        let found = await visit.client.get("/journal/\(percentEncoded(id))")
        if let refusal = found.refusal { throw refusal }
        let entry = found.document(EntryDetailMembers.self)
        var order: JSONObject = ["method": .string(entry.entry.method), "target": .string(Self.target(entry.entry.target))]
        let chosen = visit.form.first("as") ?? ""
        if !chosen.isEmpty, chosen != "anonymous" {
            order["as"] = .string(chosen)
            let service = entry.entry.face
            if ["s3", "sts", "iam", "oss", "ram", "ims", "alibaba-sts"].contains(service) {
                order["service"] = .string(service)
            }
        }
        let (headers, body) = Self.captured(entry.request)
        if !headers.isEmpty { order["headers"] = .array(headers) }
        if let body { order["body"] = body }
        let answer = await visit.client.post("/send", .object(order))
        if let refusal = answer.refusal { throw refusal }
        guard let number = answer.document(SentMembers.self).number else {
            throw ConsoleRefusal(code: "not_recorded", message: "The request was sent, but the journal has no entry of it.")
        }
        return Visit.seeOther("\(Visit.path("/journal/\(number)"))?of=\(percentEncoded(id))")
    }

    /// The target without a signature, which would not be valid again.
    private static func target(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let kept = target[target.index(after: mark)...].split(separator: "&").filter { part in
            let name = part.prefix { $0 != "=" }.lowercased()
            return !name.hasPrefix("x-amz-") && !name.hasPrefix("x-oss-")
                && !["signature", "awsaccesskeyid", "ossaccesskeyid", "expires"].contains(name)
        }
        return target[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// The captured headers that are not made anew for each request, and the captured body.
    private static func captured(_ request: Document<MessageMembers>?) -> (headers: [JSONValue], body: JSONValue?) {
        let made = [
            "authorization", "date", "host", "content-length", "connection", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256",
            "x-oss-date", "x-oss-security-token", "transfer-encoding", "expect", "accept-encoding", "user-agent",
        ]
        let headers = (request?.headers ?? []).filter { !made.contains($0.name.lowercased()) }.map(\.json)
        guard let body = request?.body, !body.truncated else { return (headers, nil) }
        if let base64 = body.base64 { return (headers, ["base64": .string(base64)]) }
        return (headers, body.text.map(JSONValue.string))
    }
}
