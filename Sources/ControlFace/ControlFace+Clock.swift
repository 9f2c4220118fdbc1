import Cloud
import Exchange
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `POST /_virga/clock` with `{"age":"PT1H5M"}`: everything issued so far becomes that much older.
    /// Answers once the next second has begun, so that nothing issued afterwards has aged.
    func age(_ exchange: Exchange, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["age"])
        guard let text = try body.text("age") else {
            throw ControlError(.badRequest, "missing_member", "Say how much older: {\"age\":\"PT1H\"}.")
        }
        guard let duration = Duration(iso8601: text), duration >= .seconds(1), duration.components.attoseconds == 0,
            duration <= .seconds(100 * 365 * 86400)
        else {
            throw ControlError(
                .badRequest, "malformed_member", "'age' must be an ISO 8601 duration of whole seconds, at least one, such as PT1H5M.")
        }
        try await exchange.cloud.age(by: duration)
        await settleAge()
        return .json(["status": "ok", "now": .string(exchange.cloud.clock.now.iso8601)])
    }
}
