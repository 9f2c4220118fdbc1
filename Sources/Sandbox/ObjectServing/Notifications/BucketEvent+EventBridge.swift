import Calls
import WireFormats

/// Events in the format of EventBridge. (S3 User Guide, "EventBridge event structure".)
extension BucketEvent {
    /// The event bus that receives all events: the default one of the account.
    var busARN: String { "arn:aws:events:\(region):\(account):event-bus/default" }

    /// Returns the message for the event bus.
    /// - Returns: `nil` for an event that is not sent to the event bus.
    func busMessage() -> JSONValue? {
        guard let detailType else { return nil }
        // EventBridge messages contain the key without encoding.
        var described: JSONObject = ["key": .string(object.key)]
        if name.includesState, let size = object.size { described["size"] = .integer(size) }
        if let tag = object.entityTag { described["etag"] = .string(tag) }
        if let version = object.versionID { described["version-id"] = .string(version) }
        if name.includesState, !isOfRestoration { described["sequencer"] = .string(sequencer) }
        var detail: JSONObject = [
            "version": "0", "bucket": ["name": .string(bucket)], "object": .object(described),
            "request-id": .string(cause.requestID), "requester": .string(cause.requester),
        ]
        // Events of the service itself have no address. (ibid., `source-ip-address`.)
        if !cause.sourceIP.isEmpty, cause.requester != Cause.service { detail["source-ip-address"] = .string(cause.sourceIP) }
        switch name {
        case .objectCreatedPut, .objectCreatedPost, .objectCreatedCopy, .objectCreatedCompleteMultipartUpload:
            detail["reason"] = .string(name.reason)
        case .objectRemovedDelete, .lifecycleExpirationDelete:
            detail["reason"] = .string(name.reason)
            detail["deletion-type"] = "Permanently Deleted"
        case .objectRemovedDeleteMarkerCreated, .lifecycleExpirationDeleteMarkerCreated:
            detail["reason"] = .string(name.reason)
            detail["deletion-type"] = "Delete Marker Created"
        default: break
        }
        if isOfRestoration, let copy = object.restoredCopy {
            detail["source-storage-class"] = .string(copy.storageClass)
            if name == .objectRestoreCompleted { detail["restore-expiry-time"] = .string(copy.end.iso8601) }
        }
        return [
            "version": "0", "id": .string(RequestID().uuid), "detail-type": .string(detailType), "source": "aws.s3",
            "account": .string(account), "time": .string(time.iso8601), "region": .string(region),
            "resources": [.string("arn:aws:s3:::\(bucket)")], "detail": .object(detail),
        ]
    }

    private var isOfRestoration: Bool { name == .objectRestorePost || name == .objectRestoreCompleted }

    private var detailType: String? {
        switch name {
        case .objectCreatedPut, .objectCreatedPost, .objectCreatedCopy, .objectCreatedCompleteMultipartUpload: "Object Created"
        case .objectRemovedDelete, .objectRemovedDeleteMarkerCreated, .lifecycleExpirationDelete,
            .lifecycleExpirationDeleteMarkerCreated:
            "Object Deleted"
        case .objectRestorePost: "Object Restore Initiated"
        case .objectRestoreCompleted: "Object Restore Completed"
        case .objectRestoreDelete: "Object Restore Expired"
        case .lifecycleTransition: "Object Storage Class Changed"
        case .intelligentTiering: "Object Access Tier Changed"
        case .objectACLPut: "Object ACL Updated"
        case .objectTaggingPut: "Object Tags Added"
        case .objectTaggingDelete: "Object Tags Deleted"
        case .reducedRedundancyLostObject, .replicationOperationFailed, .replicationMissedThreshold,
            .replicationAfterThreshold, .replicationNotTracked:
            nil
        }
    }
}
