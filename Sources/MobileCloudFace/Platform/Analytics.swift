import Exchange

/// `/mobile/platform/analytics/events`
struct Analytics {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
