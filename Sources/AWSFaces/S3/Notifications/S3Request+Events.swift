import Cloud
import Exchange
import Federation
import ObjectServing
import WireFormats

/// How operations tell that they have changed something. Each calls once, after its success.
extension S3Request {
    /// Tells of an event of an object that is there.
    func emit(_ name: EventName, _ record: ObjectRecord, in bucket: Bucket) {
        emit(name, in: bucket) {
            BucketEvent.Object(
                key: record.key, size: record.size, entityTag: record.entityTag.text,
                versionID: bucket.versionID(record.version, of: record.key), sequence: record.version.sequence)
        }
    }

    /// Tells of a delete.
    /// - Parameter version: the version that the client named, if it named one.
    func emit(_ deletion: Deletion, of key: String, version: VersionSelector, in bucket: Bucket) {
        let makesMarker = version == .current && deletion.isDeleteMarker
        guard version == .current || deletion.existed else { return }
        emit(makesMarker ? .objectRemovedDeleteMarkerCreated : .objectRemovedDelete, in: bucket) {
            BucketEvent.Object(
                key: key, entityTag: makesMarker ? BucketEvent.emptyTag : nil,
                versionID: deletion.version.flatMap { bucket.versionID($0, of: key) },
                sequence: makesMarker ? deletion.version?.sequence ?? sequenceNow : sequenceNow)
        }
    }

    private var sequenceNow: Int64 { BucketEvent.sequence(at: clock.now) }

    private func emit(_ name: EventName, in bucket: Bucket, _ object: () -> BucketEvent.Object) {
        guard bucket.configuration.documents[.notification] != nil else { return }
        // The text was checked when it was put; an event is no reason to fail a request that has done its work.
        guard let configuration = try? notifications(of: bucket) else { return }
        let principal = if case .anonymous = caller { "Anonymous" } else { "AWS:\(caller.userID)" }
        let event = BucketEvent(
            name: name, time: clock.now, region: LocationConstraint.region(of: bucket.region), bucket: bucket.name,
            account: bucket.account, object: object(),
            cause: BucketEvent.Cause(
                principal: principal, sourceIP: exchange.sourceIP, requestID: exchange.id.text, hostID: exchange.id.hostID,
                reason: name.reason, requester: caller.account ?? "Anonymous"))
        events.send(event, of: bucket.id, to: configuration)
    }
}

extension BucketEvent {
    /// MD5 of nothing, which is what a delete marker holds.
    static let emptyTag = "d41d8cd98f00b204e9800998ecf8427e"

    /// Where an event stands that made no version: behind every version made in the same millisecond.
    static func sequence(at time: Timestamp) -> Int64 { time.milliseconds * 1000 + 999 }
}

extension Bucket {
    /// A version as messages name it; nothing in a bucket that never kept versions.
    func versionID(_ version: ObjectVersion, of key: String) -> String? {
        configuration.versioning == .never ? nil : VersionID.text(version, of: key)
    }
}

extension EventName {
    /// The operation that causes the event, as the event bus names it.
    fileprivate var reason: String {
        switch self {
        case .objectCreatedPut: "PutObject"
        case .objectCreatedPost: "POST Object"
        case .objectCreatedCopy: "CopyObject"
        case .objectCreatedCompleteMultipartUpload: "CompleteMultipartUpload"
        default: "DeleteObject"
        }
    }
}
