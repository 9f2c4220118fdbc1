import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// Returns the access rules derived from the bucket's configuration.
    func rules(of bucket: Bucket) -> S3BucketRules { bucketRules.rules(of: bucket) }

    /// Rejects an action on a bucket for which the caller has no permission.
    /// - Parameter keys: condition keys that only the operation knows, in addition to those of headers and query.
    func authorize(_ action: S3Action, on bucket: Bucket, keys: [OperationKey] = []) throws(S3Error) {
        try authorize(action, "arn:aws:s3:::\(bucket.name)", in: bucket, object: nil, keys)
    }

    /// Rejects an action on a key for which the caller has no permission. The object under the key is not considered.
    func authorize(_ action: S3Action, on bucket: Bucket, key: String, keys: [OperationKey] = []) throws(S3Error) {
        try authorize(action, bucket.arn(of: key), in: bucket, object: nil, keys)
        try refuseRetained(key, in: bucket, action)
    }

    /// Rejects an action on an existing object for which the caller has no permission. Its owner, its ACL and its tags are considered.
    func authorize(
        _ action: S3Action, on bucket: Bucket, object: ObjectRecord, keys: [OperationKey] = []
    ) throws(S3Error) {
        try authorize(action, bucket.arn(of: object.key), in: bucket, object: object, keys)
    }

    /// Rejects setting an ACL on a new object without permission. The caller's own policies must allow it, and no policy may deny it. The
    /// bucket's owner gives consent by allowing the write.
    /// (S3 User Guide, "Requiring the bucket-owner-full-control canned ACL", whose policy allows `s3:PutObject` alone.)
    func authorizeList(of key: String, in bucket: Bucket) throws(S3Error) {
        let resource = "arn:aws:s3:::\(bucket.name)/\(key)"
        let sources = try sources(of: .putObjectAcl, in: bucket, object: nil, owner: caller.account ?? Vendor.anonymous)
        let verdict = decide(.putObjectAcl, resource, sources, [])
        if caller.account == nil, case .implicitDeny = verdict.decision.outcome { return }
        if let refusal = refusal(verdict, .putObjectAcl, resource) { throw refusal }
    }

    /// Rejects comparing the ETag of an object without permission to read it. The tags of the object are not considered (measured in S3:
    /// floci-io/floci#3945). To ask whether the key exists needs no permission to read.
    /// (S3 User Guide, "How to prevent object overwrites with conditional writes" and "How to perform conditional deletes".)
    func authorizeRead(of key: String, for condition: Precondition, in bucket: Bucket) throws(S3Error) {
        guard case .ifMatch = condition, dialect == .aws else { return }
        try authorize(.getObject, on: bucket, key: key)
    }

    /// Rejects an action on a resource outside all buckets of this sandbox for which the caller has no permission.
    /// - Parameters:
    ///   - resource: an ARN, or `*`.
    ///   - account: the owner of the resource.
    func authorize(
        _ action: S3Action, resource: String, ownedBy account: String, keys: [OperationKey] = []
    ) throws(S3Error) {
        let verdict = decide(action, resource, AccessSources(owner: account, bucketOwner: account), keys)
        if let refusal = refusal(verdict, action, resource) { throw refusal }
    }

    /// Returns the error for an object that does not exist. Only callers with permission to list the bucket get `NoSuchKey`.
    /// (S3 API Reference, GetObject, "Permissions".)
    /// - Parameter action: the requested action. If a policy denies it, that error is returned.
    func missing(_ key: String, in bucket: Bucket, asking action: S3Action = .getObject) -> S3Error {
        let resource = "arn:aws:s3:::\(bucket.name)/\(key)"
        do {
            let sources = try sources(of: action, in: bucket, object: nil)
            let asked = decide(action, resource, sources, [])
            if case .explicitDeny = asked.decision.outcome, let refusal = refusal(asked, action, resource) { return refusal }
            do {
                try authorize(.listBucket, on: bucket, keys: dialect == .ceph ? [("s3:prefix", key)] : [])
                return .noSuchKey(key)
            } catch {
                if asked.decision.isAllowed { return error }
                // Evaluate again, so that the last entry in the journal is the decision that applies.
                return refusal(decide(action, resource, sources, []), action, resource) ?? error
            }
        } catch {
            return error
        }
    }

    /// Rejects an action for which the caller has no permission.
    /// - Throws: `AccessDenied`, whose message names the deciding policy unless the caller is anonymous.
    private func authorize(
        _ action: S3Action, _ resource: String, in bucket: Bucket, object: ObjectRecord?, _ keys: [OperationKey]
    ) throws(S3Error) {
        let verdict = decide(action, resource, try sources(of: action, in: bucket, object: object), keys)
        if let refusal = refusal(verdict, action, resource) { throw refusal }
        try checkPayer(of: bucket)
    }

    private func refusal(_ verdict: Authorizer.Verdict, _ action: S3Action, _ resource: String) -> S3Error? {
        guard let reason = verdict.decision.reason(action: action.rawValue) else { return nil }
        return denied(action, resource, reason)
    }

    /// Returns `AccessDenied`. The message contains the reason unless the caller is anonymous.
    /// - Parameter reason: the text after the resource in the message.
    func denied(_ action: S3Action, _ resource: String, _ reason: String) -> S3Error {
        guard let arn = caller.arn else { return S3Error(.accessDenied) }
        return S3Error(
            .accessDenied, "User: \(arn) is not authorized to perform: \(action.rawValue) on resource: \"\(resource)\" \(reason)")
    }

    /// The owner, policies, ACLs and tags of the resource that a decision depends on.
    private struct AccessSources {
        /// The account that must allow the action.
        var owner: String
        var bucketOwner: String
        var policy: AttachedPolicy?
        var lists: [AttachedPolicy] = []
        var tags: [Tag] = []
        var bucketTags: [Tag] = []
    }

    /// Collects the policy, ACLs and tags that apply to an action in a bucket.
    ///
    /// ACLs are only considered for callers of other accounts: within the owner's account its policies decide.
    /// - Parameter owner: the owner of the existing or future object; `nil` if the bucket's owner decides.
    private func sources(
        of action: S3Action, in bucket: Bucket, object: ObjectRecord?, owner: String? = nil
    ) throws(S3Error) -> AccessSources {
        var sources = AccessSources(owner: owner ?? bucket.account, bucketOwner: bucket.account)
        let account = caller.account
        if !bucket.configuration.tags.isEmpty {
            let status = dialect == .ceph ? AbacStatus.enabled : try abacStatus(of: bucket)
            if status == .enabled { sources.bucketTags = bucket.configuration.tags }
        }
        if let object {
            sources.tags = object.properties.tags
            if action.dependsOnObjectOwner, !bucket.ignoresLists, Vendor(account: object.owner) == .aws { sources.owner = object.owner }
        }
        if bucket.policy != nil || (bucket.configuration.accessControl != nil && account != bucket.account) {
            let access = try rules(of: bucket).access { call.cloud.directory }
            // A bucket's owner can deny every action in the bucket, and allow actions on its own objects.
            sources.policy = sources.owner == bucket.account ? access.policy(for: account, in: bucket) : access.denials
            if let list = access.list, !action.dependsOnObjectOwner, account != bucket.account { sources.lists.append(list) }
        }
        if let object, action.dependsOnObjectOwner, account != sources.owner,
            let list = object.properties.accessControl.flatMap(bucket.inForce),
            let policy = try list.policy(
                "list of object \(bucket.name)/\(object.key)", on: .object, in: bucket.name, call.cloud.directory)
        {
            sources.lists.append(policy)
        }
        return sources
    }

    /// Returns the decision on an action on a bucket or on a key in it.
    func decide(_ action: S3Action, _ resource: String, in bucket: Bucket, object: ObjectRecord?) throws(S3Error) -> Authorizer.Verdict {
        decide(action, resource, try sources(of: action, in: bucket, object: object), [])
    }

    /// Returns the decision on an action on a resource outside all buckets, which is treated as owned by the caller's account.
    func decide(_ action: S3Action, onUnowned resource: String) -> Authorizer.Verdict {
        let account = caller.account ?? Vendor.anonymous
        return decide(action, resource, AccessSources(owner: account, bucketOwner: account), [])
    }

    private func decide(
        _ action: S3Action, _ resource: String, _ sources: AccessSources, _ keys: [OperationKey]
    ) -> Authorizer.Verdict {
        let conditions = S3ConditionKeys(
            action: action, method: call.method, headers: headers, query: query, place: authenticated?.place,
            version: authenticated?.version,
            age: authenticated?.signed.map { call.received.milliseconds - clock.effective(clock.moment(ofWall: $0)).milliseconds },
            received: call.received, isSecure: call.isSecure, bucketOwner: sources.bucketOwner, tags: sources.tags,
            bucketTags: sources.bucketTags, bucketTagKeys: dialect.bucketTagKeys, operation: keys)
        // A condition key of Ceph: whether the credentials are temporary. ("STS in Ceph", "GetSessionToken".)
        let session: [OperationKey] = dialect == .ceph ? [("sts:authentication", caller.session == nil ? "false" : "true")] : []
        return call.authorize(
            caller, action.rawValue, on: resource, ownedBy: needsOwner ? sources.owner : "", resourcePolicy: sources.policy,
            lists: sources.lists,
            keys: session, region: region, operationKeys: { conditions.values(of: $0) }, assumed: assumption?.keys ?? [:])
    }

    /// Whether access to another account's resource requires permission from that account. In the Ceph dialect, users and roles without an
    /// account need only their own policies.
    private var needsOwner: Bool {
        switch caller {
        case .user, .role: dialect == .aws || caller.account != ""
        case .anonymous, .root, .federatedUser: true
        }
    }
}

extension Dialect {
    /// The condition keys for the tags of a bucket, in lowercase, without the key of a tag. (S3 User Guide, "Using tags with S3 general
    /// purpose buckets"; "Bucket Policies" of Ceph.)
    fileprivate var bucketTagKeys: [String] { self == .ceph ? Self.bucketTagKeysOfCeph : Self.bucketTagKeysOfAWS }

    private static let bucketTagKeysOfAWS = ["aws:resourcetag/", "s3:buckettag/"]
    private static let bucketTagKeysOfCeph = ["s3:resourcetag/"]
}

extension Bucket {
    /// Returns the ARN of an object in the bucket.
    fileprivate func arn(of key: String) -> String { String(joining: "arn:aws:s3:::", name, "/", key) }
}
