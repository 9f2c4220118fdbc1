import Calls
package import ObjectStore
package import WireFormats

extension BucketEvent {
    /// Creates the event of a deletion.
    /// - Parameters:
    ///   - version: the version that the client specified, if any.
    ///   - now: the time of the deletion.
    /// - Returns: `nil` if no version was deleted.
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

    /// The MD5 of zero bytes, which is the ETag of a delete marker.
    private static let emptyTag = "d41d8cd98f00b204e9800998ecf8427e"

    /// Returns the sequence number of an event without a version: after all versions created in the same millisecond.
    package static func sequence(at time: Timestamp) -> Int64 { time.milliseconds * 1000 + 999 }
}

extension BucketEvent.Object {
    /// Describes an existing object.
    package init(_ record: ObjectRecord, in bucket: Bucket) {
        self.init(
            key: record.key, size: record.size, entityTag: record.entityTag.text,
            versionID: bucket.versionID(record.version, of: record.key), sequence: record.version.sequence)
    }
}

extension Bucket {
    /// Returns the version ID in messages; `nil` if versioning was never enabled, and for the null version while versioning is suspended.
    /// (S3 User Guide, "Event message structure", `versionId`.)
    package func versionID(_ version: ObjectVersion, of key: String) -> String? {
        switch configuration.versioning {
        case .never: nil
        case .enabled: VersionID.text(version, of: key)
        case .suspended: version.isNull ? nil : VersionID.text(version, of: key)
        }
    }

    /// The region of the bucket; ``region`` is its location constraint.
    package var regionName: String { Self.regionName(of: region) }

    /// Returns the region for a location constraint. (S3 API Reference, GetBucketLocation.)
    package static func regionName(of constraint: String) -> String {
        switch constraint {
        case "": "us-east-1"
        case "EU": "eu-west-1"
        default: constraint
        }
    }
}
