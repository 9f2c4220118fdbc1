import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/platform/analytics/events`: accepts batches of events from any caller of the backend.
/// (REST API for Oracle Mobile Cloud Service, "Add Events to the Analytics Database".)
struct Analytics {
    let call: MobileCall

    private static let bodyLimit = 1 << 20

    func respond() async throws -> Response {
        guard call.path.dropFirst(3) == ["events"] else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        guard call.method == .post else { throw MobileError.methodNotAllowed(.post) }
        let caller = try await call.enter(authenticating: "addEvents")
        guard let batch = try await call.json(upTo: Self.bodyLimit).arrayValue else {
            throw MobileError(.malformedRequest, "The body must be an array of events.")
        }
        var events: [MobileEvent] = []
        var faults: [String] = []
        for (index, value) in batch.enumerated() {
            do {
                events.append(
                    MobileEvent(backend: caller.backend.id, received: call.http.received, content: try content(of: value)))
            } catch {
                faults.append("events[\(index)]: \(error.reason)")
            }
        }
        // One invalid event rejects the whole batch.
        guard faults.isEmpty else {
            var error = MobileError(.malformedRequest, "No event was accepted, since some are not valid. \(faults[0])")
            error.causes = faults
            throw error
        }
        try await call.cloud.mobileEvents.append(events)
        return .json(["message": "\(events.count) events accepted for processing."], status: .accepted)
    }

    private struct Invalid: Error {
        var reason: String
    }

    /// Returns the validated event. If it names no session, it gets the session from the header.
    private func content(of value: JSONValue) throws(Invalid) -> JSONObject {
        guard var event = value.objectValue else { throw Invalid(reason: "an event is an object") }
        guard let name = event["name"]?.stringValue, !name.isEmpty else { throw Invalid(reason: "'name' must be a string") }
        guard let time = event["timestamp"]?.stringValue, Timestamp(iso8601: time) != nil else {
            throw Invalid(reason: "'timestamp' must be a time in ISO 8601, such as 2016-03-01T12:00:00.000Z")
        }
        switch event["type"] {
        case nil, "custom": break
        case "system":
            guard Self.systemEvents.contains(name) else {
                throw Invalid(reason: "a system event is one of \(Self.systemEvents.joined(separator: ", "))")
            }
        default: throw Invalid(reason: "'type' must be custom or system")
        }
        for name in ["component", "sessionID", "sessionId"] where event[name] != nil && event[name]?.stringValue == nil {
            throw Invalid(reason: "'\(name)' must be a string")
        }
        if let properties = event["properties"] {
            guard let members = properties.objectValue?.members, members.allSatisfy({ $0.value.stringValue != nil }) else {
                throw Invalid(reason: "'properties' must be an object of strings")
            }
        }
        if event["sessionID"] == nil, event["sessionId"] == nil, let session = call.http.headers.value(of: .analyticsSession) {
            event["sessionID"] = .string(session)
        }
        return event
    }

    private static let systemEvents = ["context", "sessionStart", "sessionEnd"]
}

extension HTTPField.Name {
    fileprivate static let analyticsSession = HTTPField.Name(literal: "Oracle-Mobile-Analytics-Session-ID")
}
