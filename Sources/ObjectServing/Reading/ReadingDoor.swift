package import ObjectStore

/// What a door of the object store adds to a read: authorization, and its words for each refusal.
package protocol ReadingDoor: Sendable {
    /// The door's error.
    associatedtype Failure: Error

    /// The door's choices where the real services differ.
    var policy: ReadPolicy { get }

    /// Checks that the caller may read an object.
    func permit(_ record: ObjectRecord) throws(Failure)

    /// Checks that the caller may read, where nothing, or a delete marker, was found.
    func permitAbsence() throws(Failure)

    /// Checks the customer key that the request presents for an object. By default the door takes no keys.
    func checkCustomerKey(of record: ObjectRecord) throws(Failure)

    /// Returns whether the bucket's owner lets objects of an archive class be read without a restored copy. By default not.
    func readsDirectly(_ storageClass: StorageClass) throws(Failure) -> Bool

    /// Returns the door's error for a refusal.
    func error(for refusal: ReadRefusal) -> Failure
}

extension ReadingDoor {
    /// Refuses every object that is encrypted with a customer key.
    package func checkCustomerKey(of record: ObjectRecord) throws(Failure) {
        if record.properties.encryption?.scheme == .customer { throw error(for: .customerKey) }
    }

    /// Returns false.
    package func readsDirectly(_ storageClass: StorageClass) throws(Failure) -> Bool { false }
}
