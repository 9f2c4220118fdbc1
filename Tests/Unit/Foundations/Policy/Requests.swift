import Policy
import WireFormats

/// The account of the tests' principals and resources, and another one.
let account = "123456789012"
let otherAccount = "210987654321"

let alice = Principal(.user(arn: "arn:aws:iam::\(account):user/staff/alice", id: "AIDAALICEALICEALICE1"), account: account)
let root = Principal(.root, account: account)
let roleSession = Principal(
    .assumedRole(
        roleARN: "arn:aws:iam::\(account):role/app/files", roleID: "AROAFILESFILESFILES1",
        sessionARN: "arn:aws:sts::\(account):assumed-role/files/s1"), account: account)
let federatedUser = Principal(
    .federatedUser(
        sessionARN: "arn:aws:sts::\(account):federated-user/guest", userARN: "arn:aws:iam::\(account):user/staff/alice",
        userID: "AIDAALICEALICEALICE1"), account: account)

func request(
    _ action: String = "s3:GetObject", on resource: String = "arn:aws:s3:::b/k", by principal: Principal = alice,
    owner: String = account, with keys: [String: ConditionValues] = [:]
) -> RequestContext {
    var context = ConditionKeys()
    for (key, values) in keys {
        context.set(key, to: values)
    }
    return RequestContext(action: action, resource: resource, principal: principal, resourceAccount: owner, keys: context)
}

/// Returns a policy with one statement: an Allow for everything, with the given elements added or replaced.
func policy(_ elements: JSONObject = [:], kind: PolicyDocument.Kind = .identity, version: String? = "2012-10-17") throws -> PolicyDocument {
    var statement: JSONObject = ["Effect": "Allow"]
    if elements["Action"] == nil, elements["NotAction"] == nil { statement["Action"] = kind == .trust ? "sts:*" : "*" }
    if kind != .trust, elements["Resource"] == nil, elements["NotResource"] == nil { statement["Resource"] = "*" }
    if kind == .resource, elements["Principal"] == nil, elements["NotPrincipal"] == nil { statement["Principal"] = "*" }
    for (name, value) in elements.members { statement[name] = value }
    var document: JSONObject = ["Statement": .object(statement)]
    if let version { document["Version"] = .string(version) }
    return try PolicyDocument(json: .object(document), kind: kind)
}

/// Returns whether an identity policy with one statement allows the request.
func allows(_ elements: JSONObject, _ request: RequestContext, version: String? = "2012-10-17") throws -> Bool {
    try PolicySet(identity: [AttachedPolicy("p", policy(elements, version: version))]).decision(for: request).isAllowed
}

/// Returns whether a condition is satisfied in a request with these keys.
func holds(_ operatorName: String, _ key: String, _ values: JSONValue, _ keys: [String: ConditionValues], version: String? = "2012-10-17")
    throws
    -> Bool
{
    try allows(["Condition": .one(operatorName, .one(key, values))], request(with: keys), version: version)
}

func holds(_ operatorName: String, _ wanted: JSONValue, _ value: String) throws -> Bool {
    try holds(operatorName, "x:k", wanted, ["x:k": .one(value)])
}

extension JSONValue {
    /// An object with one member.
    static func one(_ name: String, _ value: JSONValue) -> JSONValue { .object(JSONObject([(name, value)])) }
}
