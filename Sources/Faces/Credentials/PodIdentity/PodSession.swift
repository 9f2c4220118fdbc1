import Calls
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The session of a pod: of the role in its association, or of the target role that a session of this role assumes.
/// (EKS User Guide, "Grant pods access to AWS resources based on tags" and "Access AWS resources using EKS Pod Identity target IAM roles".)
struct PodSession {
    let holder: ServiceAccountToken.Holder
    let association: PodIdentityAssociation

    /// The principal of trust policies.
    private static let principal = "pods.eks.amazonaws.com"
    /// The lifetime of credentials in seconds.
    private static let duration = 6 * 3600
    /// The lifetime of credentials of a target role in seconds.
    private static let durationOfTarget = 3600 - 60

    /// Decides whether the policies allow the session, and issues its credentials.
    /// - Throws: ``DoorFailure``, or an error of the random generator.
    func issue(_ call: CredentialCall) throws -> IssuedCredentials {
        let cluster = holder.cluster
        guard let role = call.directory.role(association.role, in: cluster.account) else { throw Self.refusal("The role does not exist.") }
        let assumption = try assumption(of: role, call.sessions, isLast: association.targetRole == nil)
        let service = ServiceCaller(
            principal: Self.principal, sourceARN: cluster.arn, sourceAccount: cluster.account, region: cluster.region)
        guard call.http.authorize(assumption, by: service).isAllowed else { throw Self.refusal(nil) }
        guard let target = association.targetRole else {
            return IssuedCredentials(role.arn, try call.sessions.session(by: assumption, duration: Self.duration))
        }
        guard let entry = call.directory.role(arn: target, at: .aws) else { throw Self.refusal("The target role does not exist.") }
        guard let session = call.sessions.session(expectedBy: assumption) else { throw Self.refusal("The session policy is not valid.") }
        var second = try self.assumption(of: entry, call.sessions, isLast: true)
        second.externalID = externalID
        second.isChained = true
        guard call.http.authorize(second, by: .role(role, session), region: cluster.region).isAllowed else { throw Self.refusal(nil) }
        return IssuedCredentials(entry.arn, try call.sessions.session(by: second, duration: Self.durationOfTarget))
    }

    /// (The message is that of users' reports.)
    private static func refusal(_ cause: String?) -> DoorFailure {
        DoorFailure(
            "AccessDeniedException", .badRequest,
            "Unauthorized Exception! EKS does not have permissions to assume the associated role.", cause: cause)
    }

    /// The external ID for the target role. Without tags, EKS sets one that names the service account.
    private var externalID: String? {
        if let externalID = association.externalID { return externalID }
        let cluster = holder.cluster
        guard association.disableSessionTags else { return nil }
        return "\(cluster.region)/\(cluster.account)/\(cluster.name)/\(association.namespace)/\(association.serviceAccount)"
    }

    /// - Parameter isLast: whether pods get the credentials of the session. The policy of the association limits only this one.
    private func assumption(of role: RoleEntry, _ sessions: SessionTokens, isLast: Bool) throws -> RoleAssumption {
        var assumption = RoleAssumption(of: role, named: sessionName)
        if !association.disableSessionTags {
            assumption.tags = tags
            assumption.transitiveTagKeys = tags.map(\.key)
        }
        if isLast, let policy = association.policy {
            assumption.policies = SessionPolicies(documents: [try sessions.policies.entry(for: policy).compact], arns: [], size: nil)
        }
        return assumption
    }

    /// `eks-CLUSTER-POD-UUID`, with the first ten characters of either name, so that it is a valid session name.
    private var sessionName: String {
        func short(_ name: String) -> String { String(decoding: name.utf8.prefix(10), as: UTF8.self) }
        return "eks-\(short(holder.cluster.name))-\(short(holder.pod.name))-\(RequestID().uuid)"
    }

    /// The session tags.
    private var tags: [Tag] {
        let (cluster, pod) = (holder.cluster, holder.pod)
        return [
            Tag(key: "eks-cluster-arn", value: cluster.arn), Tag(key: "eks-cluster-name", value: cluster.name),
            Tag(key: "kubernetes-namespace", value: pod.namespace),
            Tag(key: "kubernetes-service-account", value: pod.serviceAccount),
            Tag(key: "kubernetes-pod-name", value: pod.name), Tag(key: "kubernetes-pod-uid", value: holder.podUID),
        ]
    }
}
