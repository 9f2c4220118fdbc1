import Exchange

/// `/mobile/platform/devices/…`
struct Devices {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
