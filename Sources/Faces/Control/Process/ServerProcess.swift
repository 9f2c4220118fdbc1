/// The server process, as the control API shows and drains it. The composition root implements it.
package protocol ServerProcess: Sendable {
    /// Whether it is being drained.
    var isDraining: Bool { get }
    /// The number of open connections.
    var openConnections: Int { get }
    /// Begins or ends draining. While it is drained, it is not ready, responses ask clients to close their connections, and no sandbox is
    /// created. Requests are served as before.
    func drain(_ isDraining: Bool)
    /// Returns the metrics in a text format of Prometheus.
    func metrics(isOpenMetrics: Bool) -> String
}
