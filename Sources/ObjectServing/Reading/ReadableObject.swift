package import ObjectStore

/// The result of finding an object: the object with its content, or its record alone.
package protocol ReadableObject {
    /// The object's record.
    var record: ObjectRecord { get }
    /// The object with its content and parts; `nil` if only the record was read.
    var stored: StoredObject? { get }

    /// Finds a key, or one of its versions.
    static func find(
        _ key: String, _ version: VersionSelector, in bucket: Bucket.ID, of objects: ObjectStore
    ) throws(ObjectStoreError) -> Found<Self>
}

extension StoredObject: ReadableObject {
    /// The object.
    package var stored: StoredObject? { self }

    /// Opens the object under a key, or one of its versions.
    package static func find(
        _ key: String, _ version: VersionSelector, in bucket: Bucket.ID, of objects: ObjectStore
    ) throws(ObjectStoreError) -> Found<StoredObject> {
        try objects.open(key, version: version, in: bucket)
    }
}

extension ObjectRecord: ReadableObject {
    /// The record.
    package var record: ObjectRecord { self }
    /// Always `nil`, because the content was not read.
    package var stored: StoredObject? { nil }

    /// Reads the record of the object under a key, or of one of its versions.
    package static func find(
        _ key: String, _ version: VersionSelector, in bucket: Bucket.ID, of objects: ObjectStore
    ) throws(ObjectStoreError) -> Found<ObjectRecord> {
        try objects.head(key, version: version, in: bucket)
    }
}
