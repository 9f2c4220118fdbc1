extension ManagedPolicy {
    /// The policies that AWS manages, by ARN. (AWS Managed Policy Reference.)
    package static let ofAWS: [String: ManagedPolicy] = [:]
}
