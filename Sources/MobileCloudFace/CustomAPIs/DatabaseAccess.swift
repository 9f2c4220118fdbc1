import Exchange

/// `/mobile/platform/database/…`, for custom code only.
struct DatabaseAccess {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
