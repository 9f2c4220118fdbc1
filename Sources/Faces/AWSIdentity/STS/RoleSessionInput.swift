import Directory
import Federation
import HTTPTypes

/// The inputs that the operations have in common that begin a session of a role: its limits. (STS API Reference, "AssumeRole", constraints as
/// in the service model.)
struct RoleSessionInput: Equatable {
    /// The ARNs of managed policies that limit the session.
    var policyARNs: [String]
    /// The policy document that limits the session.
    var policy: String?
    /// The duration in seconds.
    var duration: Int?
    /// The minimum size of the session token in bytes.
    var leastSize: Int

    /// - Parameter longestPolicy: the maximum length of the policy document.
    init(_ parameters: inout QueryParameters, longestPolicy: Int = 2048) throws(ServiceError) {
        policyARNs = parameters.list("PolicyArns", member: "arn", most: 10, length: 20...2048, pattern: .arn)
        policy = parameters.text("Policy", length: 1...longestPolicy, pattern: .policy)
        duration = try parameters.integer("DurationSeconds", range: 900...43_200)
        leastSize = try parameters.leastSessionTokenSize()
    }

    /// Returns the checked policies that limit the session.
    /// - Parameters:
    ///   - tagBytes: the packed size of the session's tags in bytes.
    ///   - account: the account of the role.
    func policies(
        tagBytes: Int, account: String, directory: Directory, known: SessionPolicyCache
    ) throws(ServiceError) -> SessionPolicies {
        try SessionPolicies(
            document: policy, arns: policyARNs, tagBytes: tagBytes, account: account, directory: directory, known: known)
    }
}

extension QueryParameters {
    /// `RoleArn`.
    mutating func roleARN() -> String { requiredText("RoleArn", length: 20...2048, pattern: .arn) }

    /// `MinimumSessionTokenSize`, in bytes.
    mutating func leastSessionTokenSize() throws(ServiceError) -> Int { try integer("MinimumSessionTokenSize", range: 0...4096) ?? 0 }
}

extension ServiceError {
    /// The refusal of an ARN that is none of a role.
    static let invalidRequestARN = ServiceError("ValidationError", .badRequest, "Request ARN is invalid")

    /// The refusal of a session that would last longer than the role allows.
    static let longerThanRole = ServiceError(
        "ValidationError", .badRequest, "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.")
}
