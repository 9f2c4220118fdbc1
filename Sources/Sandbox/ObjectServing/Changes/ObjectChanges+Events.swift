import Calls
import Cloud
import Federation
package import HTTPTypes
package import ObjectStore
import Policy
import WireFormats

extension ObjectChanges {
    /// Sends an event about an existing object.
    package func sendEvent(_ name: EventName, _ record: ObjectRecord) {
        sendEvent { bucket in
            BucketEvent(name, of: BucketEvent.Object(record, in: bucket), in: bucket, at: call.cloud.clock.now, by: cause)
        }
    }

    /// Sends both events of a restoration that completes immediately: its start by the client, and its completion by the service in the
    /// name of the bucket's owner.
    package func sendRestorationEvents(of record: ObjectRecord, _ copy: BucketEvent.RestoredCopy) {
        sendEvent { bucket in
            BucketEvent(.objectRestorePost, of: restored(record, copy, in: bucket), in: bucket, at: call.cloud.clock.now, by: cause)
        }
        sendEvent { bucket in
            let service = BucketEvent.Cause(
                principal: "AmazonCustomer:\(BucketEvent.customerID(of: bucket.account))", sourceIP: BucketEvent.Cause.service,
                requestID: call.id.text, hostID: call.id.hostID, requester: BucketEvent.Cause.service)
            return BucketEvent(
                .objectRestoreCompleted, of: restored(record, copy, in: bucket), in: bucket, at: call.cloud.clock.now, by: service)
        }
    }

    /// Sends an event about a deletion, unless it deleted nothing.
    func sendEvent(_ done: Deletion, of deletion: KeyDeletion) {
        sendEvent { bucket in
            BucketEvent(
                done, of: deletion.key, version: deletion.version, in: bucket, at: call.cloud.clock.now, by: cause)
        }
    }

    /// Sends an event.
    /// - Parameter event: creates the event; called only if the bucket has a notification configuration, with the bucket as visible in S3.
    private func sendEvent(_ event: (Bucket) -> BucketEvent?) {
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
    /// The header in which AWS's load balancers and SDKs send trace IDs.
    package static let traceID = HTTPField.Name(literal: "X-Amzn-Trace-Id")
}
