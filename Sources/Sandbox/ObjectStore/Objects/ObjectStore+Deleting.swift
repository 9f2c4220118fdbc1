import SQLite
import WireFormats

extension ObjectStore {
    /// Deletes the current object of a key, or permanently deletes one of its versions. In a bucket with versioning, deleting the current
    /// object only creates a delete marker.
    /// - Throws: ``ObjectStoreError``: the precondition's errors, `noSuchBucket`, and the errors of the terms' check.
    @discardableResult
    package func delete(
        _ deletion: KeyDeletion, in bucket: Bucket.ID, on terms: DeletionTerms
    ) async throws(ObjectStoreError) -> Deletion {
        let sequences = sequences
        return try await write { connection -> (done: Deletion, released: [ContentID]) in
            var released: [ContentID] = []
            let done = try connection.delete(deletion, in: bucket, on: terms, sequences: sequences, released: &released)
            return (done, released)
        } committed: {
            self.contents.release($0.released)
        }.done
    }

    /// Deletes several objects in one transaction. If one deletion is rejected, the others still run.
    /// - Returns: the results, in the order of `deletions`.
    package func delete(
        _ deletions: [KeyDeletion], in bucket: Bucket.ID, on terms: DeletionTerms
    ) async throws(ObjectStoreError) -> [Result<Deletion, ObjectStoreError>] {
        let sequences = sequences
        return try await write { connection -> (done: [Result<Deletion, ObjectStoreError>], released: [ContentID]) in
            var released: [ContentID] = []
            let done = try deletions.map { deletion -> Result<Deletion, ObjectStoreError> in
                // An error is thrown before any change, so there is nothing to undo.
                do {
                    return .success(
                        try connection.delete(deletion, in: bucket, on: terms, sequences: sequences, released: &released))
                } catch let error as ObjectStoreError {
                    return .failure(error)
                }
            }
            return (done, released)
        } committed: {
            self.contents.release($0.released)
        }.done
    }
}

extension Connection {
    fileprivate func delete(
        _ deletion: KeyDeletion, in bucket: Bucket.ID, on terms: DeletionTerms, sequences: VersionSequences,
        released: inout [ContentID]
    ) throws -> Deletion {
        let key = deletion.key.keyColumn
        let occupant = try occupant(of: key, in: bucket)
        if deletion.version == .current {
            try deletion.precondition.check(occupant?.entityTag)
            let versioning = try versioning(of: bucket)
            guard versioning == .never else {
                let marker = try placeMarker(
                    over: key, occupant, in: bucket, versioning, modified: terms.modified, owner: terms.owner,
                    sequences: sequences, released: &released)
                return Deletion(existed: occupant != nil, version: marker, isDeleteMarker: true)
            }
            guard let occupant else { return .nothing }
            try check(deletion, in: bucket, on: terms)
            try removeObject(occupant, of: key, in: bucket, released: &released)
            return Deletion(existed: true, version: nil, isDeleteMarker: false)
        }
        if let occupant, deletion.version.selects(occupant.version) {
            try deletion.precondition.check(occupant.entityTag)
            try check(deletion, in: bucket, on: terms)
            try removeObject(occupant, of: key, in: bucket, released: &released)
            try restoreNewest(of: key, in: bucket)
            return Deletion(existed: true, version: occupant.version, isDeleteMarker: false)
        }
        guard let version = try version(deletion.version, of: key, in: bucket) else {
            try deletion.precondition.check(nil)
            return .nothing
        }
        try deletion.precondition.check(version.isDeleteMarker ? nil : version.entityTag)
        if !version.isDeleteMarker { try check(deletion, in: bucket, on: terms) }
        try removeVersion(version, of: key, in: bucket, released: &released)
        if occupant == nil { try restoreNewest(of: key, in: bucket) }
        return Deletion(existed: true, version: version.version, isDeleteMarker: version.isDeleteMarker)
    }

    private func check(_ deletion: KeyDeletion, in bucket: Bucket.ID, on terms: DeletionTerms) throws {
        guard let check = terms.check, case .object(let record) = try headed(deletion.key, deletion.version, in: bucket) else { return }
        try check(record)
    }
}
