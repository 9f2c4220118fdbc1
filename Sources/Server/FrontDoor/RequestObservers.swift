package import Cloud

/// What receives each request once it is answered.
package struct RequestObservers: Sendable {
    let requestLog: RequestLog?
    let requests: RequestMetrics?
    let observe: (@Sendable (JournalEntry) -> Void)?

    /// - Parameters:
    ///   - requestLog: logs each request; `nil` if that is off.
    ///   - requests: counts the requests.
    ///   - observe: called with the journal entry of each request.
    package init(
        requestLog: RequestLog? = nil, requests: RequestMetrics? = nil, observe: (@Sendable (JournalEntry) -> Void)? = nil
    ) {
        self.requestLog = requestLog
        self.requests = requests
        self.observe = observe
    }
}
