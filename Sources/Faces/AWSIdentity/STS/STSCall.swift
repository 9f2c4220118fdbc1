import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// One signed call to STS: its caller and parameters.
struct STSCall: Sendable {
    let face: STSFace
    let http: Call
    let caller: Caller
    /// The caller's account.
    let account: String
    /// The region of the call's signature.
    let region: String
    let action: String
    var parameters: QueryParameters

    var cloud: Cloud { http.cloud }
    var directory: Directory { http.cloud.directory }
    /// When the call arrived.
    var now: Timestamp { Timestamp(seconds: http.received.seconds) }

    /// The request to authorize, for ``authorize(_:_:)``.
    struct Question {
        /// The resource's ARN; `*` if the action has no resources.
        var resource = "*"
        /// The account that owns the resource; `nil` for the caller's own.
        var owner: String?
        /// The trust policy of the role to assume.
        var trust: AttachedPolicy?
        /// Condition keys of the operation with one value.
        var keys: [OperationKey] = []
        /// Further condition keys, by lowercased name.
        var lists: TextDictionary<ConditionValues> = [:]
    }

    /// Rejects the call unless the caller may perform an action.
    func authorize(_ action: String, _ question: Question) throws(ServiceError) {
        var verdict = ask(action, question, owner: question.owner ?? account)
        // RADOS Gateway evaluates only the trust policy, also for callers from other accounts.
        if face.dialect == .ceph, question.trust != nil, case .implicitDeny = verdict.decision.outcome {
            verdict = ask(action, question, owner: account)
        }
        guard !verdict.decision.isAllowed else { return }
        var reason = verdict.decision.reason(action: action).map { " \($0)" } ?? ""
        // A caller that may not assume a role does not learn which policy is missing (observed of the real service).
        if question.trust != nil, case .implicitDeny = verdict.decision.outcome { reason = "" }
        throw notAuthorized(action, on: question.resource, reason: reason)
    }

    /// Rejects the call of an operation that only regional endpoints have.
    func refuseGlobalEndpoint() throws(ServiceError) {
        guard http.host != "sts.amazonaws.com" else {
            throw ServiceError("InvalidAction", .badRequest, "Operation not supported on STS global endpoint")
        }
    }

    private func ask(_ action: String, _ question: Question, owner: String) -> Authorizer.Verdict {
        let lists = question.lists
        return http.authorize(
            caller, action, on: question.resource, ownedBy: owner, resourcePolicy: question.trust, keys: question.keys, region: region,
            operationKeys: { lists[$0] })
    }

    /// Returns the error for a denied action, in the real service's wording: the resource is omitted if the action has none.
    func notAuthorized(_ action: String, on resource: String, reason: String = "") -> ServiceError {
        ServiceError(
            "AccessDenied", .forbidden,
            "User: \(caller.principal.name) is not authorized to perform: \(action)\(resource == "*" ? "" : " on resource: \(resource)")\(reason)"
        )
    }
}

extension XMLWriter {
    /// Writes `Credentials`, and the size of the session token as every operation returns it. (STS API Reference, "Credentials".)
    mutating func credentials(_ credentials: SessionCredentials, token: String) {
        element("Credentials") { xml in
            xml.element("AccessKeyId", credentials.accessKeyID)
            xml.element("SecretAccessKey", credentials.secretAccessKey)
            xml.element("SessionToken", token)
            xml.element("Expiration", credentials.expires.iso8601)
        }
        let size = token.utf8.count
        element("SessionTokenSize", size)
        element("SessionTokenUtilization", min(100, (size * 100 + Self.longestSessionToken - 1) / Self.longestSessionToken))
    }

    /// The size in bytes of which `SessionTokenUtilization` is the share: the largest value of `MinimumSessionTokenSize`.
    private static let longestSessionToken = 4096

    /// Writes `AssumedRoleUser`. (STS API Reference, "AssumedRoleUser".)
    mutating func assumedRoleUser(_ role: Role, _ credentials: SessionCredentials) {
        element("AssumedRoleUser") { xml in
            xml.element("AssumedRoleId", String(joining: role.id, ":", credentials.sessionName))
            xml.element("Arn", role.sessionARN(credentials.sessionName))
        }
    }
}
