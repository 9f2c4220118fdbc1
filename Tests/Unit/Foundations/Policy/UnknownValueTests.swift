import Testing
import WireFormats

@testable import Policy

@Suite("A value that cannot be known")
struct UnknownValueTests {
    static let conditions: [(String, JSONValue)] = [
        ("IpAddress", "127.0.0.0/8"), ("NotIpAddress", "127.0.0.0/8"), ("IpAddressIfExists", "127.0.0.0/8"),
        ("NotIpAddressIfExists", "127.0.0.0/8"), ("ForAnyValue:IpAddress", "127.0.0.0/8"), ("ForAllValues:IpAddress", "127.0.0.0/8"),
        ("StringEquals", "127.0.0.1"), ("StringNotEquals", "127.0.0.1"), ("StringLike", "*"), ("StringNotLike", "u*"), ("Null", "true"),
        ("Null", "false"),
    ]

    @Test("satisfies no condition of an Allow statement", arguments: conditions)
    func allow(name: String, value: JSONValue) throws { #expect(try !holds(name, "aws:SourceIp", value, ["aws:sourceip": .unknown])) }

    @Test("satisfies each condition of a Deny statement", arguments: conditions)
    func deny(name: String, value: JSONValue) throws {
        let denial = try policy(["Effect": "Deny", "Condition": .one(name, .one("aws:SourceIp", value))])
        let set = PolicySet(identity: [AttachedPolicy("a", try policy()), AttachedPolicy("d", denial)])
        #expect(!set.decision(for: request(with: ["aws:sourceip": .unknown])).isAllowed)
    }

    @Test("does not keep a statement without a condition on it from allowing")
    func others() throws { #expect(try allows([:], request(with: ["aws:sourceip": .unknown]))) }

    // MARK: Policy variables

    private static let unknown: [String: ConditionValues] = [
        "aws:sourceip": .unknown, "x:text": .one("b"), "x:list": .many(["b", "c"]), "x:arn": .one("arn:aws:s3:::b"),
    ]

    private static let address = "${aws:SourceIp}"

    /// Elements of a statement that apply or not, as the value decides.
    static let undecided: [JSONObject] = {
        var elements: [JSONObject] = [
            ["Resource": "arn:aws:s3:::b/\(address)"], ["NotResource": "arn:aws:s3:::b/\(address)"],
            ["Resource": "arn:aws:s3:::b/\(address)*"], ["Resource": "arn:aws:s3:::?/\(address)"],
            ["Resource": "arn:aws:s3:::b/${aws:SourceIp, 'k'}"], ["NotResource": "arn:aws:s3:::b/${aws:SourceIp, 'other'}"],
            ["Resource": ["arn:aws:s3:::other", "arn:aws:s3:::b/\(address)"]],
            ["NotResource": ["arn:aws:s3:::other", "arn:aws:s3:::b/\(address)"]],
        ]
        func add(_ key: String, _ values: JSONValue, _ operators: [String]) {
            for name in operators { elements.append(["Condition": .one(name, .one(key, values))]) }
        }
        let texts = [
            "StringEquals", "StringNotEquals", "StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase", "StringLike", "StringNotLike",
            "StringEqualsIfExists", "StringNotLikeIfExists",
        ]
        add("x:text", "\(address)", texts)
        add("x:text", ["a", "\(address)"], texts)
        add(
            "x:list", "\(address)",
            ["ForAnyValue:StringEquals", "ForAllValues:StringLike", "ForAnyValue:StringNotEquals", "ForAllValues:StringNotLike"])
        add("x:arn", "arn:aws:s3:::\(address)", ["ArnEquals", "ArnLike", "ArnNotEquals", "ArnNotLike"])
        return elements
    }()

    @Test("keeps a statement with its variable from allowing and never from denying", arguments: undecided)
    func variable(elements: JSONObject) throws {
        let asked = request(with: Self.unknown)
        let denial = try policy(JSONObject([("Effect", "Deny")] + elements.members.map { ($0.name, $0.value) }))
        let denying = PolicySet(identity: [AttachedPolicy("a", try policy()), AttachedPolicy("d", denial)])
        #expect(try !allows(elements, asked))
        #expect(!denying.decision(for: asked).isAllowed)
        #expect(denying.trace(for: asked).entries.map(\.mismatch) == [nil, nil])
    }

    /// Elements that apply whatever the value is, and elements that never do.
    static let decided: [(JSONObject, Bool)] = [
        (["Resource": "arn:aws:s3:::other/\(address)"], false), (["NotResource": "arn:aws:s3:::other/\(address)"], true),
        (["Resource": ["arn:aws:s3:::other/\(address)", "arn:aws:s3:::b/k"]], true),
        (["NotResource": ["arn:aws:s3:::other/\(address)", "arn:aws:s3:::b/k"]], false),
        // A variable without a value matches nothing.
        (["Resource": "arn:aws:s3:::b/\(address)${x:No}"], false),
        (["Condition": ["StringEquals": ["x:text": ["b", "\(address)"]]]], true),
        (["Condition": ["StringNotEquals": ["x:text": ["b", "\(address)"]]]], false),
        (["Condition": ["StringLike": ["x:text": "a\(address)"]]], false),
        (["Condition": ["StringEquals": ["x:none": "\(address)"]]], false),
        (["Condition": ["StringNotEquals": ["x:none": "\(address)"]]], true),
    ]

    @Test("does not matter where another value decides", arguments: decided)
    func definite(elements: JSONObject, applies: Bool) throws {
        let asked = request(with: Self.unknown)
        let denial = try policy(JSONObject([("Effect", "Deny")] + elements.members.map { ($0.name, $0.value) }))
        let denying = PolicySet(identity: [AttachedPolicy("a", try policy()), AttachedPolicy("d", denial)])
        #expect(try allows(elements, asked) == applies)
        #expect(denying.decision(for: asked).isAllowed != applies)
    }

    @Test("is named in the explanation")
    func explanation() throws {
        let set = PolicySet(identity: [AttachedPolicy("p", try policy(["Resource": "arn:aws:s3:::b/\(Self.address)"]))])
        let wanted = set.trace(for: request(with: Self.unknown)).entries.first?.mismatch?.wanted
        #expect(wanted == ["arn:aws:s3:::b/${aws:SourceIp} → the value of aws:SourceIp is not known"])
    }

    @Test("satisfies no condition of an Allow statement of Alibaba Cloud, and each of a Deny statement")
    func ram() throws {
        for effect in ["Allow", "Deny"] {
            for name in ["IpAddress", "NotIpAddress"] {
                let statement: JSONValue = [
                    "Effect": .string(effect), "Action": "oss:*", "Resource": "*",
                    "Condition": .one(name, ["acs:SourceIp": "127.0.0.0/8"]),
                ]
                let all: JSONValue = ["Effect": "Allow", "Action": "oss:*", "Resource": "*"]
                let document = try PolicyDocument(
                    json: ["Version": "1", "Statement": effect == "Allow" ? [statement] : [all, statement]], kind: .identity, dialect: .ram)
                let asked = request("oss:GetObject", on: "acs:oss:*:\(account):b/k", with: ["acs:sourceip": .unknown])
                #expect(!PolicySet(identity: [AttachedPolicy("p", document)], rule: .ram).decision(for: asked).isAllowed)
            }
        }
    }

    // MARK: In favor of the request

    /// Returns whether a statement allows, and whether with another one it denies, if unknown values favor the request.
    private func favored(_ elements: JSONObject) throws -> (allows: Bool, denies: Bool) {
        var asked = request(with: Self.unknown)
        asked.favorsUnknown = true
        let denial = try policy(JSONObject([("Effect", "Deny")] + elements.members.map { ($0.name, $0.value) }))
        let denying = PolicySet(identity: [AttachedPolicy("a", try policy()), AttachedPolicy("d", denial)])
        return (try allows(elements, asked), !denying.decision(for: asked).isAllowed)
    }

    @Test("lets every statement allow that could apply, and none deny", arguments: undecided)
    func favor(elements: JSONObject) throws {
        let found = try favored(elements)
        #expect(found.allows)
        #expect(!found.denies)
    }

    @Test("still does not matter where another value decides", arguments: decided)
    func favorDefinite(elements: JSONObject, applies: Bool) throws {
        let found = try favored(elements)
        #expect(found.allows == applies)
        #expect(found.denies == applies)
    }

    @Test("lets every condition on it hold in an Allow statement", arguments: conditions)
    func favorConditions(name: String, value: JSONValue) throws {
        let found = try favored(["Condition": .one(name, .one("aws:SourceIp", value))])
        #expect(found.allows)
        #expect(!found.denies)
    }
}
