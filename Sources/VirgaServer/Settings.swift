package import Cloud
package import Federation
package import ObjectStore
package import Seeds
package import UnixSignals

/// Everything that can be set at start. Read once, from flags, then variables, then these defaults.
package struct Settings: Sendable {
    /// What becomes of requests that policies deny.
    package enum Authorization: String, Sendable {
        /// They are refused.
        case enforce
        /// They are served, and reported in the journal, the log and a response header.
        case report
    }

    /// Address to listen on.
    package var host = "127.0.0.1"
    /// Ports for plain HTTP; 0 picks a free one.
    package var ports = [4566]
    /// Ports for HTTP over TLS; 0 picks a free one.
    package var securePorts: [Int] = []
    /// Where to write the certificate that clients of the secure ports trust.
    package var authorityFile: String?
    /// Folder of the sandbox's database; `nil` for an ephemeral sandbox.
    package var folder: String?
    /// What a new sandbox holds, in order of application.
    package var seeds: [Seed] = []
    /// How a bucket is made where its creator says nothing else.
    package var newBuckets = BucketConfiguration.modern
    /// Whose answers S3 gives where real services differ.
    package var dialect = Dialect.aws
    /// Whether S3 compares regions; `nil` if seeds or hosts decide.
    package var regions: RegionRule?
    /// What this process is called.
    package var names = HostNames()
    /// Whether identity providers elsewhere may be reached over plain HTTP and at any port.
    package var issuersOverHTTP = false
    /// Files with further certificates, as PEM, that identity providers elsewhere may prove themselves with.
    package var trustedAuthorityFiles: [String] = []
    /// Required for the control API where the host is not loopback.
    package var controlToken: String?
    /// Whether pages of any origin may sign requests with well-known keys.
    package var admitsForeignPages = false
    /// What becomes of requests that policies deny. Signatures and tokens are checked all the same.
    package var authorization = Authorization.enforce

    /// Shows each call, where that is wanted.
    package var requestLog: RequestLog?
    /// Whether everything that belongs to the start is done, for the control API.
    package var isReady: @Sendable () -> Bool = { true }

    /// The URL to post to for each ARN that buckets tell of their events; before those of the seeds.
    package var eventTargets: [String: String] = [:]
    /// The URL of the key management service that S3 asks about keys; `nil` if any name is a key.
    package var keyService: String?
    /// How long a day of the lifecycle rules is, in seconds.
    package var lifecycleDay: Int64 = 86_400
    /// The signals that stop the process.
    package var stopSignals: [UnixSignal] = [.sigterm, .sigint]
    /// Called before a second signal ends the process at once.
    package var atHardStop: @Sendable () -> Void = {}
    /// Hears of every call, as the journal keeps it.
    package var observe: (@Sendable (JournalEntry) -> Void)?
    /// How long requests may go on after the signal to stop, in seconds.
    package var grace: Int64 = 10

    package init() {}

    /// Whether only this machine can reach the listeners.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
