import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlFace {
    private static let changes = ["freeze", "set", "resume", "age"]

    /// `POST /_virga/clock` with exactly one of
    /// - `{"freeze":true}` or `{"freeze":"2026-01-01T00:00:00Z"}`: stops time now, or at the given time;
    /// - `{"set":"2026-01-01T00:00:00Z"}`: continues from the given time;
    /// - `{"resume":true}`: returns to the wall clock;
    /// - `{"age":"PT1H5M"}`: makes everything issued so far that much older.
    ///
    /// The response is sent after the next second has begun, so that later tokens and signatures do not count as issued before.
    func changeClock(_ call: Call, _ body: JSONObject) async throws -> Response {
        try body.expect(only: Self.changes)
        guard let name = body.names.first else {
            throw ControlError(
                .badRequest, "missing_member",
                "Send exactly one of {\"age\":\"PT1H\"}, {\"freeze\":true}, {\"set\":\"2026-01-01T00:00:00Z\"} or {\"resume\":true}."
            )
        }
        guard body.count == 1 else {
            throw ControlError(
                .badRequest, "malformed_member", "\(body.names.map { "'\($0)'" }.joined(separator: " and ")) cannot be combined.")
        }
        let cloud = call.cloud
        switch name {
        case "age": try await cloud.age(by: try Self.age(in: body))
        case "set": try await cloud.change(clock: .set(try Self.date(name, in: body)))
        case "freeze" where body["freeze"] == true: try await cloud.change(clock: .freeze(at: nil))
        case "freeze": try await cloud.change(clock: .freeze(at: try Self.date(name, in: body)))
        default:
            guard body["resume"] == true else {
                throw ControlError(.badRequest, "malformed_member", "'resume' must be true.")
            }
            try await cloud.change(clock: .resume)
        }
        await settleTime()
        return .json(Document<ChangedClockMembers> { [$0.status("ok"), $0.clock(cloud.clock.document)] }.json)
    }

    private static func age(in body: JSONObject) throws(ControlError) -> Duration {
        guard let duration = try body.text("age").flatMap({ Duration(iso8601: $0) }), ClockChange.isAging(duration)
        else {
            throw ControlError(
                .badRequest, "malformed_member", "'age' must be an ISO 8601 duration of whole seconds, at least one, such as PT1H5M.")
        }
        return duration
    }

    private static func date(_ name: String, in body: JSONObject) throws(ControlError) -> Timestamp {
        guard let date = body[name]?.stringValue.flatMap({ Timestamp(iso8601: $0) }), ClockChange.times.contains(date) else {
            throw ControlError(
                .badRequest, "malformed_member",
                "'\(name)' must be a date from 1970 to 9999, such as 2026-01-01T00:00:00Z\(name == "freeze" ? ", or true" : "").")
        }
        return date
    }
}

extension SandboxClock {
    /// The response to `GET /_virga/clock`.
    var document: Document<ClockMembers> {
        let (now, wall) = reading
        let mode =
            switch mode {
            case .running: "running"
            case .frozen: "frozen"
            case .ahead: "set"
            }
        let ages = ages.map { age in
            Document<AgeMembers> { [$0.declared(Timestamp(seconds: age.declared).iso8601), $0.age("PT\(age.seconds)S")] }
        }
        return Document { [$0.now(now.iso8601Milliseconds), $0.mode(mode), $0.wall(wall.iso8601Milliseconds), $0.ages(ages)] }
    }
}
