package import Cloud
import Directory
package import Logging
package import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension AccessLogDelivery {
    private static let service = "logging.s3.amazonaws.com"

    /// Creates the delivery of a cloud's access logs. Buckets of S3 must allow `logging.s3.amazonaws.com` to write.
    package init(cloud: Cloud, log: AccessLog, logger: Logger) {
        self.init(cloud: cloud, log: log, logger: logger) { key, bucket, destination in
            Self.mayWrite(key, in: bucket, for: destination, cloud)
        }
    }

    /// Whether the bucket allows log delivery to write: by a policy that names the service, or by an ACL that names the group.
    /// (S3 User Guide, "Permissions for log delivery".)
    private static func mayWrite(_ key: String, in bucket: Bucket, for destination: AccessLog.Destination, _ cloud: Cloud) -> Bool {
        guard let access = try? BucketAccess(bucket, cloud.directory) else { return false }
        var keys = ConditionKeys()
        keys.set("aws:SourceArn", to: "arn:aws:s3:::\(destination.source)")
        keys.set("aws:SourceAccount", to: destination.sourceAccount)
        keys.set("aws:PrincipalIsAWSService", to: "true")
        keys.set("aws:PrincipalServiceName", to: service)
        keys.set("aws:SecureTransport", to: "true")
        let decision = PolicySet(resource: access.policy).decision(
            for: RequestContext(
                action: S3Action.putObject.rawValue, resource: "arn:aws:s3:::\(bucket.name)/\(key)",
                principal: Principal(.service(service)), resourceAccount: bucket.account, keys: keys))
        switch decision.outcome {
        case .allowed: return true
        case .explicitDeny: return false
        case .implicitDeny:
            return bucket.listInForce?.grants.contains { grant in
                grant.grantee == .group(PredefinedGroup.logDelivery.rawValue)
                    && (grant.permission == .write || grant.permission == .fullControl)
            } ?? false
        }
    }
}
