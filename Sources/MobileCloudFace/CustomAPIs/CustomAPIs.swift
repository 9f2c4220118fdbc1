import Exchange

/// Calls below `/mobile/custom/`.
struct CustomAPIs {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
