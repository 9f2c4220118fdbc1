import SQLite
import WireFormats

/// The steps that create and delete versions. All of them run inside a transaction.
extension Connection {
    /// Returns the newest of a key's replaced objects and delete markers.
    func newestVersion(of key: Value, in bucket: Bucket.ID) throws -> Occupant? {
        try first(VersionStatement.newest.text, .integer(bucket.number), key, row: Occupant.init(version:))
    }

    /// Returns the selected version, if it is not the current object.
    func version(_ selector: VersionSelector, of key: Value, in bucket: Bucket.ID) throws -> Occupant? {
        switch selector {
        case .current: nil
        case .null: try first(VersionStatement.null.text, .integer(bucket.number), key, row: Occupant.init(version:))
        case .sequence(let sequence):
            try first(
                VersionStatement.find.text, .integer(bucket.number), key, .integer(sequence), row: Occupant.init(version:))
        }
    }

    /// Prepares a key for a new version: keeps the current object as a version if needed, and removes a null version that is replaced.
    /// - Returns: the occupant, if the new version replaces its row and body.
    func makeRoom(
        for key: Value, over occupant: Occupant?, in bucket: Bucket.ID, _ versioning: Versioning, released: inout [ContentID]
    ) throws -> Occupant? {
        switch versioning {
        case .never: return occupant
        case .enabled:
            if occupant != nil { try run(VersionStatement.retire.text, .integer(bucket.number), key) }
            return nil
        case .suspended:
            if let occupant, occupant.version.isNull { return occupant }
            if occupant != nil { try run(VersionStatement.retire.text, .integer(bucket.number), key) }
            if let null = try version(.null, of: key, in: bucket) {
                try removeVersion(null, of: key, in: bucket, released: &released)
            }
            return nil
        }
    }

    /// Creates a delete marker as the latest version of a key.
    func placeMarker(
        over key: Value, _ occupant: Occupant?, in bucket: Bucket.ID, _ versioning: Versioning, modified: Timestamp, owner: String,
        sequences: VersionSequences, released: inout [ContentID]
    ) throws -> ObjectVersion {
        let newest = try occupant?.version.sequence ?? newestVersion(of: key, in: bucket)?.version.sequence
        let replaced = try makeRoom(for: key, over: occupant, in: bucket, versioning, released: &released)
        if let replaced { try removeBody(of: replaced, released: &released) }
        if occupant != nil { try run(ObjectStatement.delete.text, .integer(bucket.number), key) }
        let version = ObjectVersion(
            sequence: sequences.next(at: modified, after: newest), isNull: versioning == .suspended)
        try run(
            VersionStatement.insertMarker.text, .integer(bucket.number), key, .integer(version.sequence),
            .integer(version.isNull ? 1 : 0), .integer(modified.milliseconds), .text(owner))
        return version
    }

    /// Deletes the current object of a key.
    func removeObject(_ occupant: Occupant, of key: Value, in bucket: Bucket.ID, released: inout [ContentID]) throws {
        try removeBody(of: occupant, released: &released)
        try run(ObjectStatement.delete.text, .integer(bucket.number), key)
    }

    /// Deletes a version that is not the current object of its key.
    func removeVersion(_ version: Occupant, of key: Value, in bucket: Bucket.ID, released: inout [ContentID]) throws {
        try removeBody(of: version, released: &released)
        try run(VersionStatement.delete.text, .integer(bucket.number), key, .integer(version.version.sequence))
    }

    /// Makes the newest version of a key without a current object the current one, unless it is a delete marker.
    func restoreNewest(of key: Value, in bucket: Bucket.ID) throws {
        guard let newest = try newestVersion(of: key, in: bucket), !newest.isDeleteMarker else { return }
        try run(VersionStatement.restore.text, .integer(bucket.number), key, .integer(newest.version.sequence))
        try run(VersionStatement.delete.text, .integer(bucket.number), key, .integer(newest.version.sequence))
    }
}
