import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// One signed call to STS: who makes it, with which parameters.
struct STSCall: Sendable {
    let face: STSFace
    let http: Call
    let caller: Caller
    /// The caller's account.
    let account: String
    /// The region that the call is signed for.
    let region: String
    let action: String
    var parameters: QueryParameters

    var cloud: Cloud { http.cloud }
    var directory: Directory { http.cloud.directory }
    /// When the call arrived.
    var now: Timestamp { Timestamp(seconds: http.received.seconds) }

    /// What a call asks to do, for ``authorize(_:_:)``.
    struct Question {
        /// An ARN, or `*` where the action knows no resources.
        var resource = "*"
        /// The account that owns the resource; the caller's own where absent.
        var owner: String?
        /// The trust policy of the role that is to be taken.
        var trust: AttachedPolicy?
        /// Condition keys of the operation with one value.
        var keys: [OperationKey] = []
        /// Further condition keys, by lower-cased name.
        var lists: [String: ConditionValues] = [:]
    }

    /// Refuses the call where the caller may not perform an action.
    func authorize(_ action: String, _ question: Question) throws(QueryError) {
        var verdict = ask(action, question, owner: question.owner ?? account)
        // RADOS Gateway asks the trust policy alone, of callers from other accounts too.
        if face.dialect == .ceph, question.trust != nil, case .implicitDeny = verdict.decision.outcome {
            verdict = ask(action, question, owner: account)
        }
        guard !verdict.decision.isAllowed else { return }
        var reason = verdict.decision.reason(action: action).map { " \($0)" } ?? ""
        // Who may not take a role is not told which side is silent (observed of the real service).
        if question.trust != nil, case .implicitDeny = verdict.decision.outcome { reason = "" }
        throw notAuthorized(action, on: question.resource, reason: reason)
    }

    private func ask(_ action: String, _ question: Question, owner: String) -> Authorizer.Verdict {
        let lists = question.lists
        return http.authorize(
            caller, action, on: question.resource, ownedBy: owner, resourcePolicy: question.trust, keys: question.keys, region: region,
            operationKeys: { lists[$0] })
    }

    /// The refusal of an action, as the real service words it: actions without resources name none.
    func notAuthorized(_ action: String, on resource: String, reason: String = "") -> QueryError {
        QueryError(
            "AccessDenied", .forbidden,
            "User: \(caller.principal.name) is not authorized to perform: \(action)\(resource == "*" ? "" : " on resource: \(resource)")\(reason)"
        )
    }
}

extension XMLWriter {
    /// `Credentials`. (STS API Reference, "Credentials".)
    mutating func credentials(_ credentials: SessionCredentials, token: String) {
        element("Credentials") { xml in
            xml.element("AccessKeyId", credentials.accessKeyID)
            xml.element("SecretAccessKey", credentials.secretAccessKey)
            xml.element("SessionToken", token)
            xml.element("Expiration", credentials.expires.iso8601)
        }
    }

    /// `AssumedRoleUser`. (STS API Reference, "AssumedRoleUser".)
    mutating func assumedRoleUser(_ role: Role, _ credentials: SessionCredentials) {
        element("AssumedRoleUser") { xml in
            xml.element("AssumedRoleId", String(joining: role.id, ":", credentials.sessionName))
            xml.element("Arn", role.sessionARN(credentials.sessionName))
        }
    }
}
