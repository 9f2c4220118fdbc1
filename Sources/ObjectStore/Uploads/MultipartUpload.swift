package import WireFormats

/// What starts an upload in parts.
package struct NewUpload: Sendable {
    package var key: String
    package var attributes: ObjectAttributes
    package var owner: String
    package var initiated: Timestamp
    /// The checksum that every part will carry; nil when the client named none.
    package var checksumAlgorithm: Checksum.Algorithm?
    package var checksumCoverage: Checksum.Coverage
    package var properties: ObjectProperties
    /// ARN of who starts it; nothing where nobody asks.
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
    package let bucket: Bucket.ID
    package let key: String
    package let attributes: ObjectAttributes
    package let owner: String
    package let initiated: Timestamp
    package let checksumAlgorithm: Checksum.Algorithm?
    package let checksumCoverage: Checksum.Coverage
    /// Of the object that the parts will make.
    package var properties: ObjectProperties
    /// ARN of who started it; nothing where nobody asked.
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
    package var checksums: [Checksum]
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
    package let number: Int
    /// Bytes of the part.
    package let size: Int64
    package let md5: [UInt8]
    package let checksums: [Checksum]
    package let modified: Timestamp
}

/// What completes an upload.
package struct UploadCompletion: Sendable {
    /// One part as the client names it.
    package struct Part: Sendable {
        package var number: Int
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
