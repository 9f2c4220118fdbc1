package import WireFormats

/// The data for starting a multipart upload.
package struct NewUpload: Sendable {
    /// The key of the resulting object.
    package var key: String
    /// The headers and metadata of the resulting object.
    package var attributes: ObjectAttributes
    /// The account of the owner.
    package var owner: String
    /// When the upload was initiated.
    package var initiated: Timestamp
    /// The checksum algorithm of the parts; `nil` if the client did not specify one.
    package var checksumAlgorithm: Checksum.Algorithm?
    /// Whether the checksum covers the whole object or the checksums of its parts.
    package var checksumCoverage: Checksum.Coverage
    /// Tags, lock, access control and encryption of the resulting object.
    package var properties: ObjectProperties
    /// The ARN of the caller that starts the upload; `nil` if it is not needed.
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

/// A multipart upload that is neither completed nor aborted.
package struct MultipartUpload: Hashable, Sendable {
    /// The row in the database.
    let number: Int64
    /// The upload ID: 76 hexadecimal digits. The first 12 are the start time, so that IDs sort by age; the other 64 are random.
    package let id: String
    /// The bucket.
    package let bucket: Bucket.ID
    /// The key of the resulting object.
    package let key: String
    /// The headers and metadata of the resulting object.
    package let attributes: ObjectAttributes
    /// The account of the owner.
    package let owner: String
    /// When the upload was initiated.
    package let initiated: Timestamp
    /// The checksum algorithm of the parts, or `nil` if none was specified.
    package let checksumAlgorithm: Checksum.Algorithm?
    /// Whether the checksum covers the whole object or the checksums of its parts.
    package let checksumCoverage: Checksum.Coverage
    /// The properties of the resulting object.
    package var properties: ObjectProperties
    /// The ARN of the caller that started the upload; `nil` if it was not stored.
    package let initiator: String?
    /// Whether the key had a current object when the upload was started.
    package let replaces: Bool
}

/// The data of a part, without its body.
package struct NewPart: Sendable {
    /// The part number, 1 to 10,000.
    package var number: Int
    /// MD5 of the part, 16 bytes.
    package var md5: [UInt8]
    /// The checksums to store.
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
    /// The size of the part, in bytes.
    package let size: Int64
    /// The MD5 of the part.
    package let md5: [UInt8]
    /// The checksums of the part.
    package let checksums: [Checksum]
    /// When the part was written.
    package let modified: Timestamp
}

/// The data for completing a multipart upload.
package struct UploadCompletion: Sendable {
    /// A part in the client's request.
    package struct Part: Sendable {
        /// The number of the part.
        package var number: Int
        /// The MD5 that the client expects.
        package var md5: [UInt8]
        /// The checksum that the client expects; `nil` if it sent none.
        package var checksum: Checksum?

        package init(number: Int, md5: [UInt8], checksum: Checksum? = nil) {
            self.number = number
            self.md5 = md5
            self.checksum = checksum
        }
    }

    /// The parts in the client's order, which must be ascending; not empty.
    package var parts: [Part]
    /// The MD5 of the parts' MD5s, 16 bytes.
    package var md5: [UInt8]
    /// The checksums of the whole object.
    package var checksums: [Checksum]
    /// When the object is written.
    package var modified: Timestamp
    /// The minimum size of every part except the last; 5 MiB at S3.
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
