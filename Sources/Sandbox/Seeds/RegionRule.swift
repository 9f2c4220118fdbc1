/// The rule for the region that a request to S3 is sent to and signed for.
package enum RegionRule: String, Sendable, CaseIterable, Decodable {
    /// Requests for every region can access every bucket.
    case any
    /// Requests for a region other than the bucket's are rejected, at every host name.
    case strict
}
