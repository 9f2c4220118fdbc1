package import ObjectStore

/// An object as a read finds it: with its content, or its record alone.
package protocol ReadableObject {
    /// What is known of the object.
    var record: ObjectRecord { get }
    /// The object with its content and parts; `nil` where the record alone was read.
    var stored: StoredObject? { get }

    /// Reads what a key, or one of its versions, leads to.
    static func find(
        _ key: String, _ version: VersionSelector, in bucket: Bucket.ID, of objects: ObjectStore
    ) throws(ObjectStoreError) -> Found<Self>
}

extension StoredObject: ReadableObject {
    /// The object.
    package var stored: StoredObject? { self }

    /// Opens what a key, or one of its versions, leads to.
    package static func find(
        _ key: String, _ version: VersionSelector, in bucket: Bucket.ID, of objects: ObjectStore
    ) throws(ObjectStoreError) -> Found<StoredObject> {
        try objects.open(key, version: version, in: bucket)
    }
}

extension ObjectRecord: ReadableObject {
    /// The record.
    package var record: ObjectRecord { self }
    /// Nothing: the content was not read.
    package var stored: StoredObject? { nil }

    /// Reads the record of what a key, or one of its versions, leads to.
    package static func find(
        _ key: String, _ version: VersionSelector, in bucket: Bucket.ID, of objects: ObjectStore
    ) throws(ObjectStoreError) -> Found<ObjectRecord> {
        try objects.head(key, version: version, in: bucket)
    }
}
