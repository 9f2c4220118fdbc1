import HTTPTypes

// What the operations have in common that begin a session of a role.
extension QueryParameters {
    /// `PolicyArns` and `Policy`, which limit a session. (STS API Reference, "AssumeRole", constraints as in the service model.)
    mutating func sessionPolicies(longest: Int = 2048) -> (arns: [String], document: String?) {
        (
            list("PolicyArns", member: "arn", most: 10, length: 20...2048, pattern: .arn),
            text("Policy", length: 1...longest, pattern: .policy)
        )
    }

    /// `DurationSeconds`.
    mutating func durationOfRole() throws(ServiceError) -> Int? { try integer("DurationSeconds", range: 900...43_200) }

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
