import Exchange

/// `/mobile/platform/extended/users/…`, for custom code only.
struct ExtendedUsers {
    let call: MobileCall

    func respond() async throws -> Response { throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).") }
}
