import Calls
import Cloud
import Federation
package import HTTPTypes
package import ObjectStore
import Policy
import WireFormats

extension ObjectChanges {
    /// Tells of an object that is there.
    package func tell(_ name: EventName, _ record: ObjectRecord) {
        tell { bucket in
            BucketEvent(name, of: BucketEvent.Object(record, in: bucket), in: bucket, at: call.cloud.clock.now, by: cause)
        }
    }

    /// Tells both events of a restoration that is done at once: the client starts it, and the service completes it in the name of the
    /// bucket's owner.
    package func tellRestoration(of record: ObjectRecord, _ copy: BucketEvent.RestoredCopy) {
        tell { bucket in
            BucketEvent(.objectRestorePost, of: restored(record, copy, in: bucket), in: bucket, at: call.cloud.clock.now, by: cause)
        }
        tell { bucket in
            let service = BucketEvent.Cause(
                principal: "AmazonCustomer:\(BucketEvent.customerID(of: bucket.account))", sourceIP: BucketEvent.Cause.service,
                requestID: call.id.text, hostID: call.id.hostID, requester: BucketEvent.Cause.service)
            return BucketEvent(
                .objectRestoreCompleted, of: restored(record, copy, in: bucket), in: bucket, at: call.cloud.clock.now, by: service)
        }
    }

    /// Tells of a deletion, unless it found nothing to delete.
    func tell(_ done: Deletion, of deletion: KeyDeletion) {
        tell { bucket in
            BucketEvent(
                done, of: deletion.key, version: deletion.version, in: bucket, at: call.cloud.clock.now, by: cause)
        }
    }

    /// - Parameter event: makes the event; called only if the bucket has a notification configuration, with the bucket as S3 shows it.
    private func tell(_ event: (Bucket) -> BucketEvent?) {
        guard bucket.configuration.documents[.notification] != nil,
            let shown = call.cloud.objects.bucket(named: bucket.name, for: .aws), shown.id == bucket.id
        else { return }
        events.send(in: shown) { event(shown) }
    }

    private func restored(_ record: ObjectRecord, _ copy: BucketEvent.RestoredCopy, in bucket: Bucket) -> BucketEvent.Object {
        var object = BucketEvent.Object(record, in: bucket)
        object.restoredCopy = copy
        return object
    }

    private var cause: BucketEvent.Cause {
        let account = caller.map(\.account) ?? bucket.account
        return BucketEvent.Cause(
            principal: account == nil ? "Anonymous" : "AWS:\(caller?.userID ?? bucket.account)", sourceIP: call.sourceIP,
            requestID: call.id.text, hostID: call.id.hostID,
            requester: account ?? "Anonymous", trace: call.headers[.traceID])
    }
}

extension HTTPField.Name {
    /// What AWS's load balancers and SDKs trace requests by.
    package static let traceID = HTTPField.Name(literal: "X-Amzn-Trace-Id")
}
