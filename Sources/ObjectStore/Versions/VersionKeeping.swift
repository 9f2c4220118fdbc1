import SQLite
import WireFormats

/// The steps by which versions come and go; all of them run inside a transaction.
extension Connection {
    /// The newest of a key's replaced objects and delete markers.
    func newestVersion(of key: Value, in bucket: Bucket.ID) throws -> Occupant? {
        try first(VersionStatement.newest.text, .integer(bucket.number), key, row: Occupant.init(version:))
    }

    /// The version that is meant, among those that are not what the key leads to now.
    func version(_ selector: VersionSelector, of key: Value, in bucket: Bucket.ID) throws -> Occupant? {
        switch selector {
        case .current: nil
        case .null: try first(VersionStatement.null.text, .integer(bucket.number), key, row: Occupant.init(version:))
        case .sequence(let sequence):
            try first(
                VersionStatement.find.text, .integer(bucket.number), key, .integer(sequence), row: Occupant.init(version:))
        }
    }

    /// Makes room for a new version of a key: keeps what must be kept and removes a null version that the new one replaces.
    /// - Returns: the occupant, if its row and body are to be replaced by the new ones.
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

    /// Puts a delete marker above everything under a key.
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

    /// Removes the object that a key leads to.
    func removeObject(_ occupant: Occupant, of key: Value, in bucket: Bucket.ID, released: inout [ContentID]) throws {
        try removeBody(of: occupant, released: &released)
        try run(ObjectStatement.delete.text, .integer(bucket.number), key)
    }

    /// Removes a version that is not what its key leads to.
    func removeVersion(_ version: Occupant, of key: Value, in bucket: Bucket.ID, released: inout [ContentID]) throws {
        try removeBody(of: version, released: &released)
        try run(VersionStatement.delete.text, .integer(bucket.number), key, .integer(version.version.sequence))
    }

    /// Lets a key that leads to nothing lead to its newest version, unless that is a delete marker.
    func restoreNewest(of key: Value, in bucket: Bucket.ID) throws {
        guard let newest = try newestVersion(of: key, in: bucket), !newest.isDeleteMarker else { return }
        try run(VersionStatement.restore.text, .integer(bucket.number), key, .integer(newest.version.sequence))
        try run(VersionStatement.delete.text, .integer(bucket.number), key, .integer(newest.version.sequence))
    }
}
