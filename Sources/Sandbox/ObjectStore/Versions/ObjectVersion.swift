package import WireFormats

/// The identity of a version of a key. (S3 User Guide, "Retaining multiple versions of objects with S3 Versioning".)
package struct ObjectVersion: Hashable, Sendable {
    /// A number that increases with each object and delete marker of a key, and is never reused for the key.
    package let sequence: Int64
    /// Whether it was written while versioning was not enabled. A key has at most one such version: the *null version*.
    package let isNull: Bool

    package init(sequence: Int64, isNull: Bool) {
        self.sequence = sequence
        self.isNull = isNull
    }
}

/// A selection of a version of a key.
package enum VersionSelector: Hashable, Sendable {
    /// The latest version, which may be a delete marker.
    case current
    case null
    case sequence(Int64)
}

/// The result of looking up a key or one of its versions.
package enum Found<Object> {
    case object(Object)
    /// A delete marker, written at `modified`.
    case deleteMarker(ObjectVersion, modified: Timestamp)
    case nothing
}

extension Found {
    /// The object, if there is one.
    package var object: Object? { if case .object(let object) = self { object } else { nil } }
}

extension Found: Sendable where Object: Sendable {}

/// The versioning state of a bucket.
package enum Versioning: Int64, Hashable, Sendable {
    /// Versioning was never enabled.
    case never = 0
    case enabled = 1
    /// Existing versions are kept; new objects replace the null version.
    case suspended = 2
}
