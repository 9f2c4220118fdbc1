import Cloud
import Exchange
import Federation
import Policy
import WireFormats

extension OSSRequest {
    /// Refuses where the caller may not perform an action on a bucket or on what is under a key of it.
    /// - Parameters:
    ///   - action: such as `oss:GetObject`. (RAM User Guide, "Actions and resources of OSS".)
    ///   - object: the object that is there, where the action is about it.
    /// - Throws: `AccessDenied`.
    func authorize(_ action: String, on bucket: Bucket, key: String? = nil, object: ObjectRecord? = nil) throws(OSSError) {
        let resource = "acs:oss:oss-\(bucket.region):\(bucket.account):\(bucket.name)\(key.map { "/\($0)" } ?? "")"
        let verdict = exchange.authorize(caller, action, on: resource, ownedBy: bucket.account, region: bucket.region)
        guard verdict.decision.isAllowed else { throw OSSError(.accessDenied) }
    }
}
