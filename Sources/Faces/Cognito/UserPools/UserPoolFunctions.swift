package import Federation

/// How the functions of triggers are called: an event is posted to a URL in place of a function.
package struct UserPoolFunctions: Sendable {
    /// Sends an event.
    let send: Outbound
    /// Returns the URL that is called in place of a function; `nil` if there is none.
    let url: @Sendable (_ arn: String) -> String?

    /// - Parameters:
    ///   - send: sends an event.
    ///   - url: returns the URL that is called in place of a function; `nil` if there is none.
    package init(send: @escaping Outbound, url: @escaping @Sendable (_ arn: String) -> String?) {
        self.send = send
        self.url = url
    }

    /// No functions.
    package static let absent = UserPoolFunctions(send: { _ in throw OutboundError.notAllowed }, url: { _ in nil })
}
