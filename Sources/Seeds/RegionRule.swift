/// Whether a request to S3 must be sent to, and signed for, the region of its bucket.
package enum RegionRule: String, Sendable, CaseIterable, Decodable {
    /// Every region reaches every bucket.
    case any
    /// Another region than the bucket's is refused, at every host name.
    case strict
}
