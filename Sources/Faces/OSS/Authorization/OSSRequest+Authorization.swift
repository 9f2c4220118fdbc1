import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

extension OSSRequest {
    /// Rejects an action on a bucket or a key for which the caller has no permission.
    ///
    /// Session policy, identity policies, bucket policy, and ACLs are evaluated together. (OSS User Guide, "Authorization process".)
    /// - Parameters:
    ///   - object: the existing object, if the action applies to it.
    ///   - keys: condition keys that only the operation knows.
    /// - Throws: `AccessDenied`.
    func authorize(
        _ action: OSSAction, on bucket: Bucket, key: String? = nil, object: ObjectRecord? = nil, keys: [OperationKey] = []
    ) throws(OSSError) {
        if key != nil { try checkReferer(on: bucket) }
        let verdict = try decide(action, on: bucket, key: key, object: object, keys: keys)
        guard verdict.decision.isAllowed else {
            let listed = try listed(object, key, action, in: bucket)
            throw denied(verdict.decision.outcome, action, isObject: key != nil, hasOwnList: listed?.properties.accessControl != nil)
        }
        try checkPayer(of: bucket)
    }

    /// Returns the decision on an action on a bucket or a key.
    /// - Throws: `InternalError` if the bucket's configuration cannot be parsed.
    func decide(
        _ action: OSSAction, on bucket: Bucket, key: String?, object: ObjectRecord?, keys: [OperationKey] = []
    ) throws(OSSError) -> Authorizer.Verdict {
        try decide(action, named: action.rawValue, on: bucket, key: key, object: object, keys: keys)
    }

    /// Returns the decision on an action by its name.
    /// - Parameter action: `nil` for an action that no operation of this face needs.
    func decide(
        _ action: OSSAction?, named name: String, on bucket: Bucket, key: String?, object: ObjectRecord?, keys: [OperationKey] = []
    ) throws(OSSError) -> Authorizer.Verdict {
        let resource = "acs:oss:oss-\(bucket.region):\(bucket.account):\(bucket.name)\(key.map { "/\($0)" } ?? "")"
        let access = try rules(of: bucket).access()
        let blocksPublic = blocksPublicAccess(bucket)
        var policy = access.policy
        if case .root(let account, _) = caller, account.id == bucket.account { policy = access.policyForOwner }
        if blocksPublic, access.isPolicyPublic, caller.account != bucket.account { policy = access.denials }
        var list = access.list
        if let own = try listed(object, key, action, in: bucket)?.properties.accessControl {
            list = try OSSAccessList.policy(of: own, "list of object \(bucket.name)/\(key ?? "")", in: bucket.name)
        }
        let conditions = OSSConditionKeys(self, bucket, object: object, isListing: action?.isListing == true)
        return call.authorize(
            caller, name, on: resource, ownedBy: bucket.account, resourcePolicy: policy,
            lists: blocksPublic ? [] : [list].compactMap { $0 }, keys: keys, region: bucket.region,
            operationKeys: { conditions.values(of: $0) }, assumed: assumption?.keys ?? [:])
    }

    /// Returns the object whose ACL replaces the bucket's ACL, also for requests that overwrite the object; `nil` within the account, where only
    /// policies apply. (OSS User Guide, "Object ACL".)
    private func listed(_ object: ObjectRecord?, _ key: String?, _ action: OSSAction?, in bucket: Bucket) throws(OSSError) -> ObjectRecord?
    {
        guard object == nil, let key, action?.isReplacing == true else { return object }
        if caller.account == bucket.account, try rules(of: bucket).access().list == nil { return object }
        return try current(key, in: bucket)
    }

    /// Rejects an action on the service itself, or on a bucket that does not exist yet, without permission.
    /// - Parameter resource: the part of the resource's name after the account.
    func authorize(_ action: OSSAction, onService resource: String, region: String = "*", keys: [OperationKey] = []) throws(OSSError) {
        guard let account = caller.account else { throw Self.anonymousForbidden }
        let accessKey = authenticated?.accessKey
        let verdict = call.authorize(
            caller, action.rawValue, on: "acs:oss:\(region):\(account):\(resource)", ownedBy: account, keys: keys,
            region: region, operationKeys: { $0 == "acs:accessid" ? accessKey.map { .one($0) } : nil })
        guard verdict.decision.isAllowed else {
            throw denied(verdict.decision.outcome, action, isObject: false, hasOwnList: false)
        }
    }

