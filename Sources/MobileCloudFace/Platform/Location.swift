import Exchange

/// `/mobile/platform/location/…`
struct Location {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
