import WireFormats

/// The event types of S3.
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

    /// The version of the message structure: the major version never changed, the minor one depends on the event type.
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

    /// Whether the message contains size and sequencer.
    package var includesState: Bool {
        switch self {
        case .objectACLPut, .objectTaggingPut, .objectTaggingDelete: false
        default: true
        }
    }
}

extension EventName {
    /// The operation that causes the event, as in EventBridge messages.
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

/// The events in a configuration: one type, or a family of types such as `s3:ObjectCreated:*`.
package struct EventPattern: Hashable, Sendable {
    /// The text in the configuration.
    package let text: String

    /// Parses the text.
    /// - Returns: `nil` if no event can match.
    package init?(_ text: String) {
        self.text = text
        guard EventName.allCases.contains(where: matches) else { return nil }
    }

    /// Whether the pattern matches an event.
    package func matches(_ name: EventName) -> Bool {
        let own = "s3:\(name.rawValue)"
        guard text.hasSuffix(":*") else { return own == text }
        return own.hasPrefix(text.dropLast()) && text != "s3:*"
    }

    /// Whether an event can match both patterns.
    package func overlaps(_ other: EventPattern) -> Bool {
        EventName.allCases.contains { matches($0) && other.matches($0) }
    }
}
