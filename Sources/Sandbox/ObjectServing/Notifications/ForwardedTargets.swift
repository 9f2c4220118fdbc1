package import ObjectStore
import WireFormats

/// The bucket that events come from, as the policies of their destinations see it.
package struct EventSource: Hashable, Sendable {
    /// The name of the bucket.
    package var bucket: String
    /// The account that owns the bucket.
    package var account: String
    /// The region that the bucket is in.
    package var region: String

    /// Creates a source from its parts.
    package init(bucket: String, account: String, region: String) {
        self.bucket = bucket
        self.account = account
        self.region = region
    }

    /// Creates the source of the events of a bucket.
    package init(_ bucket: Bucket) {
        self.init(bucket: bucket.name, account: bucket.account, region: bucket.regionName)
    }

    /// The ARN of the bucket, which is `aws:SourceArn`.
    package var arn: String { "arn:aws:s3:::\(bucket)" }
}

/// Queues and topics of services that another server has.
package struct ForwardedTargets: Sendable {
    /// Why S3 cannot deliver events to a destination.
    package enum Obstacle: Hashable, Sendable {
        /// The destination does not exist.
        case missing
        /// The policy of the destination does not allow S3 to deliver.
        case forbidden
        /// The server of the destination does not answer. The value is Virga's wording.
        case unreachable(String)
    }

    /// Returns whether an ARN belongs to a service that is forwarded.
    package let has: @Sendable (_ arn: String) -> Bool
    /// Returns why S3 cannot deliver events of a bucket to an ARN; `nil` if it can.
    package let obstacle: @Sendable (_ arn: String, _ source: EventSource) async -> Obstacle?

    package init(
        has: @escaping @Sendable (_ arn: String) -> Bool,
        obstacle: @escaping @Sendable (_ arn: String, _ source: EventSource) async -> Obstacle?
    ) {
        self.has = has
        self.obstacle = obstacle
    }
}
