import Calls
package import ObjectServing
package import ObjectStore
import WireFormats

extension LifecycleConfiguration {
    /// The rules that a bucket was given through the door of S3; `nil` if it has none.
    package static func ofS3(_ bucket: Bucket) throws -> LifecycleConfiguration? {
        guard let text = bucket.configuration.documents[.lifecycle] else { return nil }
        return try LifecycleConfiguration(stored: XMLElement(parsing: Array(text.utf8)))
    }
}

extension EventOutbox {
    /// Sends what a lifecycle rule did to everybody whom the bucket's configuration names for it.
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
