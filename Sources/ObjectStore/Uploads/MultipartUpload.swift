package import WireFormats

/// What starts an upload in parts.
package struct NewUpload: Sendable {
    /// The key of the object to be.
    package var key: String
    /// The header fields and metadata of the object to be.
    package var attributes: ObjectAttributes
    /// The account of the owner.
    package var owner: String
    /// When the upload was initiated.
    package var initiated: Timestamp
    /// The checksum that every part will carry; nil when the client named none.
    package var checksumAlgorithm: Checksum.Algorithm?
    /// Whether the checksum is of the whole object or of the checksums of its parts.
    package var checksumCoverage: Checksum.Coverage
    /// Tags, lock, access control and encryption of the object to be.
    package var properties: ObjectProperties
    /// ARN of who starts it; `nil` if nobody asks.
    package var initiator: String?

    package init(
        key: String, attributes: ObjectAttributes = ObjectAttributes(), owner: String, initiated: Timestamp,
        checksumAlgorithm: Checksum.Algorithm? = nil, checksumCoverage: Checksum.Coverage = .composite,
        properties: ObjectProperties = ObjectProperties(), initiator: String? = nil
    ) {
        self.key = key
        self.attributes = attributes
        self.owner = owner
        self.initiated = initiated
        self.checksumAlgorithm = checksumAlgorithm
        self.checksumCoverage = checksumCoverage
        self.properties = properties
        self.initiator = initiator
    }
}

/// An upload in parts that has been neither completed nor aborted.
package struct MultipartUpload: Hashable, Sendable {
    /// The row in the database.
    let number: Int64
    /// 76 hexadecimal digits: 12 of the time it was started, so that identifiers sort by age, and 64 random ones.
    package let id: String
    /// The bucket.
    package let bucket: Bucket.ID
    /// The key of the object to be.
    package let key: String
    /// The header fields and metadata of the object to be.
    package let attributes: ObjectAttributes
    /// The account of the owner.
    package let owner: String
    /// When the upload was initiated.
    package let initiated: Timestamp
    /// The checksum that every part has, or `nil` if none was asked for.
    package let checksumAlgorithm: Checksum.Algorithm?
    /// Whether the checksum is of the whole object or of the checksums of its parts.
    package let checksumCoverage: Checksum.Coverage
    /// Of the object that the parts will make.
    package var properties: ObjectProperties
    /// ARN of who started it; `nil` if nobody asked.
    package let initiator: String?
    /// Whether the key led to an object when it was started.
    package let replaces: Bool
}

/// What a client says of a part that it uploads.
package struct NewPart: Sendable {
    /// 1 to 10,000.
    package var number: Int
    /// MD5 of the part, 16 bytes.
    package var md5: [UInt8]
    /// The checksums to keep.
    package var checksums: [Checksum]
    /// When the part is written.
    package var modified: Timestamp

    package init(number: Int, md5: [UInt8], checksums: [Checksum] = [], modified: Timestamp) {
        self.number = number
        self.md5 = md5
        self.checksums = checksums
        self.modified = modified
    }
}

/// A part that has been uploaded.
package struct StoredPart: Hashable, Sendable {
    /// The number of the part, 1 to 10,000.
    package let number: Int
    /// Bytes of the part.
    package let size: Int64
    /// The MD5 of the part.
    package let md5: [UInt8]
    /// The checksums of the part.
    package let checksums: [Checksum]
    /// When the part was written.
    package let modified: Timestamp
}

/// What completes an upload.
package struct UploadCompletion: Sendable {
    /// One part as the client names it.
    package struct Part: Sendable {
        /// The number of the part.
        package var number: Int
        /// The MD5 that the client expects.
        package var md5: [UInt8]
        /// Compared with the part's own when given.
        package var checksum: Checksum?

        package init(number: Int, md5: [UInt8], checksum: Checksum? = nil) {
            self.number = number
            self.md5 = md5
            self.checksum = checksum
        }
    }

    /// In the client's order, which must be ascending; not empty.
    package var parts: [Part]
    /// MD5 over the parts' MD5s, 16 bytes.
    package var md5: [UInt8]
    /// Of the whole object.
    package var checksums: [Checksum]
    /// When the object is written.
    package var modified: Timestamp
    /// What every part but the last must have; 5 MiB at S3.
    package var minimumPartSize: Int64

    package init(
        parts: [Part], md5: [UInt8], checksums: [Checksum] = [], modified: Timestamp, minimumPartSize: Int64 = 5 << 20
    ) {
        self.parts = parts
        self.md5 = md5
        self.checksums = checksums
        self.modified = modified
        self.minimumPartSize = minimumPartSize
    }
}
