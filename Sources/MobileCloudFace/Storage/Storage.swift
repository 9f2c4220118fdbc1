import Exchange

/// `/mobile/platform/storage/…`
struct Storage {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
