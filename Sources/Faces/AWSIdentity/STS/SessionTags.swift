import Cloud
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The tags of a new session: those in the call, and those inherited from the caller's session.
/// (IAM User Guide, "Pass session tags in AWS STS".)
struct SessionTags {
    /// The tags in the call.
    var tags: [Tag]
    /// The keys of the tags that sessions made from this one inherit.
    var transitiveKeys: [String]
    /// The transitive tags of the caller's own session.
    var inherited: [Tag]

    /// Reads `Tags` and, if the operation has it, `TransitiveTagKeys`.
    init(_ parameters: inout QueryParameters, of caller: Caller, canBeTransitive: Bool) {
        tags = (0..<parameters.count(of: "Tags", most: 50)).map { index in
            let member = "Tags.member.\(index + 1)."
            return Tag(
                key: parameters.requiredText(member + "Key", length: 1...128, pattern: .sessionTagKey),
                value: parameters.requiredText(member + "Value", length: 0...256, pattern: .tagValue))
        }
        transitiveKeys =
            canBeTransitive ? parameters.list("TransitiveTagKeys", most: 50, length: 1...128, pattern: .tagKey) : []
        inherited = caller.session?.credentials.transitiveTags ?? []
    }

    var isEmpty: Bool { tags.isEmpty && inherited.isEmpty }

    /// Rejects invalid tags. Codes and messages are as observed of the real service.
    /// - Parameter ofSession: whether the tags are for a session. A session inherits tags that cannot be replaced, and its keys must not
    ///   begin
    ///   with `aws:`. Neither applies to tokens for external services.
    func check(ofSession: Bool = true) throws(ServiceError) {
        func invalid(_ message: String) -> ServiceError { ServiceError("InvalidParameterValue", .badRequest, message) }
        let keys = Set(tags.map { $0.key.lowercased() })
        guard keys.count == tags.count else {
            throw invalid("Duplicate tag keys found. Please note that Tag keys are case insensitive.")
        }
        guard !ofSession || !keys.contains(where: { $0.hasPrefix("aws:") }) else {
            throw invalid("aws: prefixed tag key names are not allowed for external use.")
        }
        guard transitiveKeys.allSatisfy({ keys.contains($0.lowercased()) }) else {
            throw invalid("The specified transitive tag key must be included in the requested tags.")
        }
        guard !ofSession || !inherited.contains(where: { keys.contains($0.key.lowercased()) }) else {
            throw invalid(
                "One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session."
            )
        }
    }

    /// `aws:RequestTag/…`, `aws:TagKeys` and `sts:TransitiveTagKeys`, by lowercased name.
    var conditionKeys: TextDictionary<ConditionValues> {
        RoleAssumption.requestKeys(tags, transitive: transitiveKeys)
    }

    /// Adds the tags to a session.
    func apply(to session: inout SessionCredentials) {
        session.set(tags: tags, inherited: inherited, transitive: transitiveKeys)
    }

    /// The packed size in bytes of the tags in the call.
    var size: Int { tags.reduce(0) { $0 + PackedSize.of(tag: $1.key, values: [$1.value]) } }
}

extension SessionRequests {
    /// The packed size in bytes of the tags that a provider requests; it counts as that of a call's tags.
    /// (IAM User Guide, "Pass session tags in AWS STS", "Things to know about session tags in AWS STS".)
    var tagBytes: Int { tags.reduce(0) { $0 + PackedSize.of(tag: $1.key, values: $1.values) } }
}

extension QueryParameters.Pattern {
    /// The pattern for keys of tags. STS reports an empty key also for its characters. (From public records of the real service.)
    fileprivate static let sessionTagKey = Self(text: tagKey.text, followsLength: true, accepts: tagKey.accepts, frame: { !$0.isEmpty })
}
