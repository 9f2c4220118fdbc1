import HTTPTypes
import Policy
import WireFormats

/// An entry of `PolicyExclusionList`: policies that a simulation ignores. (IAM API Reference, "PolicyIdentifier".)
enum PolicyExclusion: Equatable, Sendable {
    case inlinePolicies, awsManaged, userManaged, boundary
    /// Policies of organizations, which Virga does not have.
    case organization
    /// A managed policy by its ARN, which may contain wildcards.
    case arn(String)
    case inline(PolicyHolderKind, holder: String, name: String)

    private static let types: [String: PolicyExclusion] = [
        "scp": .organization, "permission-boundary": .boundary, "aws-managed": .awsManaged, "inline": .inlinePolicies,
        "user-managed": .userManaged, "rcp": .organization,
    ]

    /// Returns whether the policy is excluded. This does not apply to boundaries: only ``boundary`` excludes them.
    func covers(_ policy: AttachedPolicy) -> Bool {
        switch (self, policy.origin) {
        case (.inlinePolicies, .inline): true
        case (.awsManaged, .managed(let arn)): arn.hasPrefix("arn:aws:iam::aws:")
        case (.userManaged, .managed(let arn)): !arn.hasPrefix("arn:aws:iam::aws:")
        case (.arn(let pattern), .managed(let arn)): Self.matches(pattern, arn) || Self.matches(pattern, Self.pathless(arn))
        case (.inline(let kind, let holder, let name), .inline(let ofKind, let ofHolder, let policyName)):
            kind == ofKind && name == policyName && Self.matches(holder, ofHolder)
        default: false
        }
    }

    /// Returns `arn:…:policy/a/b/name` as `arn:…:policy/name`.
    private static func pathless(_ arn: String) -> String {
        guard let first = arn.firstIndex(of: "/"), let last = arn.lastIndex(of: "/") else { return arn }
        return String(arn[...first] + arn[arn.index(after: last)...])
    }

    /// Returns whether a text matches a pattern, in which `*` matches any characters and `?` one.
    private static func matches(_ pattern: String, _ text: String) -> Bool {
        WireFormats.matches(Array(text), pattern: Array(pattern), many: "*", one: "?")
    }

    /// Reads `PolicyExclusionList`.
    static func list(_ parameters: inout QueryParameters) throws(ServiceError) -> [PolicyExclusion] {
        var exclusions: [PolicyExclusion] = []
        for index in 0..<parameters.count(of: "PolicyExclusionList", most: 256) {
            let prefix = "PolicyExclusionList.member.\(index + 1)."
            let inline = prefix + "InlinePolicyIdentifier."
            let type = parameters.choice(
                prefix + "PolicyType", of: ["scp", "permission-boundary", "aws-managed", "inline", "user-managed", "rcp"])
            let arn = parameters.text(prefix + "PolicyArn", length: 20...2048, pattern: .arn)
            var named: PolicyExclusion?
            let kind = parameters.choice(inline + "AttachmentType", of: ["user", "group", "role"])
            if let kind = kind.flatMap(PolicyHolderKind.init(rawValue:)) {
                let holder = parameters.requiredText(inline + "AttachmentName", length: 1...128)
                named = .inline(kind, holder: holder, name: parameters.requiredText(inline + "PolicyName", length: 1...128, pattern: .name))
            }
            let given = [type.flatMap { types[$0] }, arn.map(PolicyExclusion.arn), named].compactMap(\.self)
            try parameters.check()
            guard given.count == 1, let exclusion = given.first else {
                throw .invalidInput("Each policy identifier must specify exactly one of PolicyType, PolicyArn or InlinePolicyIdentifier.")
            }
            if let arn {
                let name = arn.split(separator: "/").last ?? ""
                guard arn.hasPrefix("arn:"), arn.contains(":policy/"), name.count(where: { $0 == "*" }) <= 1,
                    !arn.dropLast(name.count).contains(where: { "*?".contains($0) })
                else { throw .invalidInput("Invalid ARN provided in the request: \(arn)") }
            }
            exclusions.append(exclusion)
        }
        return exclusions
    }
}
