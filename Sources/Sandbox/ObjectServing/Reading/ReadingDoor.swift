package import ObjectStore
import WireFormats

/// The part of a read that differs between faces: authorization, and the error for each refusal.
package protocol ReadingDoor: Sendable {
    /// The error type of the face.
    associatedtype Failure: Error

    /// The rules in which the real services differ.
    var policy: ReadPolicy { get }

    /// Checks the caller's permission to read an object.
    func permit(_ record: ObjectRecord) throws(Failure)

    /// Checks the caller's permission to read a key under which there is no object, or a delete marker.
    func permitAbsence() throws(Failure)

    /// Checks the customer key in the request. By default, objects with a customer key are refused.
    func checkCustomerKey(of record: ObjectRecord) throws(Failure)

    /// Returns whether objects of an archive class can be read without being restored. The default is false.
    func readsDirectly(_ storageClass: StorageClass) throws(Failure) -> Bool

    /// Returns the face's error for a refusal.
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
