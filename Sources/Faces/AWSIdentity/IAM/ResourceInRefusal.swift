import Policy
import WireFormats

/// The name of a resource in IAM's access denied errors. An existing entity appears by kind and name (`role admin`), one that would be
/// created or passed by its ARN (observed of AWS).
struct ResourceInRefusal {
    let text: String

    init(_ context: RequestContext) {
        let action = context.action.drop { $0 != ":" }.dropFirst()
        let fields = context.resource.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        let parts = (fields.last ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard fields.count == 6, parts.count > 1, let kind = Self.kinds[parts[0]], let name = parts.last else {
            text = context.resource
            return
        }
        if parts[0] == "policy" {
            text =
                switch action {
                case "ListPolicies": "policy path \(fields[5].dropFirst("policy".count))"
                case "CreatePolicy": "policy \(name)"
                default: action.hasPrefix("Tag") || action.hasPrefix("Untag") ? context.resource : "policy \(context.resource)"
                }
            return
        }
        let isByARN = name.isEmpty || name == "*" || Self.byARN.contains { action.hasPrefix($0) }
        text = isByARN ? context.resource : "\(kind) \(name)"
    }

    private static let kinds: [Substring: String] = [
        "user": "user", "role": "role", "group": "group", "instance-profile": "instance profile", "policy": "policy",
    ]

    /// The prefixes of actions whose errors contain the ARN.
    private static let byARN = [
        "CreateUser", "CreateRole", "CreateGroup", "CreateInstanceProfile", "CreateServiceLinkedRole", "GetContextKeysForPrincipalPolicy",
        "PassRole", "SimulatePrincipalPolicy", "Tag", "Untag",
    ]
}
