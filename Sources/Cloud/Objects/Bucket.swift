package import WireFormats

/// A container of objects: its name is unique in the sandbox, and it belongs to one account.
package struct Bucket: Hashable, Sendable, Identifiable {
    /// Never given to another bucket, so a request that still holds a deleted bucket cannot reach its successor.
    package struct ID: Hashable, Sendable {
        let number: Int64
    }

    package let id: ID
    package let name: String
    /// The account that owns the bucket and, unless a policy says otherwise, everything in it.
    package let account: String
    /// The location constraint as the creator gave it; may be empty.
    package let region: String
    package let created: Timestamp
    /// The bucket policy as its JSON text, byte for byte as it was put; nil when there is none.
    package internal(set) var policy: String?
}
