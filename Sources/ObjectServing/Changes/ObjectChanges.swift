package import Calls
import Cloud
package import Federation
package import ObjectStore

/// The changes that one request makes to the objects of a bucket, by whichever door it came in.
///
/// Every write and every deletion of a client goes through here. What the bucket's owner was promised holds at all doors: what the bucket
/// retains is neither replaced nor taken away, and its rules against overwriting are kept, both judged in the transaction that makes the
/// change. Afterwards those are told who want to hear of it. Refusals are the store's; each door puts them in its own words.
package struct ObjectChanges: Sendable {
    /// As the door shows it.
    package let bucket: Bucket
    let call: Call
    /// Nothing for the bucket's owner.
    let caller: Caller?
    let events: EventOutbox

    /// - Parameters:
    ///   - caller: who is behind the change, as events tell it; `nil` for the bucket's owner.
    ///   - events: takes what the bucket tells others of.
    package init(in bucket: Bucket, by caller: Caller?, _ call: Call, events: EventOutbox) {
        self.bucket = bucket
        self.call = call
        self.caller = caller
        self.events = events
    }

    private var objects: ObjectStore { call.cloud.objects }

    /// Publishes a received body as an object.
    /// - Parameter event: the event that is sent.
    /// - Throws: as ``ObjectStore/put(_:in:body:if:replacing:)``; `locked` and `overwritingForbidden` by the bucket's own rules.
    package func put(
        _ object: NewObject, body: BodyWriter, if precondition: Precondition = .none, as event: EventName = .objectCreatedPut
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.put(object, in: bucket.id, body: body, if: precondition, replacing: replacementCheck)
        tell(event, record)
        return record
    }

    /// Makes an object with the body of another.
    /// - Throws: as ``ObjectStore/copy(_:to:if:replacing:make:)``; `locked` and `overwritingForbidden` by the bucket's own rules.
    package func copy(
        _ source: CopySource, if precondition: Precondition = .none,
        make: @escaping @Sendable (ObjectRecord) throws(ObjectStoreError) -> ObjectRecord
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.copy(source, to: bucket.id, if: precondition, replacing: replacementCheck, make: make)
        tell(.objectCreatedCopy, record)
        return record
    }

    /// Makes an object of the parts of an upload.
    /// - Throws: as ``ObjectStore/complete(_:with:if:replacing:)``; `locked` and `overwritingForbidden` by the bucket's own rules.
    package func complete(
        _ upload: MultipartUpload, with completion: UploadCompletion, if precondition: Precondition = .none
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.complete(upload, with: completion, if: precondition, replacing: replacementCheck)
        tell(.objectCreatedCompleteMultipartUpload, record)
        return record
    }

    /// Adds a received body to the end of an object, or makes the object of it.
    /// - Throws: as ``ObjectStore/append(_:at:in:body:extend:)``; `locked` where the object or the bucket is retained.
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
        tell(.objectCreatedPut, record)
        return record
    }

    /// Changes what an object has beside its body.
    /// - Parameter event: the event that is sent; nil for a change without an event.
    /// - Throws: as ``ObjectStore/update(_:version:in:_:)``.
    package func update(
        _ key: String, version: VersionSelector = .current, as event: EventName? = nil,
        _ change: @escaping @Sendable (inout ObjectRecord) throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let record = try await objects.update(key, version: version, in: bucket.id, change)
        if let event { tell(event, record) }
        return record
    }

    /// Deletes what a key leads to, or one of its versions for good.
    /// - Parameter terms: of ``deletionTerms(markersOf:bypassingGovernance:)``.
    /// - Throws: as ``ObjectStore/delete(_:in:on:)-(KeyDeletion,_,_)``; `locked` where a lock or the bucket keeps the object.
    package func delete(_ deletion: KeyDeletion, on terms: DeletionTerms) async throws(ObjectStoreError) -> Deletion {
        let done = try await objects.delete(deletion, in: bucket.id, on: terms)
        tell(done, of: deletion)
        return done
    }

    /// Deletes several in one transaction. One that is refused does not hinder the others.
    /// - Returns: for each, in its place, what happened.
    package func delete(
        _ deletions: [KeyDeletion], on terms: DeletionTerms
    ) async throws(ObjectStoreError) -> [Result<Deletion, ObjectStoreError>] {
        let outcomes = try await objects.delete(deletions, in: bucket.id, on: terms)
        for (deletion, outcome) in zip(deletions, outcomes) {
            if case .success(let done) = outcome { tell(done, of: deletion) }
        }
        return outcomes
    }
}
