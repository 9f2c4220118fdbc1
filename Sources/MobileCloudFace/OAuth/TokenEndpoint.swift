import Exchange

/// The OAuth token endpoint: client credentials and password grants. (RFC 6749 sections 4.3 and 4.4.)
struct TokenEndpoint {
    let call: MobileCall

    /// Those of the service and of its successors, and the one that the chapter's example shows.
    static let paths: Set<String> = Set(["/oam/oauth2/tokens", "/oauth2/v1/token", "/token"].flatMap { [$0, $0 + "/"] })

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
