import Cloud
import Federation
import Policy
import WireFormats

extension PolicyDocument {
    /// Rejects elements that are invalid in the policy of a bucket: actions of other services, resources outside the bucket, and Allow with
    /// NotPrincipal. (S3 User Guide, "Policies and permissions in Amazon S3".)
    /// - Throws: `MalformedPolicy`.
    func checkScope(bucket: String, _ dialect: Dialect) throws(S3Error) {
        for statement in json["Statement"]?.listed ?? [] {
            guard statement["NotPrincipal"] == nil || statement["Effect"]?.stringValue != "Allow" else {
                throw S3Error(.malformedPolicy, "Allow with NotPrincipal is not allowed.")
            }
            let actions = (statement["Action"] ?? statement["NotAction"])?.listed ?? []
            for action in actions.compactMap(\.stringValue) where action != "*" {
                guard namesAction(action) else { throw S3Error(.malformedPolicy, "Policy has invalid action") }
            }
            let resources = (statement["Resource"] ?? statement["NotResource"])?.listed ?? []
            for resource in resources.compactMap(\.stringValue) {
                guard reaches(resource, bucket) else { throw S3Error(.malformedPolicy, "Policy has invalid resource") }
            }
            if dialect == .aws { try checkCombination(statement) }
        }
    }

    /// Rejects an action that applies to none of the statement's resources, unknown condition keys of S3, and a condition key that one of
    /// the actions does not have. Of the actions that a value with wildcards matches, one must have the key.
    private func checkCombination(_ statement: JSONValue) throws(S3Error) {
        let keys = statement["Condition"]?.objectValue?.members.flatMap { $0.value.objectValue?.members.map(\.name) ?? [] } ?? []
        let isKnown = keys.allSatisfy(S3ConditionKeys.isKnown)
        if let actions = statement["Action"]?.listed, let resources = statement["Resource"]?.listed {
            let names = resources.compactMap(\.stringValue)
            let (meansObjects, meansBucket) = (names.contains(where: meansObjects), names.contains(where: meansBucket))
            for action in actions.compactMap(\.stringValue) where action != "*" {
                let named = S3Actions.matching(action).filter { S3Actions.actsOnObjects($0) ? meansObjects : meansBucket }
                guard !named.isEmpty else { throw S3Error(.malformedPolicy, "Action does not apply to any resource(s) in statement") }
                for key in keys where isKnown && !named.contains(where: { S3ConditionKeys.applies(key, to: $0) }) {
                    throw S3Error(.malformedPolicy, "Conditions do not apply to combination of actions and resources in statement")
                }
            }
        }
        guard isKnown else { throw S3Error(.malformedPolicy, "Policy has an invalid condition key") }
    }
}

private let resourcePrefix = "arn:aws:s3:::"

/// Whether an ARN can match objects.
private func meansObjects(_ resource: String) -> Bool { resource.utf8.contains { "/*?".utf8.contains($0) } }

/// Whether an ARN can match a bucket itself.
private func meansBucket(_ resource: String) -> Bool { !resource.utf8.contains(UInt8(ascii: "/")) }

/// Whether a value of the Action element matches an existing action.
private func namesAction(_ text: String) -> Bool { !S3Actions.matching(text).isEmpty }

extension S3Actions {
    /// Returns the actions that a value of the Action element matches.
    fileprivate static func matching(_ text: String) -> [String] {
        let pattern = text.lowercased()
        guard pattern.hasPrefix("s3:") else { return [] }
        let name = Array(pattern.utf8.dropFirst(3))
        return names.filter { fits($0, name) }
    }
}

/// Whether an ARN, which can contain wildcards, can match the bucket or an object in it.
private func reaches(_ resource: String, _ bucket: String) -> Bool {
    guard resource.hasPrefix(resourcePrefix) else { return false }
    let name = resource.utf8.dropFirst(resourcePrefix.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    return fits(bucket, Array(name))
}

/// Whether a name matches a pattern with `*` and `?`.
private func fits(_ name: String, _ pattern: [UInt8]) -> Bool {
    matches(Array(name.utf8), pattern: pattern, many: UInt8(ascii: "*"), one: UInt8(ascii: "?"))
}

extension JSONValue {
    /// The members of an array, or the value itself: policies may replace an array of one member by the member.
    fileprivate var listed: [JSONValue] { arrayValue ?? [self] }
}
