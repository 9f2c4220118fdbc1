import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// One call to IAM: its caller, account and parameters.
struct IAMCall: AuthorizedCall {
    let http: Call
    let caller: Caller
    /// The caller's account. IAM has access to no other.
    let account: String
    let action: String
    let dialect: Dialect
    var parameters: QueryParameters

    init(http: Call, caller: Caller, account: String, action: String, dialect: Dialect, fields: FormFields) {
        self.http = http
        self.caller = caller
        self.account = account
        self.action = action
        self.dialect = dialect
        parameters = QueryParameters(fields, quotes: false)
    }

    var cloud: Cloud { http.cloud }
    /// The current directory. An edit receives its own.
    var directory: Directory { http.cloud.directory }
    /// When the call arrived; the creation time of everything that it creates.
    var now: Timestamp { Timestamp(seconds: http.received.seconds) }

    /// Rejects the call unless the caller may perform its action on the resource.
    /// - Parameters:
    ///   - action: an action other than the call's own, if a call needs more than one permission.
    ///   - arn: the resource's ARN; `*` if the action has no resources.
    ///   - tags: the tags of the resource, for `aws:ResourceTag`.
    ///   - newTags: the tags in the request, for `aws:RequestTag` and `aws:TagKeys`.
    ///   - tagKeys: the keys of the tags that the request removes, for `aws:TagKeys`.
    ///   - keys: further condition keys of the operation.
    ///   - namesDetails: see ``refuse(_:namesDetails:)``.
    func authorize(
        _ action: String? = nil, on arn: String, tags: [Tag] = [], newTags: [Tag] = [], tagKeys: [String] = [], keys: [OperationKey] = [],
        namesDetails: Bool = true
    ) throws(ServiceError) {
        try refuse(verdict(action, on: arn, tags: tags, newTags: newTags, tagKeys: tagKeys, keys: keys), namesDetails: namesDetails)
    }

    func authorize(on resource: some ServiceResource) throws(ServiceError) {
        try authorize(on: resource.arn, tags: resource.tags)
    }

    /// Rejects the call if a verdict denies it. Except for a few operations, the message includes the authorization ID with which the
    /// details can be retrieved. (IAM User Guide, "Troubleshoot access denied error messages with authorization ID".)
    func refuse(_ verdict: Authorizer.Verdict, namesDetails: Bool = true) throws(ServiceError) {
        var context = verdict.context
        context.resource = ResourceInRefusal(context).text
        guard let message = verdict.decision.message(for: context) else { return }
        guard namesDetails else { throw ServiceError("AccessDenied", .forbidden, message) }
        let id = IAMToolbox.authorizationID(of: http)
        throw ServiceError(
            "AccessDenied", .forbidden,
            """
            \(message). Go to https://us-east-1.console.aws.amazon.com/iam/home?region=us-east-1#/authorization-details/\(id) for complete \
            details, or call the GetRequestAuthorizationDetails API with the following authorization id: \(id)
            """)
    }

    /// Evaluates whether the caller may perform an action; see ``authorize(_:on:tags:newTags:tagKeys:keys:)``.
    func verdict(
        _ action: String? = nil, on arn: String, tags: [Tag] = [], newTags: [Tag] = [], tagKeys: [String] = [], keys: [OperationKey] = []
    ) -> Authorizer.Verdict {
        let verdict = ask(action ?? self.action, arn, tags, newTags, tagKeys, keys)
        // Policies written for RADOS Gateway omit the account in the ARNs of users.
        guard dialect == .ceph, case .implicitDeny = verdict.decision.outcome else { return verdict }
        let other = ask(
            action ?? self.action, arn.replacing("iam::\(account):", with: "iam:::", maxReplacements: 1), tags, newTags, tagKeys, keys)
        return other.decision.isAllowed ? other : verdict
    }

    private func ask(
        _ action: String, _ arn: String, _ tags: [Tag], _ newTags: [Tag], _ tagKeys: [String], _ keys: [OperationKey]
    ) -> Authorizer.Verdict {
        http.authorize(caller, "iam:\(action)", on: arn, ownedBy: account, keys: keys) { key in
            if key == "aws:tagkeys" {
                let keys = newTags.map(\.key) + tagKeys
                return keys.isEmpty ? nil : .many(keys)
            }
            for (prefix, tags) in [("aws:requesttag/", newTags), ("aws:resourcetag/", tags), ("iam:resourcetag/", tags)]
            where key.hasPrefix(prefix) {
                return tags.conditionValues(of: key.dropFirst(prefix.count))
            }
            return nil
        }
    }

    /// Returns the ARN of one of the account's entities: `arn:aws:iam::<account>:<kind><path><name>`.
    func arn(_ kind: String, _ name: String, path: String = "/") -> String { "arn:aws:iam::\(account):\(kind)\(path)\(name)" }

    /// Returns the resource of a list of the account's entities.
    func entities(_ kind: String, below path: String = "/") -> UntaggedResource { UntaggedResource(arn: arn(kind, "", path: path)) }
}

extension ServiceError {
    /// An entity that the call names does not exist.
    static func noSuchEntity(_ message: String) -> ServiceError { ServiceError("NoSuchEntity", .notFound, message) }

    /// An entity with the name already exists.
    static func entityAlreadyExists(_ message: String) -> ServiceError { ServiceError("EntityAlreadyExists", .conflict, message) }

    /// Other entities still depend on the one to be deleted.
    static func deleteConflict(_ message: String) -> ServiceError { ServiceError("DeleteConflict", .conflict, message) }

    static func limitExceeded(_ message: String) -> ServiceError { ServiceError("LimitExceeded", .conflict, message) }

    /// The input is well-formed but not acceptable.
    static func invalidInput(_ message: String) -> ServiceError { ServiceError("InvalidInput", .badRequest, message) }

    static func validation(_ message: String) -> ServiceError { ServiceError("ValidationError", .badRequest, message) }
}
