import Calls
package import ObjectStore
package import WireFormats

extension BucketEvent {
    /// What a delete is told as.
    /// - Parameters:
    ///   - version: the version that the client named, if it named one.
    ///   - now: when the delete was done.
    /// - Returns: nothing for one that found no version to delete.
    package init?(
        _ deletion: Deletion, of key: String, version: VersionSelector = .current, in bucket: Bucket, at now: Timestamp, by cause: Cause
    ) {
        guard version == .current || deletion.existed else { return nil }
        let makesMarker = version == .current && deletion.isDeleteMarker
        let usual = Self.sequence(at: now)
        self.init(
            makesMarker ? .objectRemovedDeleteMarkerCreated : .objectRemovedDelete,
            of: Object(
                key: key, entityTag: makesMarker ? Self.emptyTag : nil,
                versionID: deletion.version.flatMap { bucket.versionID($0, of: key) },
                sequence: makesMarker ? deletion.version?.sequence ?? usual : usual),
            in: bucket, at: now, by: cause)
    }

    /// MD5 of nothing, which is what a delete marker holds.
    private static let emptyTag = "d41d8cd98f00b204e9800998ecf8427e"

    /// Where an event stands that made no version: behind every version made in the same millisecond.
    package static func sequence(at time: Timestamp) -> Int64 { time.milliseconds * 1000 + 999 }
}

extension BucketEvent.Object {
    /// One that is there.
    package init(_ record: ObjectRecord, in bucket: Bucket) {
        self.init(
            key: record.key, size: record.size, entityTag: record.entityTag.text,
            versionID: bucket.versionID(record.version, of: record.key), sequence: record.version.sequence)
    }
}

extension Bucket {
    /// A version as messages name it; nothing in a bucket that never kept versions, and for the null version of one that keeps
    /// no new ones. (S3 User Guide, "Event message structure", `versionId`.)
    package func versionID(_ version: ObjectVersion, of key: String) -> String? {
        switch configuration.versioning {
        case .never: nil
        case .enabled: VersionID.text(version, of: key)
        case .suspended: version.isNull ? nil : VersionID.text(version, of: key)
        }
    }

    /// The region that the bucket is in; ``region`` is the constraint that it was made with.
    package var regionName: String { Self.regionName(of: region) }

    /// The region that a location constraint means. (S3 API Reference, GetBucketLocation.)
    package static func regionName(of constraint: String) -> String {
        switch constraint {
        case "": "us-east-1"
        case "EU": "eu-west-1"
        default: constraint
        }
    }
}
