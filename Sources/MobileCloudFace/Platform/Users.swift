import Exchange

/// `/mobile/platform/users/…`
struct Users {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
