import Federation
import Policy
import WireFormats

extension PolicyDocument {
    /// Refuses what the policy of a bucket cannot speak of: actions that are not S3's, resources that are neither the bucket
    /// nor in it, and permission for everybody but some. (S3 User Guide, "Policies and permissions in Amazon S3".)
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

    /// Refuses an action that acts on none of the statement's resources, and condition keys of S3 that there are not.
    private func checkCombination(_ statement: JSONValue) throws(S3Error) {
        if let actions = statement["Action"]?.listed, let resources = statement["Resource"]?.listed {
            let names = resources.compactMap(\.stringValue)
            let (meansObjects, meansBucket) = (names.contains(where: meansObjects), names.contains(where: meansBucket))
            for action in actions.compactMap(\.stringValue) where action != "*" {
                let applies = S3Actions.matching(action).contains { S3Actions.actsOnObjects($0) ? meansObjects : meansBucket }
                guard applies else { throw S3Error(.malformedPolicy, "Action does not apply to any resource(s) in statement") }
            }
        }
        let keys = statement["Condition"]?.objectValue?.members.flatMap { $0.value.objectValue?.members.map(\.name) ?? [] } ?? []
        guard keys.allSatisfy(S3ConditionKeys.isKnown) else { throw S3Error(.malformedPolicy, "Policy has an invalid condition key") }
    }
}

private let resourcePrefix = "arn:aws:s3:::"

/// Whether an ARN can mean objects.
private func meansObjects(_ resource: String) -> Bool { resource.utf8.contains { "/*?".utf8.contains($0) } }

/// Whether an ARN can mean a bucket itself.
private func meansBucket(_ resource: String) -> Bool { !resource.utf8.contains(UInt8(ascii: "/")) }

/// Whether a text of the Action element means an action that there is.
private func namesAction(_ text: String) -> Bool { !S3Actions.matching(text).isEmpty }

extension S3Actions {
    /// The actions that a text of the Action element means.
    fileprivate static func matching(_ text: String) -> [String] {
        let pattern = text.lowercased()
        guard pattern.hasPrefix("s3:") else { return [] }
        let name = Array(pattern.utf8.dropFirst(3))
        return names.filter { fits($0, name) }
    }
}

/// Whether an ARN, wildcards among it, can mean a bucket or something in it.
private func reaches(_ resource: String, _ bucket: String) -> Bool {
    guard resource.hasPrefix(resourcePrefix) else { return false }
    let name = resource.utf8.dropFirst(resourcePrefix.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    return fits(bucket, Array(name))
}

/// Compares a name with a pattern of `*` and `?`.
private func fits(_ name: String, _ pattern: [UInt8]) -> Bool {
    matches(Array(name.utf8), pattern: pattern, many: UInt8(ascii: "*"), one: UInt8(ascii: "?"))
}

extension JSONValue {
    /// The members of a list, or the value itself where policies may leave the list out.
    fileprivate var listed: [JSONValue] { arrayValue ?? [self] }
}
