package import WireFormats

/// One of the objects that a key has had. (S3 User Guide, "Retaining multiple versions of objects with S3 Versioning".)
package struct ObjectVersion: Hashable, Sendable {
    /// Grows with each object and delete marker written under a key; never given twice under one key.
    package let sequence: Int64
    /// Whether it was written while the bucket kept no versions. A key has at most one such: the *null version*.
    package let isNull: Bool

    package init(sequence: Int64, isNull: Bool) {
        self.sequence = sequence
        self.isNull = isNull
    }
}

/// Which version of a key is meant.
package enum VersionSelector: Hashable, Sendable {
    /// The one that was written last, which may be a delete marker.
    case current
    case null
    case sequence(Int64)
}

/// What a key or one of its versions leads to.
package enum Found<Object> {
    case object(Object)
    /// A marker that stands for the deletion of the key, effective since `modified`.
    case deleteMarker(ObjectVersion, modified: Timestamp)
    case nothing
}

extension Found {
    /// The object, if it is one.
    package var object: Object? { if case .object(let object) = self { object } else { nil } }
}

extension Found: Sendable where Object: Sendable {}

/// How a bucket treats the objects that a write replaces.
package enum Versioning: Int64, Hashable, Sendable {
    /// Versions were never kept.
    case never = 0
    case enabled = 1
    /// Versions stay, new objects replace the null version.
    case suspended = 2
}
