import Exchange

/// `/mobile/platform/appconfig/client`
struct AppPolicies {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
