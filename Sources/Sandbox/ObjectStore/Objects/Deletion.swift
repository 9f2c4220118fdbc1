package import WireFormats

/// A request to delete an object or a version.
package struct KeyDeletion: Sendable {
    /// The key.
    package var key: String
    /// The version to delete. Deleting the current one in a bucket with versioning creates a delete marker.
    package var version: VersionSelector
    /// The precondition, which is checked on the selected object or version.
    package var precondition: Precondition

    package init(key: String, version: VersionSelector = .current, if precondition: Precondition = .none) {
        self.key = key
        self.version = version
        self.precondition = precondition
    }
}

/// The result of a deletion.
package struct Deletion: Hashable, Sendable {
    /// Whether there was an object or version that was deleted or hidden.
    package var existed: Bool
    /// The version that was permanently deleted, or the new delete marker; `nil` if there is neither.
    package var version: ObjectVersion?
    /// Whether ``version`` is a delete marker.
    package var isDeleteMarker: Bool

    static let nothing = Deletion(existed: false, version: nil, isDeleteMarker: false)
}

/// The checks before a deletion, and the data of its delete markers.
package struct DeletionTerms: Sendable {
    /// The time of the deletion, which delete markers get.
    package var modified: Timestamp
    /// The owner of delete markers.
    package var owner: String
    /// The check before an object is permanently deleted; `nil` for none.
    package var check: ReplacementCheck?

    package init(modified: Timestamp, owner: String, check: ReplacementCheck? = nil) {
        self.modified = modified
        self.owner = owner
        self.check = check
    }
}
