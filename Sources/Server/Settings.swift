package import Cloud
package import Federation
package import GatewayFace
package import ObjectStore
package import Seeds
package import UnixSignals
import WireFormats

/// The settings of a server. They are read once, from flags, then environment variables, then these defaults.
package struct Settings: Sendable {
    /// How requests that policies deny are handled.
    package enum Authorization: String, Sendable, CaseIterable {
        /// They are denied.
        case enforce
        /// They are allowed, and reported in the journal, the log and a response header.
        case report
    }

    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The ports for HTTP; 0 selects a free one.
    package var ports = [4566]
    /// The ports for HTTPS; 0 selects a free one.
    package var securePorts: [Int] = []
    /// The file to which the CA certificate is written, for clients of the secure ports.
    package var authorityFile: String?
    /// The folder of the sandbox's database; `nil` for an ephemeral sandbox.
    package var folder: String?
    /// Whether acknowledged writes survive a power failure, which needs a folder.
    package var isSynced = false
    /// The seeds of a new sandbox, in order of application.
    package var seeds: [Seed] = []
    /// The default configuration of new buckets.
    package var newBuckets = BucketConfiguration.modern
    /// The service that S3 imitates where real services differ.
    package var dialect = Dialect.aws
    /// Whether S3 compares regions; `nil` if seeds or hosts decide.
    package var regions: RegionRule?
    /// The host names of this process.
    package var names = HostNames()
    /// Whether external identity providers may use plain HTTP and any port.
    package var issuersOverHTTP = false
    /// PEM files with additional certificates that external identity providers may use.
    package var trustedAuthorityFiles: [String] = []
    /// The token of the control API, required if the host is not loopback.
    package var controlToken: String?
    /// The proxies whose headers about the client are believed; `nil` for none.
    package var trustedProxies: TrustedProxies?
    /// Whether the web console is on.
    package var hasConsole = true
    /// The port that serves the web console only; 0 selects a free one, `nil` for none.
    package var consolePort: Int?
    /// The port that serves Keycloak's health paths only; `nil` for none.
    package var healthPort: Int?
    /// Called with the number of the console's own port once it is known, before the listeners are announced.
    package var onConsolePort: @Sendable (Int) -> Void = { _ in }
    /// A code that signs in to the web console once, if a control token is set.
    package var consoleCode: String?
    /// Whether requests to other servers may leave the process.
    package var allowsOutbound = true
    /// The limits of sandboxes.
    package var sandboxes = SandboxSettings()
    /// Whether pages of any origin may sign requests with well-known keys.
    package var admitsForeignPages = false
    /// How requests that policies deny are handled. Signatures and tokens are verified in both modes.
    package var authorization = Authorization.enforce

    /// Whether the distinct requests that policies decide are recorded from the start.
    package var recordsUsage = false

    /// Logs each request, if enabled.
    package var requestLog: RequestLog?
    /// Returns whether the start is complete, for the control API.
    package var isReady: @Sendable () -> Bool = { true }

    /// The URL for each ARN that buckets send events to. It overrides the targets of the seeds.
    package var eventTargets: [String: String] = [:]
    /// The URL of the KMS that S3 uses; `nil` accepts any key name.
    package var keyService: String?
    /// How calls of other AWS services are forwarded; `nil` if none is.
    package var gateway: GatewayRules?
    /// The length of a day in lifecycle rules, in seconds.
    package var lifecycleDay: Int64 = 86_400
    /// The signals that stop the process.
    package var stopSignals: [UnixSignal] = [.sigterm, .sigint]
    /// Called before a second signal ends the process at once.
    package var atHardStop: @Sendable () -> Void = {}
    /// Called with the journal entry of each request.
    package var observe: (@Sendable (JournalEntry) -> Void)?
    /// The time that running requests have after the stop signal, in seconds.
    package var grace: Int64 = 10
    /// The limits of connections.
    package var connectionLimits = ConnectionLimits()

    package init() {}

    /// The hosts of all URLs in the seeds and in the flags.
    var namedHosts: Set<String> {
        let urls = seeds.flatMap(\.urls) + eventTargets.values + [keyService].compactMap { $0 } + (gateway?.upstreams.all ?? [])
        return Set(urls.compactMap { Origin(url: $0)?.host })
    }

    /// Whether only this machine can reach the listeners.
    package var isLoopback: Bool { HostNames.isThisMachine(host) }
}
