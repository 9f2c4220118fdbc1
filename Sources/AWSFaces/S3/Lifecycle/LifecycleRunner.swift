package import Cloud
package import Logging
import WireFormats

/// Carries out what the lifecycle rules of a sandbox's buckets say.
package struct LifecycleRunner: Sendable {
    let cloud: Cloud
    let calendar: LifecycleCalendar
    let events: EventOutbox
    private let logger: Logger
    private let turnstile = Turnstile()

    package init(cloud: Cloud, calendar: LifecycleCalendar, events: EventOutbox, logger: Logger) {
        self.cloud = cloud
        self.calendar = calendar
        self.events = events
        self.logger = logger
    }

    /// Carries the rules out again and again until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: calendar.interval) } catch { return }
            await carryOut()
        }
    }

    /// Carries out all that is due by now. Callers that come together follow one another.
    package func carryOut() async {
        try? await turnstile.pass {
            for bucket in cloud.objects.allBuckets where bucket.configuration.documents[.lifecycle] != nil {
                do {
                    try await LifecyclePass(bucket, self)?.carryOut()
                } catch ObjectStoreError.noSuchBucket, ObjectStoreError.closed {
                    // Somebody was faster; there is nothing to be done any more.
                } catch {
                    logger.error(
                        "Lifecycle rules could not be carried out", metadata: ["bucket": "\(bucket.name)", "error": "\(error)"])
                }
            }
        }
    }
}
