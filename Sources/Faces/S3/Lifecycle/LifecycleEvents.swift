import Calls
package import ObjectServing
package import ObjectStore
import WireFormats

extension LifecycleConfiguration {
    /// Returns the lifecycle rules that were put with S3; `nil` if the bucket has none.
    package static func ofS3(_ bucket: Bucket) throws -> LifecycleConfiguration? {
        guard let text = bucket.configuration.documents[.lifecycle] else { return nil }
        return try LifecycleConfiguration(stored: XMLElement(parsing: Array(text.utf8)))
    }
}

extension EventOutbox {
    /// Sends the event of a lifecycle action to the destinations in the bucket's notification configuration.
    package func send(_ event: LifecycleEvent, of bucket: Bucket) {
        let id = RequestID()
        let name: EventName =
            switch event.kind {
            case .expired: .lifecycleExpirationDelete
            case .deleteMarkerCreated: .lifecycleExpirationDeleteMarkerCreated
            case .moved: .lifecycleTransition
            }
        let object = event.object
        let described = BucketEvent.Object(
            key: object.key, size: object.size, entityTag: object.entityTag.text,
            versionID: event.version.flatMap { bucket.versionID($0, of: object.key) }, sequence: BucketEvent.sequence(at: event.time))
        let cause = BucketEvent.Cause(
            principal: BucketEvent.Cause.service, sourceIP: BucketEvent.Cause.service, requestID: id.text, hostID: id.hostID,
            requester: BucketEvent.Cause.service)
        send(in: bucket) { BucketEvent(name, of: described, in: bucket, at: event.time, by: cause) }
    }
}
