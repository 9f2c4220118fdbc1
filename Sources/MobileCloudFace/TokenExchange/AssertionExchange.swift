import Exchange

/// `GET /mobile/platform/sso/exchange-token` with a bearer token: a token of ours for an assertion of an issuer elsewhere.
struct AssertionExchange {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
