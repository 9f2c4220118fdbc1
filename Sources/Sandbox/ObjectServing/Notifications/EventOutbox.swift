package import Logging
package import ObjectStore
import Synchronization
package import WireFormats

/// The queue of events to deliver. Events of one bucket are delivered in order, and deliveries do not delay requests.
///
/// If the queue is full, or a delivery fails repeatedly, the event is dropped and logged.
package final class EventOutbox: Sendable {
    /// Posts one message.
    /// - Returns: whether the destination has accepted it.
    package typealias Post = @Sendable (EventParcel) async -> Bool

    private struct State {
        /// The waiting events by bucket. A bucket has an entry while a task delivers its events.
        var waiting: [Bucket.ID: [EventParcel]] = [:]
        var count = 0
    }

    private static let capacity = 10_000

    /// The URLs of destinations by ARN.
    private let targets: [String: String]
    /// The queues and topics that another server has; `nil` if none are forwarded.
    private let forwarded: ForwardedTargets?
    private let logger: Logger
    /// The delays before further attempts.
    private let pauses: [Duration]
    private let state = Mutex(State())
    private let busyBuckets: AsyncStream<Bucket.ID>
    private let announce: AsyncStream<Bucket.ID>.Continuation

    /// Creates an outbox.
    /// - Parameters:
    ///   - targets: the URLs of destinations by ARN.
    ///   - forwarded: the queues and topics that another server has. A URL takes precedence.
    ///   - logger: receives failed deliveries.
    ///   - pauses: the delays before further attempts.
    package init(
        targets: [String: String], forwarded: ForwardedTargets? = nil, logger: Logger,
        pauses: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5), .seconds(15)]
    ) {
        self.targets = targets
        self.forwarded = forwarded
        self.logger = logger
        self.pauses = pauses
        (busyBuckets, announce) = AsyncStream.makeStream()
    }

    /// Whether there is a target for an ARN.
    package func hasTarget(_ arn: String) -> Bool { targets[arn] != nil }

    /// Returns the URL of the target with an ARN; `nil` if there is none.
    package func url(of arn: String) -> String? { targets[arn] }

    /// Returns why S3 cannot deliver events to an ARN for which there is no target; `nil` if it can.
    package func obstacle(to arn: String, from source: EventSource) async -> ForwardedTargets.Obstacle? {
        guard let forwarded, forwarded.has(arn) else { return .missing }
        return await forwarded.obstacle(arn, source)
    }

    /// Sends an event to all destinations that the bucket's configuration specifies for it. A stored configuration that cannot be parsed
    /// does not fail the request, because its operation is already complete.
    /// - Parameter makeEvent: called only if the bucket has a configuration; returns nil if there is no event.
    package func send(in bucket: Bucket, _ makeEvent: () -> BucketEvent?) {
        guard let configuration = bucket.parsed(.notification, { NotificationConfiguration(text: $0) }), let event = makeEvent()
        else { return }
        send(event, of: bucket.id, to: configuration)
    }

    func send(_ event: BucketEvent, of bucket: Bucket.ID, to configuration: NotificationConfiguration) {
        for destination in configuration.destinations where destination.wants(event.name, of: event.object.key) {
            send(
                event.message(configurationID: destination.id), to: destination.arn, isTopic: destination.kind == .topic,
                at: event.time, of: bucket, from: event.source, trace: event.cause.trace)
        }
        if configuration.usesEventBridge, let message = event.busMessage() {
            send(message, to: event.busARN, isTopic: false, at: event.time, of: bucket, trace: event.cause.trace)
        }
    }

    /// Sends one message. It is discarded if there is no target, and the service of the ARN is not forwarded.
    /// - Parameter source: the bucket, for destinations of forwarded services.
    package func send(
        _ message: JSONValue, to arn: String, isTopic: Bool, at time: Timestamp, of bucket: Bucket.ID, from source: EventSource? = nil,
        trace: String? = nil
    ) {
        let parcel: EventParcel
        if let url = targets[arn] {
            parcel = EventParcel(message, to: arn, isTopic: isTopic, at: time, url: url, trace: trace)
        } else if let source, let forwarded, forwarded.has(arn) {
            parcel = EventParcel(message, to: arn, from: source)
        } else {
            return
        }
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

    /// Removes and returns the waiting events of a bucket, oldest first. If there are none, returns `nil`, and the next event starts a new
    /// task.
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
