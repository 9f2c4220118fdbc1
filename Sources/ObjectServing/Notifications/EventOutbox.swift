import Caching
package import Logging
package import ObjectStore
import Synchronization
package import WireFormats

/// Where events wait until they are delivered: in order for each bucket, and never in the way of the request that caused them.
///
/// What does not fit in is lost, and what a destination does not take after some attempts as well; both are logged.
package final class EventOutbox: Sendable {
    /// Posts one message.
    /// - Returns: whether the destination has taken it.
    package typealias Post = @Sendable (EventParcel) async -> Bool

    private struct State {
        /// A bucket has an entry as long as somebody delivers its events.
        var waiting: [Bucket.ID: [EventParcel]] = [:]
        var count = 0
    }

    private static let capacity = 10_000

    /// The URL behind the ARN of each destination.
    private let targets: [String: String]
    private let logger: Logger
    /// How long to wait before each further attempt.
    private let pauses: [Duration]
    private let state = Mutex(State())
    private let busyBuckets: AsyncStream<Bucket.ID>
    private let announce: AsyncStream<Bucket.ID>.Continuation
    /// Whom buckets tell, by the text of their configuration.
    private let configurations = BoundedCache<String, NotificationConfiguration>(capacity: 1024)

    /// - Parameters:
    ///   - targets: the URLs of destinations, by ARN.
    ///   - logger: gets deliveries that failed.
    ///   - pauses: the time before each further attempt.
    package init(
        targets: [String: String], logger: Logger,
        pauses: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5), .seconds(15)]
    ) {
        self.targets = targets
        self.logger = logger
        self.pauses = pauses
        (busyBuckets, announce) = AsyncStream.makeStream()
    }

    /// Whether something listens behind an ARN.
    package func hasTarget(_ arn: String) -> Bool { targets[arn] != nil }

    /// Sends an event to everybody whom the bucket's configuration names for it. Configurations were checked when they were put: one that
    /// cannot be read after all is no reason to fail a call that has done its work.
    /// - Parameter makeEvent: called only if the bucket has a configuration; returns nil if there is no event.
    package func send(in bucket: Bucket, _ makeEvent: () -> BucketEvent?) {
        guard let text = bucket.configuration.documents[.notification] else { return }
        let configuration = configurations.value(for: text) { NotificationConfiguration(text: text) }
        guard let event = makeEvent() else { return }
        send(event, of: bucket.id, to: configuration)
    }

    func send(_ event: BucketEvent, of bucket: Bucket.ID, to configuration: NotificationConfiguration) {
        for destination in configuration.destinations where destination.wants(event.name, of: event.object.key) {
            send(
                event.message(configurationID: destination.id), to: destination.arn, isTopic: destination.kind == .topic,
                at: event.time, of: bucket, trace: event.cause.trace)
        }
        if configuration.usesEventBridge, let message = event.busMessage() {
            send(message, to: event.busARN, isTopic: false, at: event.time, of: bucket, trace: event.cause.trace)
        }
    }

    /// Sends one message; where nothing listens it goes nowhere.
    package func send(
        _ message: JSONValue, to arn: String, isTopic: Bool, at time: Timestamp, of bucket: Bucket.ID, trace: String? = nil
    ) {
        guard let url = targets[arn] else { return }
        let parcel = EventParcel(message, to: arn, isTopic: isTopic, at: time, url: url, trace: trace)
        let (isLost, wakes) = state.withLock { state in
            guard state.count < Self.capacity else { return (true, false) }
            state.count += 1
            let wakes = state.waiting[bucket] == nil
            state.waiting[bucket, default: []].append(parcel)
            return (false, wakes)
        }
        if isLost { logger.warning("An event is dropped: too many are waiting for delivery", metadata: ["destination": "\(arn)"]) }
        if wakes { announce.yield(bucket) }
    }

    /// Delivers until the task is cancelled. Run it once.
    package func deliver(_ post: @escaping Post) async {
        await withDiscardingTaskGroup { group in
            for await bucket in busyBuckets { group.addTask { await self.drain(bucket, post) } }
        }
    }

    private func drain(_ bucket: Bucket.ID, _ post: Post) async {
        while !Task.isCancelled, let parcels = take(of: bucket) {
            for parcel in parcels where !Task.isCancelled {
                if await !deliver(parcel, post) {
                    logger.warning("Cannot deliver an event", metadata: ["destination": "\(parcel.url)"])
                }
            }
        }
    }

    /// What waits of a bucket, oldest first; `nil` if nothing does, and then the next event wakes somebody again.
    private func take(of bucket: Bucket.ID) -> [EventParcel]? {
        state.withLock { state in
            guard let parcels = state.waiting[bucket], !parcels.isEmpty else {
                state.waiting[bucket] = nil
                return nil
            }
            state.waiting[bucket] = []
            state.count -= parcels.count
            return parcels
        }
    }

    private func deliver(_ parcel: EventParcel, _ post: Post) async -> Bool {
        if await post(parcel) { return true }
        for pause in pauses {
            do { try await Task.sleep(for: pause) } catch { return false }
            if await post(parcel) { return true }
        }
        return false
    }
}
