package import Cloud
package import Logging
package import ObjectStore
package import WireFormats

/// An action of a lifecycle rule that has been performed.
package struct LifecycleEvent: Sendable {
    /// The kinds of action.
    package enum Kind: Sendable {
        /// A version was permanently deleted.
        case expired
        case deleteMarkerCreated
        case moved
    }

    /// The kind of action.
    package var kind: Kind
    /// The time of the action.
    package var time: Timestamp
    /// The object before the action.
    package var object: ListedObject
    /// The version that was deleted, transitioned or created; `nil` in a bucket without versions.
    package var version: ObjectVersion?
}

/// Applies the lifecycle rules of a sandbox's buckets, from S3 and from OSS.
package struct LifecycleRunner: Sendable {
    /// Returns the rules of a bucket in one dialect; `nil` if it has none.
    package typealias Rules = @Sendable (Bucket) throws -> LifecycleConfiguration?

    let cloud: Cloud
    let calendar: LifecycleCalendar
    let observe: @Sendable (LifecycleEvent, Bucket) -> Void
    private let rules: [Rules]
    private let logger: Logger
    private let turnstile = Turnstile()

    /// Creates a runner.
    /// - Parameters:
    ///   - rules: read the rules of a bucket, one function for each dialect.
    ///   - observe: called after each action.
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

    /// Applies all rules that are due. Concurrent calls run one after another.
    package func carryOut() async {
        try? await turnstile.pass {
            for bucket in cloud.objects.allBuckets {
                for read in rules {
                    do {
                        guard let configuration = try read(bucket) else { continue }
                        try await LifecyclePass(bucket, configuration, self).carryOut()
                    } catch ObjectStoreError.noSuchBucket, ObjectStoreError.closed {
                        // The bucket or the store was removed in the meantime.
                    } catch {
                        logger.error(
                            "Cannot apply the lifecycle rules", metadata: ["bucket": "\(bucket.name)", "error": "\(error)"])
                    }
                }
            }
        }
    }
}
