import Calls
import Cloud
import Directory
import Federation
import Logging
import Synchronization
import WireFormats

/// What the relay caches about external issuers: the configuration as last read, certificates, and published keys.
final class TokenRelay: Sendable {
    let certificates = CertificateStore()
    let publishedKeys = PublishedKeyStore()
    let logger: Logger
    private let configuration = Mutex(KeptConfiguration())

    private struct KeptConfiguration {
        /// The generation of the sandbox; a reset discards everything.
        var generation: Int64 = 0
        var text: String?
        var value: AuthTokenConfiguration?
        var read = Timestamp(milliseconds: 0)
    }

    init(logger: Logger) { self.logger = logger }

    /// Returns the configuration, for a request with an issuer's token. It is read again if it is too old or lacks the issuer.
    func configuration(for issuer: String, _ call: MobileCall) -> AuthTokenConfiguration {
        let (generation, clock) = (call.cloud.generation, call.cloud.clock)
        return configuration.withLock { kept in
            if kept.generation == generation, let value = kept.value {
                let interval = value.policyReload
                let isMissing = value.lacks(issuer, directory: call.cloud.directory, names: call.http.names)
                guard
                    interval.isOver(since: kept.read, by: clock)
                        || isMissing && interval.allowsReload(since: kept.read, by: clock)
                else { return value }
            }
            let text = call.mobile.environment.policies[AuthTokenConfiguration.policy]
            let value: AuthTokenConfiguration
            if let known = kept.value, kept.generation == generation, kept.text == text {
                value = known
            } else {
                value = AuthTokenConfiguration(parsing: text)
            }
            kept = KeptConfiguration(generation: generation, text: text, value: value, read: clock.now)
            return value
        }
    }
}
