/// What can happen in a bucket that S3 tells others of.
/// (S3 User Guide, "Supported event types for SQS, SNS, and Lambda".) Raw values are spelled as in messages.
package enum EventName: String, CaseIterable, Sendable {
    case objectCreatedPut = "ObjectCreated:Put"
    case objectCreatedPost = "ObjectCreated:Post"
    case objectCreatedCopy = "ObjectCreated:Copy"
    case objectCreatedCompleteMultipartUpload = "ObjectCreated:CompleteMultipartUpload"
    case objectRemovedDelete = "ObjectRemoved:Delete"
    case objectRemovedDeleteMarkerCreated = "ObjectRemoved:DeleteMarkerCreated"
    case objectRestorePost = "ObjectRestore:Post"
    case objectRestoreCompleted = "ObjectRestore:Completed"
    case objectRestoreDelete = "ObjectRestore:Delete"
    case reducedRedundancyLostObject = "ReducedRedundancyLostObject"
    case replicationOperationFailed = "Replication:OperationFailedReplication"
    case replicationMissedThreshold = "Replication:OperationMissedThreshold"
    case replicationAfterThreshold = "Replication:OperationReplicatedAfterThreshold"
    case replicationNotTracked = "Replication:OperationNotTracked"
    case lifecycleExpirationDelete = "LifecycleExpiration:Delete"
    case lifecycleExpirationDeleteMarkerCreated = "LifecycleExpiration:DeleteMarkerCreated"
    case lifecycleTransition = "LifecycleTransition"
    case intelligentTiering = "IntelligentTiering"
    case objectACLPut = "ObjectAcl:Put"
    case objectTaggingPut = "ObjectTagging:Put"
    case objectTaggingDelete = "ObjectTagging:Delete"

    /// The structure of the message: the major version never changed, the minor one tells which kinds came later.
    /// (S3 User Guide, "Event message structure".)
    package var messageVersion: String {
        switch self {
        case .objectACLPut, .objectTaggingPut, .objectTaggingDelete, .lifecycleExpirationDelete,
            .lifecycleExpirationDeleteMarkerCreated, .lifecycleTransition, .intelligentTiering:
            "2.3"
        case .replicationOperationFailed, .replicationMissedThreshold, .replicationAfterThreshold, .replicationNotTracked:
            "2.2"
        default: "2.1"
        }
    }

    /// Whether the message says how large the object is, and where the event stands in the order of the key's events.
    package var tellsState: Bool {
        switch self {
        case .objectACLPut, .objectTaggingPut, .objectTaggingDelete: false
        default: true
        }
    }
}

extension EventName {
    /// The operation that causes the event, as the event bus names it.
    var reason: String {
        switch self {
        case .objectCreatedPut: "PutObject"
        case .objectCreatedPost: "POST Object"
        case .objectCreatedCopy: "CopyObject"
        case .objectCreatedCompleteMultipartUpload: "CompleteMultipartUpload"
        case .lifecycleExpirationDelete, .lifecycleExpirationDeleteMarkerCreated, .lifecycleTransition: "Lifecycle Expiration"
        default: "DeleteObject"
        }
    }
}

/// The events that a configuration asks for: one kind, or a family of kinds.
package struct EventPattern: Hashable, Sendable {
    /// `s3:ObjectCreated:*`
    package let text: String

    /// - Returns: `nil` if no event can fit.
    package init?(_ text: String) {
        self.text = text
        guard EventName.allCases.contains(where: matches) else { return nil }
    }

    /// Whether an event is one of those that the pattern names.
    package func matches(_ name: EventName) -> Bool {
        let own = "s3:\(name.rawValue)"
        guard text.hasSuffix(":*") else { return own == text }
        return own.hasPrefix(text.dropLast()) && text != "s3:*"
    }

    /// Whether an event can fit both.
    package func overlaps(_ other: EventPattern) -> Bool {
        EventName.allCases.contains { matches($0) && other.matches($0) }
    }
}
