import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// GetBucketNotificationConfiguration. A bucket that tells nobody has an empty one.
    func getBucketNotificationConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketNotification, on: bucket)
        let configuration =
            bucket.configuration.documents[.notification].map { NotificationConfiguration(text: $0) } ?? NotificationConfiguration()
        return answer(root: NotificationConfiguration.root, configuration.encode)
    }

    /// PutBucketNotificationConfiguration. Topics and queues get a test message each.
    func putBucketNotificationConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketNotification, on: bucket)
        let configuration = try NotificationConfiguration(
            try await configurationDocument(NotificationConfiguration.root, needsDigest: false))
        if !(try input(PutNotificationInput.self).skipsDestinationValidation) { try checkDestinations(configuration) }
        let isEmpty = configuration == NotificationConfiguration()
        try await store(
            isEmpty ? nil : document(NotificationConfiguration.root, configuration.encode), as: .notification, in: bucket)
        for destination in configuration.destinations where destination.kind != .function {
            events.send(
                testMessage(for: name), to: destination.arn, isTopic: destination.kind == .topic, at: clock.now, of: bucket.id)
        }
        return answer()
    }

    /// Refuses destinations that nothing listens behind.
    private func checkDestinations(_ configuration: NotificationConfiguration) throws(S3Error) {
        let missing = configuration.destinations.filter { !events.hasTarget($0.arn) }
        guard !missing.isEmpty else { return }
        var error = S3Error(.invalidArgument, "Unable to validate the following destination configurations")
        for (index, destination) in missing.enumerated() {
            let (name, value) = destination.refusal
            error.details.append(S3Error.Detail(name: "ArgumentName\(index + 1)", value: name))
            error.details.append(S3Error.Detail(name: "ArgumentValue\(index + 1)", value: value))
        }
        throw error
    }

    /// (S3 User Guide, "Event message structure", the test message.)
    private func testMessage(for bucket: String) -> JSONValue {
        [
            "Service": "Amazon S3", "Event": "s3:TestEvent", "Time": .string(clock.now.iso8601Milliseconds),
            "Bucket": .string(bucket), "RequestId": .string(call.id.text), "HostId": .string(call.id.hostID),
        ]
    }
}

extension EventDestination {
    /// How S3 names a destination that does not exist, and what it says of it. It may not invoke a function that does not exist.
    fileprivate var refusal: (name: String, value: String) {
        switch kind {
        case .topic: (arn, "The destination topic does not exist")
        case .queue: (arn, "The destination queue does not exist")
        case .function: ("\(arn), null", "Not authorized to invoke function [\(arn)]")
        }
    }
}
