import Policy
import WireFormats

/// The text of a bucket policy as S3 returns it: compact, with its elements in a fixed order, and with the version that applies if the
/// document has none. A list of one value is the value, and an account ID as principal is the ARN of the account.
/// (aws/aws-cli#849, hashicorp/terraform#2432, hashicorp/terraform#9036; the order of the other lists is kept.)
enum BucketPolicyText {
    private static let elements = ["Version", "Id", "Statement"]
    private static let statementElements = [
        "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition",
    ]

    /// Returns the text of a valid policy.
    static func text(of policy: JSONValue) -> String {
        var members = policy.objectValue ?? JSONObject()
        if members["Version"] == nil { members["Version"] = "2008-10-17" }
        members["Statement"] = members["Statement"].map { .array(($0.arrayValue ?? [$0]).map(statement)) }
        return ordered(members, elements).serialized()
    }

    private static func statement(_ statement: JSONValue) -> JSONValue {
        guard var members = statement.objectValue else { return statement }
        for name in ["Principal", "NotPrincipal"] {
            members[name] = members[name].map { principals in
                mapped(principals) { type, value in type == "AWS" ? each(value, PolicyDocument.accountARN) : value }
            }
        }
        for name in ["Action", "NotAction", "Resource", "NotResource"] { members[name] = members[name].map(bare) }
        members["Condition"] = members["Condition"].map { mapped($0) { _, keys in mapped(keys) { _, value in value } } }
        return ordered(members, statementElements)
    }

    /// Returns an object with changed values, each without the list around a single one; other values are returned unchanged.
    private static func mapped(_ value: JSONValue, _ change: (String, JSONValue) -> JSONValue) -> JSONValue {
        guard let members = value.objectValue?.members else { return value }
        return .object(JSONObject(members.map { ($0.name, bare(change($0.name, $0.value))) }))
    }

    private static func each(_ value: JSONValue, _ change: (JSONValue) -> JSONValue) -> JSONValue {
        value.arrayValue.map { .array($0.map(change)) } ?? change(value)
    }

    /// Returns the only member of an array, or the value itself.
    private static func bare(_ value: JSONValue) -> JSONValue {
        guard let list = value.arrayValue, list.count == 1 else { return value }
        return list[0]
    }

    private static func ordered(_ members: JSONObject, _ order: [String]) -> JSONValue {
        .object(JSONObject(order.compactMap { name in members[name].map { (name, $0) } }))
    }
}
