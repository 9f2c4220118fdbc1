import WireFormats

/// The packed size of what callers pass for a session: its tags, and the policies that narrow it.
///
/// AWS publishes neither the packed form nor its limit (STS API Reference, "AssumeRole", `PackedPolicySize`). These numbers agree with every
/// published figure whose tags or policy are known:
///
/// | passed | percent | source |
/// | --- | --- | --- |
/// | two tags of two characters | 2 | event of CloudTrail, 2021 |
/// | three tags of two characters | 3 | event of CloudTrail, 2021 |
/// | the six tags of EKS Pod Identity, of 240 and of 263 characters | 56, 61 | events of CloudTrail, 2024 |
/// | nine tags of 252 characters | 498 | aws-actions/configure-aws-credentials#1898, 2026 |
/// | a policy that allows `*` | 4 | event of CloudTrail, 2024 |
/// | a policy that allows `ec2:DescribeVpcEndpoints` | 9 | Snowflake's documentation, 2024 |
/// | a policy of six actions in four statements, and one ARN | 36 | AWS CLI Command Reference, "get-federation-token" |
///
/// Sizes add up: 37 and 74 percent are 112 together (aws/containers-roadmap#2413), so percentages are rounded down. No figure is known of
/// conditions and statement IDs, which count here like actions, and only one with an ARN, which leaves one byte for it.
package enum PackedSize {
    /// The limit in bytes.
    package static let limit = 460

    /// The bytes of a call with policies, without their documents and ARNs.
    package static let ofPolicies = 15

    /// The bytes of the ARN of a managed policy.
    package static let ofARN = 1

    /// Returns the bytes of a session tag. Only the dialect of RADOS Gateway has tags of several values.
    package static func of(tag key: String, values: [String]) -> Int { values.reduce(key.utf8.count + 2) { $0 + $1.utf8.count + 1 } }

    /// Returns the bytes of a policy document.
    static func of(policy: JSONValue) -> Int {
        let statements = policy["Statement"].map { $0.arrayValue ?? [$0] } ?? []
        return statements.reduce(0) { $0 + 1 + of(statement: $1) }
    }

    private static func of(statement: JSONValue) -> Int {
        (statement.objectValue?.members ?? []).reduce(0) { $0 + ($1.name == "Effect" ? 0 : of(texts: $1.value)) }
    }

    private static func of(texts value: JSONValue) -> Int {
        if let values = value.arrayValue { return values.reduce(0) { $0 + of(texts: $1) } }
        if let object = value.objectValue { return object.members.reduce(0) { $0 + 1 + $1.name.utf8.count + of(texts: $1.value) } }
        return 1 + (value.stringValue ?? value.serialized()).utf8.count
    }

    /// Returns a number of bytes in percent of the limit.
    package static func percent(_ bytes: Int) -> Int { bytes * 100 / limit }
}
