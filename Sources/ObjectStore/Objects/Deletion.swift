package import WireFormats

/// What a delete is about.
package struct KeyDeletion: Sendable {
    /// The key.
    package var key: String
    /// The version to delete; the current one is hidden by a delete marker in a bucket with versions.
    package var version: VersionSelector
    /// Judged on the object that the key leads to, or on the version that is meant.
    package var precondition: Precondition

    package init(key: String, version: VersionSelector = .current, if precondition: Precondition = .none) {
        self.key = key
        self.version = version
        self.precondition = precondition
    }
}

/// What a delete did.
package struct Deletion: Hashable, Sendable {
    /// Whether there was something that it took away or covered.
    package var existed: Bool
    /// The version that was taken away for good, or the delete marker that was made; nil where nothing of the kind happened.
    package var version: ObjectVersion?
    /// Whether ``version`` is a delete marker.
    package var isDeleteMarker: Bool

    static let nothing = Deletion(existed: false, version: nil, isDeleteMarker: false)
}

/// What may stand in the way of a delete, and what its markers say.
package struct DeletionTerms: Sendable {
    /// When, as a delete marker will say.
    package var modified: Timestamp
    /// Who owns a delete marker.
    package var owner: String
    /// `nil` if every object may be taken away.
    package var check: ReplacementCheck?

    package init(modified: Timestamp, owner: String, check: ReplacementCheck? = nil) {
        self.modified = modified
        self.owner = owner
        self.check = check
    }
}
