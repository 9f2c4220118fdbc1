// Measures how long one decision takes: swift run -c release --toolset docker/toolset.json Decisions
//
// Each row is a set of policies and a request. Policies are compiled before the measurement, as they are when they are stored. The
// benchmark measures the evaluation of one request, with new condition keys as for a real request.

import Policy
import WireFormats

/// A set of policies and a request that it decides.
struct Scene {
    var name: String
    var policies: PolicySet
    var expected: Bool
}

func attached(_ statements: [JSONValue], _ kind: PolicyDocument.Kind = .identity) throws -> AttachedPolicy {
    AttachedPolicy("p", try PolicyDocument(json: ["Version": "2012-10-17", "Statement": .array(statements)], kind: kind))
}

func statement(_ action: String, _ resource: String, condition: JSONValue? = nil, effect: String = "Allow") -> JSONValue {
    var statement: JSONObject = ["Effect": .string(effect), "Action": .string(action), "Resource": .string(resource)]
    statement["Condition"] = condition
    return .object(statement)
}

/// Returns a number of statements about other services and resources, then the one that applies.
func many(_ count: Int) -> [JSONValue] {
    (0..<count - 1).map { index in
        statement(["dynamodb:*", "s3:PutObject", "s3:Get*", "ec2:Describe*"][index % 4], "arn:aws:s3:::bucket-\(index)/*")
    } + [statement("s3:GetObject", "arn:aws:s3:::personal-files/${aws:username}/*")]
}

let account = "123456789012"
let alice = Principal(.user(arn: "arn:aws:iam::\(account):user/alice", id: "AIDAALICE"), account: account)
let own = statement("s3:*", "arn:aws:s3:::personal-files/${aws:username}/*")
let conditions: JSONValue = [
    "StringEquals": ["aws:username": ["bob", "alice"]], "IpAddress": ["aws:SourceIp": ["192.0.2.0/24", "10.0.0.0/8"]],
    "Bool": ["aws:SecureTransport": "true"], "DateGreaterThan": ["aws:CurrentTime": "2026-01-01T00:00:00Z"],
]
let bucket: [JSONValue] = [
    .object([
        "Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "*", "Condition": ["Bool": ["aws:SecureTransport": "false"]],
    ])
]

let scenes = [
    Scene(name: "one statement", policies: PolicySet(identity: [try attached([statement("s3:GetObject", "*")])]), expected: true),
    Scene(name: "one statement with a variable", policies: PolicySet(identity: [try attached([own])]), expected: true),
    Scene(
        name: "one statement with four conditions",
        policies: PolicySet(identity: [try attached([statement("s3:*", "*", condition: conditions)])]), expected: true),
    Scene(
        name: "user, boundary, session and bucket",
        policies: PolicySet(
            identity: [try attached([own])], boundary: try attached([statement("s3:*", "*")]),
            session: [try attached([statement("s3:Get*", "*")])], resource: try attached(bucket, .resource)), expected: true),
    Scene(name: "50 statements", policies: PolicySet(identity: [try attached(many(50))]), expected: true),
    Scene(
        name: "10 policies of 100 statements", policies: PolicySet(identity: try (0..<10).map { _ in try attached(many(100)) }),
        expected: true),
    Scene(
        name: "1,000 statements, none of which applies",
        policies: PolicySet(identity: [try attached(Array(repeating: statement("s3:GetObject", "arn:aws:s3:::other/*"), count: 1000))]),
        expected: false),
]

func request() -> RequestContext {
    var keys = ConditionKeys { key in
        switch key {
        case "aws:sourceip": .one("10.1.2.3")
        case "aws:securetransport": .one("true")
        case "aws:currenttime": .one("2026-11-21T12:00:00Z")
        default: nil
        }
    }
    keys.set("aws:username", to: "alice")
    return RequestContext(
        action: "s3:GetObject", resource: "arn:aws:s3:::personal-files/alice/notes.txt", principal: alice, resourceAccount: account,
        keys: keys)
}

let clock = ContinuousClock()
print("| policies | µs per decision |")
print("| --- | ---: |")
for scene in scenes {
    guard scene.policies.decision(for: request()).isAllowed == scene.expected else {
        print("\(scene.name): decided otherwise than expected")
        continue
    }
    var best = Double.infinity
    for _ in 0..<5 {
        var count = 0
        var allowed = 0
        let begin = clock.now
        while begin.duration(to: clock.now) < .milliseconds(200) {
            for _ in 0..<100 where scene.policies.decision(for: request()).isAllowed { allowed += 1 }
            count += 100
        }
        let elapsed = begin.duration(to: clock.now).components
        let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
        guard allowed == (scene.expected ? count : 0) else { break }
        best = min(best, seconds / Double(count) * 1e6)
    }
    print("| \(scene.name) | \((best * 100).rounded() / 100) |")
}
