package import Federation
package import GatewayFace
package import Logging
package import ObjectServing

/// What the faces of a sandbox use besides the sandbox.
package struct SandboxServices: Sendable {
    let events: EventOutbox
    let accessLog: AccessLog
    let issuers: ForeignIssuers
    let applications: Applications
    let outbound: Outbound
    let forward: UpstreamSend
    let logger: Logger
    let settleTime: @Sendable () async -> Void

    /// - Parameters:
    ///   - events: receives the events of buckets.
    ///   - accessLog: receives the records of buckets' access logs.
    ///   - issuers: finds the keys of external identity providers.
    ///   - applications: sends requests to the clients of the identity providers.
    ///   - outbound: sends requests to other servers.
    ///   - forward: sends calls of forwarded services.
    ///   - logger: logs errors of Virga itself.
    ///   - settleTime: performs what becomes due, before the response to a clock change is sent.
    package init(
        events: EventOutbox, accessLog: AccessLog, issuers: ForeignIssuers, applications: Applications, outbound: @escaping Outbound,
        forward: @escaping UpstreamSend = { _ in throw UpstreamFailure("nothing is forwarded") }, logger: Logger,
        settleTime: @escaping @Sendable () async -> Void
    ) {
        self.events = events
        self.accessLog = accessLog
        self.issuers = issuers
        self.applications = applications
        self.outbound = outbound
        self.forward = forward
        self.logger = logger
        self.settleTime = settleTime
    }
}
