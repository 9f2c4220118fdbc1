import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// One call to IAM: who makes it, for which account, with which parameters.
struct IAMCall: Sendable {
    let http: Call
    let caller: Caller
    /// The caller's account; IAM knows no other.
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
    /// The directory as it stands; an edit gets its own.
    var directory: Directory { http.cloud.directory }
    /// When the call arrived, which stamps what it makes.
    var now: Timestamp { Timestamp(seconds: http.received.seconds) }

    /// Refuses the call where the caller may not perform its action on the resource.
    /// - Parameters:
    ///   - action: another one than the call's own, where a call needs more than one permission.
    ///   - arn: of what is acted on, `*` where the action knows no resources.
    ///   - tags: those of what is acted on, for `aws:ResourceTag`.
    ///   - newTags: those that the request brings, for `aws:RequestTag` and `aws:TagKeys`.
    ///   - tagKeys: those of tags that the request takes away, for `aws:TagKeys`.
    ///   - keys: further condition keys of the operation.
    ///   - namesDetails: see ``refuse(_:namesDetails:)``.
    func authorize(
        _ action: String? = nil, on arn: String, tags: [Tag] = [], newTags: [Tag] = [], tagKeys: [String] = [], keys: [OperationKey] = [],
        namesDetails: Bool = true
    ) throws(QueryError) {
        try refuse(verdict(action, on: arn, tags: tags, newTags: newTags, tagKeys: tagKeys, keys: keys), namesDetails: namesDetails)
    }

    /// Refuses the call where a verdict denies it. The message names the authorization ID that opens the details, but for few operations.
    /// (IAM User Guide, "Troubleshoot access denied error messages with authorization ID".)
    func refuse(_ verdict: Authorizer.Verdict, namesDetails: Bool = true) throws(QueryError) {
        var context = verdict.context
        context.resource = ResourceInRefusal(context).text
        guard let message = verdict.decision.message(for: context) else { return }
        guard namesDetails else { throw QueryError("AccessDenied", .forbidden, message) }
        let id = IAMToolbox.authorizationID(of: http)
        throw QueryError(
            "AccessDenied", .forbidden,
            """
            \(message). Go to https://us-east-1.console.aws.amazon.com/iam/home?region=us-east-1#/authorization-details/\(id) for complete \
            details, or call the GetRequestAuthorizationDetails API with the following authorization id: \(id)
            """)
    }

    /// Whether the caller may perform an action; see ``authorize(_:on:tags:newTags:tagKeys:keys:)``.
    func verdict(
        _ action: String? = nil, on arn: String, tags: [Tag] = [], newTags: [Tag] = [], tagKeys: [String] = [], keys: [OperationKey] = []
    ) -> Authorizer.Verdict {
        let verdict = ask(action ?? self.action, arn, tags, newTags, tagKeys, keys)
        // Policies written for RADOS Gateway name users without their account.
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

    /// The ARN of something of the account: `arn:aws:iam::<account>:<kind><path><name>`.
    func arn(_ kind: String, _ name: String, path: String = "/") -> String { "arn:aws:iam::\(account):\(kind)\(path)\(name)" }
}

extension QueryError {
    /// Something that the call names does not exist.
    static func noSuchEntity(_ message: String) -> QueryError { QueryError("NoSuchEntity", .notFound, message) }

    /// Something of the name exists already.
    static func entityAlreadyExists(_ message: String) -> QueryError { QueryError("EntityAlreadyExists", .conflict, message) }

    /// Something else still hangs on what is to be deleted.
    static func deleteConflict(_ message: String) -> QueryError { QueryError("DeleteConflict", .conflict, message) }

    static func limitExceeded(_ message: String) -> QueryError { QueryError("LimitExceeded", .conflict, message) }

    /// Well-formed and yet not acceptable.
    static func invalidInput(_ message: String) -> QueryError { QueryError("InvalidInput", .badRequest, message) }

    static func validation(_ message: String) -> QueryError { QueryError("ValidationError", .badRequest, message) }
}
