/// The policies that limit a new session.
/// (IAM User Guide, "Session policies".)
package struct SessionPolicies: Sendable {
    /// Compact policy documents, as stored in the session token.
    private let documents: [String]
    /// Managed policies, by ARN.
    private let arns: [String]
    /// The packed size of the policies and tags in percent of its limit; `nil` if the session has neither.
    package let size: Int?

    /// - Parameters:
    ///   - documents: the inline policies, without white space.
    ///   - arns: the managed policies.
    ///   - size: the packed size of the policies and tags in percent of its limit; `nil` if there are neither.
    package init(documents: [String], arns: [String], size: Int?) {
        self.documents = documents
        self.arns = arns
        self.size = size
    }

    /// Limits a session to what the policies allow.
    package func apply(to session: inout SessionCredentials) {
        session.sessionPolicies = documents
        session.sessionPolicyARNs = arns
    }

    /// Adds the documents to the policies that narrow a session.
    package func narrow(_ session: inout SessionCredentials) { session.scopes += documents }
}