    static let anonymousForbidden = OSSError(
        .accessDenied, "Anonymous access is forbidden for this operation.", subcode: "0003-00000401")

    /// Returns the error with the reason of the denial. (OSS documentation, "EC error codes", 0003.)
    private func denied(_ outcome: Decision.Outcome, _ action: OSSAction, isObject: Bool, hasOwnList: Bool) -> OSSError {
        guard let account = caller.account else {
            if case .explicitDeny = outcome { return OSSError(.accessDenied, "Access denied by bucket policy.", subcode: "0003-00000201") }
            if isObject {
                return hasOwnList
                    ? OSSError(.accessDenied, "You have no right to access this object.", subcode: "0003-00000002")
                    : OSSError(.accessDenied, "You have no right to access this object because of bucket acl.", subcode: "0003-00000001")
            }
            return Self.anonymousForbidden
        }
        let (isExplicit, type): (Bool, PolicyType) =
            switch outcome {
            case .explicitDeny(let type): (true, type)
            case .implicitDeny(let type): (false, type)
            case .allowed: (false, .identityBased)
            }
        if case .root = caller {
            if isExplicit { return OSSError(.accessDenied, "Access denied by bucket policy.", subcode: "0003-00000201") }
            return OSSError(
                .accessDenied,
                isObject
                    ? "You have no right to access this object because of bucket acl." : "The bucket you access does not belong to you.",
                subcode: "0003-00000001")
        }
        var error = OSSError(
            .accessDenied, Self.message(of: type, isExplicit: isExplicit, isObject: isObject),
            subcode: isExplicit ? "0003-00000201" : "0003-00000202")
        error.details.append(
            OSSError.Detail(
                name: "AccessDeniedDetail",
                members: [
                    ("PolicyType", Self.name(of: type)), ("AuthPrincipalOwnerId", account), ("AuthPrincipalType", principalType),
                    ("AuthPrincipalDisplayName", principalName), ("NoPermissionType", isExplicit ? "ExplicitDeny" : "ImplicitDeny"),
                    ("AuthAction", action.rawValue),
                ].map { OSSError.Detail(name: $0.0, value: $0.1) }))
        return error
    }

    private static func message(of type: PolicyType, isExplicit: Bool, isObject: Bool) -> String {
        switch type {
        case .session: "Access denied by authorizer's policy."
        case .resourceBased where isExplicit: "Access denied by bucket policy."
        default:
            isObject ? "You have no right to access this object." : "You have no right to access this bucket."
        }
    }

    /// Returns the value of `PolicyType`.
    private static func name(of type: PolicyType) -> String {
        switch type {
        case .session: "SessionPolicy"
        case .resourceBased: "ResourceBasedPolicy"
        case .roleTrust: "AssumeRolePolicy"
        case .accessControlList: "ACL"
        case .identityBased, .permissionsBoundary: "AccountLevelIdentityBasedPolicy"
        }
    }

    private var principalType: String {
        switch caller {
        case .anonymous: "Anonymous"
        case .root: "Account"
        case .user: "SubUser"
        case .role, .federatedUser: "AssumedRoleUser"
        }
    }

    /// The ID of a user; for a session, the ID of the role with the session name.
    private var principalName: String { caller.userID }

    /// Whether public access is blocked for the bucket or its account.
    /// (OSS User Guide, "Block public access".)
    func blocksPublicAccess(_ bucket: Bucket) -> Bool {
        bucket.configuration.documents[.ossPublicAccessBlock] == "true"
            || call.cloud.directory.accounts[bucket.account]?.blocksPublicAccess == true
    }

    /// Rejects callers of other accounts who do not agree to pay, if the requester pays. (OSS User Guide, "Pay-by-requester".)
    private func checkPayer(of bucket: Bucket) throws(OSSError) {
        guard bucket.isPaidByRequester, caller.account != bucket.account else { return }
        let consent = headers.value(of: .ossRequestPayer) ?? query["x-oss-request-payer"]
        guard caller.account != nil, consent?.lowercased() == "requester" else {
            throw OSSError(.accessDenied, "Access denied for requester pay bucket", subcode: "0003-00000703")
        }
    }
}
