import Exchange

/// `POST /mobile/platform/auth/token`: a token of ours for a JWT of an issuer elsewhere.
struct JWTExchange {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
