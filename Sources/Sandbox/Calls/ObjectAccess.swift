/// What a call through another door than a bucket's own does in a bucket, for the access logs of the bucket.
package struct ObjectAccess: Hashable, Sendable {
    /// What the call does.
    package enum Kind: Hashable, Sendable {
        case read
        case head
        case write
        case delete
        case list
        /// Reads what is known of the bucket.
        case describe
    }

    /// The bucket's name.
    package var bucket: String
    /// `nil` for the bucket as a whole.
    package var key: String?
    /// What the call does.
    package var kind: Kind

    package init(_ kind: Kind, bucket: String, key: String? = nil) {
        self.bucket = bucket
        self.key = key
        self.kind = kind
    }
}
