import Cloud
import Exchange
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// How operations tell that they have changed something. Each calls once, after its success.
extension S3Request {
    /// Tells of an event of an object that is there.
    func emit(_ name: EventName, _ record: ObjectRecord, in bucket: Bucket) {
        guard let configuration = notifications(of: bucket) else { return }
        let event = BucketEvent(name, of: BucketEvent.Object(record, in: bucket), in: bucket, at: clock.now, by: cause)
        events.send(event, of: bucket.id, to: configuration)
    }

    /// Sends both events of a restoration: the client initiates it, and S3 completes it in the name of the bucket's owner.
    func emitRestoration(of record: ObjectRecord, _ copy: BucketEvent.RestoredCopy, in bucket: Bucket) {
        guard let configuration = notifications(of: bucket) else { return }
        var object = BucketEvent.Object(record, in: bucket)
        object.restoredCopy = copy
        let initiator = cause
        let service = BucketEvent.Cause(
            principal: "AmazonCustomer:\(BucketEvent.customerID(of: bucket.account))", sourceIP: BucketEvent.Cause.service,
            requestID: initiator.requestID, hostID: initiator.hostID, requester: BucketEvent.Cause.service)
        for (name, cause) in [(EventName.objectRestorePost, initiator), (.objectRestoreCompleted, service)] {
            events.send(BucketEvent(name, of: object, in: bucket, at: clock.now, by: cause), of: bucket.id, to: configuration)
        }
    }

    /// Tells of a delete.
    /// - Parameter version: the version that the client named, if it named one.
    func emit(_ deletion: Deletion, of key: String, version: VersionSelector, in bucket: Bucket) {
        guard let configuration = notifications(of: bucket),
            let event = BucketEvent(deletion, of: key, version: version, in: bucket, at: clock.now, by: cause)
        else { return }
        events.send(event, of: bucket.id, to: configuration)
    }

    /// Whom a bucket tells, read once for each revision of it; nothing where it tells nobody.
    private func notifications(of bucket: Bucket) -> NotificationConfiguration? {
        guard bucket.configuration.documents[.notification] != nil else { return nil }
        return try? configuration(.notification, of: bucket) { element throws(S3Error) in NotificationConfiguration(stored: element) }
    }

    private var cause: BucketEvent.Cause {
        let principal = if case .anonymous = caller { "Anonymous" } else { "AWS:\(caller.userID)" }
        return BucketEvent.Cause(
            principal: principal, sourceIP: exchange.sourceIP, requestID: exchange.id.text, hostID: exchange.id.hostID,
            requester: caller.account ?? "Anonymous", trace: exchange.headers[.traceID])
    }
}
