import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// GetBucketNotificationConfiguration. The document is empty if the bucket has no configuration.
    func getBucketNotificationConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketNotification, on: bucket)
        let configuration =
            bucket.parsed(.notification) { NotificationConfiguration(text: $0) } ?? NotificationConfiguration()
        return answer(root: NotificationConfiguration.root, configuration.encode)
    }

    /// PutBucketNotificationConfiguration. Sends a test message to each topic and queue.
    func putBucketNotificationConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketNotification, on: bucket)
        let configuration = try NotificationConfiguration(
            try await configurationDocument(NotificationConfiguration.root, needsDigest: false).holding(NotificationConfiguration.schema))
        if !(try input(PutNotificationInput.self).skipsDestinationValidation) {
            try await checkDestinations(configuration, of: bucket)
        }
        let isEmpty = configuration == NotificationConfiguration()
        try await store(
            isEmpty ? nil : document(NotificationConfiguration.root, configuration.encode), as: .notification, in: bucket)
        for destination in configuration.destinations where destination.kind != .function {
            events.send(
                testMessage(for: name), to: destination.arn, isTopic: destination.kind == .topic, at: clock.now, of: bucket.id,
                from: EventSource(bucket))
        }
        return answer()
    }

    /// Rejects destinations that have no target, except queues and topics of forwarded services whose policies allow S3 to deliver. A target
    /// may be of any region; the region is checked first for the others, as S3 does. (cloud-custodian/cloud-custodian#1720.)
    private func checkDestinations(_ configuration: NotificationConfiguration, of bucket: Bucket) async throws(S3Error) {
        let others = configuration.destinations.filter { !events.hasTarget($0.arn) }
        guard !others.isEmpty else { return }
        guard others.allSatisfy({ $0.region.utf8.elementsEqual(bucket.regionName.utf8) }) else {
            throw S3Error(
                .invalidArgument, "The notification destination service region is not valid for the bucket location constraint")
        }
        var error = S3Error(.invalidArgument, "Unable to validate the following destination configurations")
        var count = 0
        for destination in others {
            guard let obstacle = await events.obstacle(to: destination.arn, from: EventSource(bucket)) else { continue }
            count += 1
            let (name, value) = destination.refusal(obstacle)
            error.details.append(S3Error.Detail(name: "ArgumentName\(count)", value: name))
            error.details.append(S3Error.Detail(name: "ArgumentValue\(count)", value: value))
        }
        if count > 0 { throw error }
    }

    /// Returns the test message. (S3 User Guide, "Event message structure", the test message.)
    private func testMessage(for bucket: String) -> JSONValue {
        [
            "Service": "Amazon S3", "Event": "s3:TestEvent", "Time": .string(clock.now.iso8601Milliseconds),
            "Bucket": .string(bucket), "RequestId": .string(call.id.text), "HostId": .string(call.id.hostID),
        ]
    }
}

extension EventDestination {
    /// The region in the ARN, whose form was checked on reading.
    fileprivate var region: Substring { arn.split(separator: ":", omittingEmptySubsequences: false)[3] }

    /// Returns the argument name and value in S3's error for a destination. For functions the error is about the permission to invoke.
    fileprivate func refusal(_ obstacle: ForwardedTargets.Obstacle) -> (name: String, value: String) {
        let word =
            switch kind {
            case .topic: "topic"
            case .queue: "queue"
            case .function: "function"
            }
        if kind == .function { return ("\(arn), null", "Not authorized to invoke function [\(arn)]") }
        switch obstacle {
        case .missing: return (arn, "The destination \(word) does not exist")
        // aws/aws-cli#8162 has this wording for a queue.
        case .forbidden:
            return (arn, "Permissions on the destination \(word) do not allow S3 to publish notifications from this bucket")
        case .unreachable(let cause): return (arn, "Virga could not reach the server of the \(word): \(cause)")
        }
    }
}
