package import Cloud
package import Logging
package import ObjectStore
package import WireFormats

/// Something that a lifecycle rule did.
package struct LifecycleEvent: Sendable {
    /// What a lifecycle rule has done.
    package enum Kind: Sendable {
        /// A version is gone for good.
        case expired
        case deleteMarkerCreated
        case moved
    }

    /// What the rule has done.
    package var kind: Kind
    /// When.
    package var time: Timestamp
    /// As it was.
    package var object: ListedObject
    /// The version that is gone, moved or made, or `nil` in a bucket without versions.
    package var version: ObjectVersion?
}

/// Carries out what the lifecycle rules of a sandbox's buckets say, whichever door they came through.
package struct LifecycleRunner: Sendable {
    /// The rules of a bucket in one dialect; `nil` if it has none.
    package typealias Rules = @Sendable (Bucket) throws -> LifecycleConfiguration?

    let cloud: Cloud
    let calendar: LifecycleCalendar
    let observe: @Sendable (LifecycleEvent, Bucket) -> Void
    private let rules: [Rules]
    private let logger: Logger
    private let turnstile = Turnstile()

    /// - Parameters:
    ///   - rules: reads the rules of each dialect.
    ///   - observe: hears of all that is done.
    package init(
        cloud: Cloud, calendar: LifecycleCalendar, rules: [Rules], logger: Logger,
        observe: @escaping @Sendable (LifecycleEvent, Bucket) -> Void
    ) {
        self.cloud = cloud
        self.calendar = calendar
        self.rules = rules
        self.logger = logger
        self.observe = observe
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
            for bucket in cloud.objects.allBuckets {
                for read in rules {
                    do {
                        guard let configuration = try read(bucket) else { continue }
                        try await LifecyclePass(bucket, configuration, self).carryOut()
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
}
