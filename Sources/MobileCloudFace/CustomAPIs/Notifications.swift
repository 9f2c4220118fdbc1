import Exchange

/// `/mobile/platform/notifications/…`, for custom code only.
struct Notifications {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
