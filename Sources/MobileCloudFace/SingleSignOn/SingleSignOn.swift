import Exchange
import HTTPTypes

/// Calls below `/mobile/platform/sso/`: the token relay for SAML, and browser single sign-on.
struct SingleSignOn {
    let call: MobileCall

    func respond() async throws -> Response {
        if call.exchange.headers[.authorization] != nil { return try await AssertionExchange(call: call).respond() }
        throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).")
    }
}
