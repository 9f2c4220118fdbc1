package import Calls
import Cloud
package import Federation
package import ObjectStore
import WireFormats

/// The changes of one request to the objects of a bucket, for all faces.
///
/// Every write and deletion by a client uses this type. It enforces the bucket's retention and its rules against overwriting in the
/// transaction of the change. Afterwards it sends the bucket's notifications. Errors are those of the store; each face converts them to its
/// own.
package struct ObjectChanges: Sendable {
    /// The bucket as visible in the service of the request.
    package let bucket: Bucket
    let call: Call
    /// The caller; `nil` for the bucket's owner.
    let caller: Caller?
    let events: EventOutbox

    /// Creates the changes of one request.
    /// - Parameters:
    ///   - caller: the caller in events; `nil` for the bucket's owner.
    ///   - events: sends bucket notifications.
    package init(in bucket: Bucket, by caller: Caller?, _ call: Call, events: EventOutbox) {
        self.bucket = bucket
        self.call = call
        self.caller = caller
        self.events = events
    }

    private var objects: ObjectStore { call.cloud.objects }

    /// Publishes a received body as an object.
    /// - Parameter event: the event that is sent.
    /// - Throws: the errors of ``ObjectStore/put(_:in:body:if:replacing:)``; `locked` and `overwritingForbidden` by the bucket's own rules.
    package func put(
        _ object: NewObject, body: BodyWriter, if precondition: Precondition = .none, as event: EventName = .objectCreatedPut
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.put(object, in: bucket.id, body: body, if: precondition, replacing: replacementCheck)
        sendEvent(event, record)
        return record
    }

    /// Creates an object with the body of another.
    /// - Throws: the errors of ``ObjectStore/copy(_:to:if:replacing:make:)``; `locked` and `overwritingForbidden` by the bucket's own
    ///   rules.
    package func copy(
        _ source: CopySource, if precondition: Precondition = .none,
        make: @escaping @Sendable (ObjectRecord) throws(ObjectStoreError) -> ObjectRecord
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.copy(source, to: bucket.id, if: precondition, replacing: replacementCheck, make: make)
        sendEvent(.objectCreatedCopy, record)
        return record
    }

    /// Creates an object from the parts of an upload.
    /// - Throws: the errors of ``ObjectStore/complete(_:with:if:replacing:)``; `locked` and `overwritingForbidden` by the bucket's own
    ///   rules.
    package func complete(
        _ upload: MultipartUpload, with completion: UploadCompletion, if precondition: Precondition = .none
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.complete(upload, with: completion, if: precondition, replacing: replacementCheck)
        sendEvent(.objectCreatedCompleteMultipartUpload, record)
        return record
    }

    /// Appends a received body to an object, or creates the object with it.
    /// - Throws: the errors of ``ObjectStore/append(_:at:in:body:extend:)``; `locked` if the object or the bucket is retained.
    package func append(
        _ object: NewObject, at position: Int64, body: BodyWriter,
        extend: @escaping @Sendable (inout ObjectRecord, Int64) throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let (clock, retains) = (call.cloud.clock, retentionCheck)
        let record = try await objects.append(
            object, at: position, in: bucket.id, body: body
        ) { record, size throws(ObjectStoreError) in
            if record.properties.lock.forbidsDeletion(by: clock, bypassingGovernance: false) { throw .locked }
            try retains?(record)
            try extend(&record, size)
        }
        sendEvent(.objectCreatedPut, record)
        return record
    }

    /// Changes the properties of an object.
    /// - Parameter event: the event that is sent; nil for a change without an event.
    /// - Throws: the errors of ``ObjectStore/update(_:version:in:_:)``.
    package func update(
        _ key: String, version: VersionSelector = .current, as event: EventName? = nil,
        _ change: @escaping @Sendable (inout ObjectRecord) throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.update(key, version: version, in: bucket.id, change)
        if let event { sendEvent(event, record) }
        return record
    }

    /// Deletes the current object under a key, or permanently deletes one of its versions.
    /// - Parameter terms: the result of ``deletionTerms(markersOf:bypassingGovernance:)``.
    /// - Throws: the errors of ``ObjectStore/delete(_:in:on:)-(KeyDeletion,_,_)``; `locked` if a lock or the bucket's retention protects
    ///   the object.
    package func delete(_ deletion: KeyDeletion, on terms: DeletionTerms) async throws(ObjectStoreError) -> Deletion {
        let done = try await objects.delete(deletion, in: bucket.id, on: terms)
        sendEvent(done, of: deletion)
        return done
    }

    /// Deletes several objects in one transaction. The failure of one does not affect the others.
    /// - Returns: the results in the order of `deletions`.
    package func delete(
        _ deletions: [KeyDeletion], on terms: DeletionTerms
    ) async throws(ObjectStoreError) -> [Result<Deletion, ObjectStoreError>] {
        let outcomes = try await objects.delete(deletions, in: bucket.id, on: terms)
        for (deletion, outcome) in zip(deletions, outcomes) {
            if case .success(let done) = outcome { sendEvent(done, of: deletion) }
        }
        return outcomes
    }
}
