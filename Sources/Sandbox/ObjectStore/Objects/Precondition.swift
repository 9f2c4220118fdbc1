import WireFormats

/// Checks an object that a write would permanently replace or delete, inside the transaction of the write. Throws an error if the write is
/// not allowed, such as ``ObjectStoreError/locked``.
package typealias ReplacementCheck = @Sendable (ObjectRecord) throws(ObjectStoreError) -> Void

/// A condition on the current object of a key, checked inside the transaction of the write. A delete marker is not an object.
/// (S3 User Guide, "Conditional writes"; RFC 9110 section 13.1.)
package enum Precondition: Hashable, Sendable {
    case none
    /// `If-None-Match: *`: there must be no object, else ``ObjectStoreError/preconditionFailed``.
    case ifNoneMatchAny
    /// `If-None-Match`: an existing object must not have this tag, else ``ObjectStoreError/preconditionFailed``.
    case ifNoneMatch(EntityTag)
    /// `If-Match: *`: there must be an object, else ``ObjectStoreError/noSuchKey``.
    case ifMatchAny
    /// `If-Match`: the object must exist, else ``ObjectStoreError/noSuchKey``, and have this tag, else
    /// ``ObjectStoreError/preconditionFailed``.
    case ifMatch(EntityTag)

    func check(_ entityTag: EntityTag?) throws(ObjectStoreError) {
        switch self {
        case .none: break
        case .ifNoneMatchAny: if entityTag != nil { throw .preconditionFailed }
        case .ifNoneMatch(let tag): if entityTag == tag { throw .preconditionFailed }
        case .ifMatchAny: if entityTag == nil { throw .noSuchKey }
        case .ifMatch(let tag):
            guard let entityTag else { throw .noSuchKey }
            if entityTag != tag { throw .preconditionFailed }
        }
    }
}
