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
        if !(try input(PutNotificationInput.self).skipsDestinationValidation) { try checkDestinations(configuration, of: bucket) }
        let isEmpty = configuration == NotificationConfiguration()
        try await store(
            isEmpty ? nil : document(NotificationConfiguration.root, configuration.encode), as: .notification, in: bucket)
        for destination in configuration.destinations where destination.kind != .function {
            events.send(
                testMessage(for: name), to: destination.arn, isTopic: destination.kind == .topic, at: clock.now, of: bucket.id)
        }
        return answer()
    }

    /// Rejects destinations that have no target. A target may be of any region; the region is checked first for the others, as S3 does.
    /// (cloud-custodian/cloud-custodian#1720.)
    private func checkDestinations(_ configuration: NotificationConfiguration, of bucket: Bucket) throws(S3Error) {
        let missing = configuration.destinations.filter { !events.hasTarget($0.arn) }
        guard !missing.isEmpty else { return }
        guard missing.allSatisfy({ $0.region.utf8.elementsEqual(bucket.regionName.utf8) }) else {
            throw S3Error(
                .invalidArgument, "The notification destination service region is not valid for the bucket location constraint")
        }
        var error = S3Error(.invalidArgument, "Unable to validate the following destination configurations")
        for (index, destination) in missing.enumerated() {
            let (name, value) = destination.refusal
            error.details.append(S3Error.Detail(name: "ArgumentName\(index + 1)", value: name))
            error.details.append(S3Error.Detail(name: "ArgumentValue\(index + 1)", value: value))
        }
        throw error
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

    /// The argument name and value in S3's error for a missing destination. For functions the error is about the permission to invoke.
    fileprivate var refusal: (name: String, value: String) {
        switch kind {
        case .topic: (arn, "The destination topic does not exist")
        case .queue: (arn, "The destination queue does not exist")
        case .function: ("\(arn), null", "Not authorized to invoke function [\(arn)]")
        }
    }
}
