import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// What this face derived from the bucket's configuration.
    func rules(of bucket: Bucket) -> S3BucketRules { bucketRules.rules(of: bucket) }

    /// Refuses an action on a bucket that the caller may not perform.
    /// - Parameter keys: condition keys that only the operation knows; those of headers and query are there anyhow.
    func authorize(_ action: S3Action, on bucket: Bucket, keys: [OperationKey] = []) throws(S3Error) {
        try authorize(action, "arn:aws:s3:::\(bucket.name)", in: bucket, object: nil, keys)
    }

    /// Refuses an action on a key, whatever it leads to, that the caller may not perform.
    func authorize(_ action: S3Action, on bucket: Bucket, key: String, keys: [OperationKey] = []) throws(S3Error) {
        try authorize(action, "arn:aws:s3:::\(bucket.name)/\(key)", in: bucket, object: nil, keys)
        try refuseRetained(key, in: bucket, action)
    }

    /// Refuses an action on an object that is there and that the caller may not perform: its owner, its list of access
    /// control and its tags count.
    func authorize(
        _ action: S3Action, on bucket: Bucket, object: ObjectRecord, keys: [OperationKey] = []
    ) throws(S3Error) {
        try authorize(action, "arn:aws:s3:::\(bucket.name)/\(object.key)", in: bucket, object: object, keys)
    }

    /// Refuses to give a new object a list of access control. The writer's own side must allow it and nobody deny it; the
    /// bucket's owner has said enough by allowing the write.
    /// (S3 User Guide, "Requiring the bucket-owner-full-control canned ACL", whose policy allows `s3:PutObject` alone.)
    func authorizeList(of key: String, in bucket: Bucket) throws(S3Error) {
        let resource = "arn:aws:s3:::\(bucket.name)/\(key)"
        let sources = try sources(of: .putObjectAcl, in: bucket, object: nil, owner: caller.account ?? Vendor.anonymous)
        let verdict = decide(.putObjectAcl, resource, sources, [])
        if caller.account == nil, case .implicitDeny = verdict.decision.outcome { return }
        if let refusal = refusal(verdict, .putObjectAcl, resource) { throw refusal }
    }

    /// Refuses an action on what no bucket of this sandbox holds, and that the caller may not perform.
    /// - Parameters:
    ///   - resource: an ARN, or `*`.
    ///   - account: the owner of the resource.
    func authorize(
        _ action: S3Action, resource: String, ownedBy account: String, keys: [OperationKey] = []
    ) throws(S3Error) {
        let verdict = decide(action, resource, AccessSources(owner: account, bucketOwner: account), keys)
        if let refusal = refusal(verdict, action, resource) { throw refusal }
    }

    /// What to tell a caller who asks for an object that is not there: only who may list the bucket learns that it is missing.
    /// (S3 API Reference, GetObject, "Permissions".)
    /// - Parameter action: what the caller asked for, which no policy may deny.
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
                // Asked once more, so that the journal ends with what decides.
                return refusal(decide(action, resource, sources, []), action, resource) ?? error
            }
        } catch {
            return error
        }
    }

    /// - Throws: `AccessDenied` that says which policy decides; nothing of it to an anonymous caller.
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

    /// A refusal that says why; nothing of it to an anonymous caller.
    /// - Parameter reason: what follows the resource in the message.
    func denied(_ action: S3Action, _ resource: String, _ reason: String) -> S3Error {
        guard let arn = caller.arn else { return S3Error(.accessDenied) }
        return S3Error(
            .accessDenied, "User: \(arn) is not authorized to perform: \(action.rawValue) on resource: \"\(resource)\" \(reason)")
    }

    /// What has a say on the side of the resource.
    private struct AccessSources {
        /// The account on whose behalf permission is given.
        var owner: String
        var bucketOwner: String
        var policy: AttachedPolicy?
        var lists: [AttachedPolicy] = []
        var tags: [Tag] = []
        var bucketTags: [Tag] = []
    }

    /// What the bucket, and the object that is there, say about who may do what.
    ///
    /// Lists of access control are looked at only for callers of other accounts: within its own account the owner's policies
    /// say it all.
    /// - Parameter owner: who owns the object that is there or will be; `nil` if the bucket's owner is asked.
    private func sources(
        of action: S3Action, in bucket: Bucket, object: ObjectRecord?, owner: String? = nil
    ) throws(S3Error) -> AccessSources {
        var sources = AccessSources(owner: owner ?? bucket.account, bucketOwner: bucket.account)
        let account = caller.account
        if dialect == .ceph { sources.bucketTags = bucket.tags ?? [] }
        if let object {
            sources.tags = object.properties.tags
            if action.isOwnersAffair, !bucket.ignoresLists, Vendor(account: object.owner) == .aws { sources.owner = object.owner }
        }
        if bucket.policy != nil || (bucket.configuration.accessControl != nil && account != bucket.account) {
            let access = try rules(of: bucket).access { call.cloud.directory }
            // A bucket's owner can forbid everything in it, and allow what is the owner's own.
            sources.policy = sources.owner == bucket.account ? access.policy(for: account, in: bucket) : access.denials
            if let list = access.list, !action.isOwnersAffair, account != bucket.account { sources.lists.append(list) }
        }
        if let object, action.isOwnersAffair, account != sources.owner,
            let list = object.properties.accessControl.flatMap(bucket.inForce),
            let policy = try list.policy(
                "list of object \(bucket.name)/\(object.key)", on: .object, in: bucket.name, call.cloud.directory)
        {
            sources.lists.append(policy)
        }
        return sources
    }

    /// What is decided about an action on what is in a bucket.
    func decide(_ action: S3Action, _ resource: String, in bucket: Bucket, object: ObjectRecord?) throws(S3Error) -> Authorizer.Verdict {
        decide(action, resource, try sources(of: action, in: bucket, object: object), [])
    }

    /// What is decided about an action on what no bucket holds; the caller's account owns it.
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
            bucketTags: sources.bucketTags, operation: keys)
        // Ceph's key for whether the credentials are those of a session. ("STS in Ceph", "GetSessionToken".)
        let session: [OperationKey] = dialect == .ceph ? [("sts:authentication", caller.session == nil ? "false" : "true")] : []
        return call.authorize(
            caller, action.rawValue, on: resource, ownedBy: needsOwner ? sources.owner : "", resourcePolicy: sources.policy,
            lists: sources.lists,
            keys: session, region: region, operationKeys: { conditions.values(of: $0) }, assumed: assumption?.keys ?? [:])
    }

    /// Whether a caller needs a word from the side of another account for what that owns. Ceph's users and roles of no account need their
    /// own policies alone.
    private var needsOwner: Bool {
        switch caller {
        case .user, .role: dialect == .aws || caller.account != ""
        case .anonymous, .root, .federatedUser: true
        }
    }
}
