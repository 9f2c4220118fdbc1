import Policy
import Testing
import WireFormats

@Suite("Policy variables")
struct PolicyVariableTests {
    static let keys: [String: ConditionValues] = [
        "aws:username": .one("alice"), "aws:PrincipalTag/Team": .one("a*"), "x:many": .many(["a"]), "x:empty": .one(""),
    ]

    @Test(
        "in a resource are replaced by the value of a key",
        arguments: [
            ("arn:aws:s3:::b/${aws:username}", "arn:aws:s3:::b/alice", true),
            ("arn:aws:s3:::b/${AWS:UserName}/*", "arn:aws:s3:::b/alice/x", true),
            ("arn:aws:s3:::b/${aws:username}/*", "arn:aws:s3:::b/bob/x", false),
            ("arn:aws:s3:::b/${aws:username}*", "arn:aws:s3:::b/alicex", true),
            ("arn:aws:s3:::b/${x:missing}", "arn:aws:s3:::b/", false),
            ("arn:aws:s3:::b/${x:missing}", "arn:aws:s3:::b/${x:missing}", false),
            ("arn:aws:s3:::b/${x:empty}k", "arn:aws:s3:::b/k", true), ("arn:aws:s3:::b/${x:missing, 'all'}", "arn:aws:s3:::b/all", true),
            ("arn:aws:s3:::b/${x:missing,''}k", "arn:aws:s3:::b/k", true),
            ("arn:aws:s3:::b/${aws:username, 'all'}", "arn:aws:s3:::b/all", false),
            ("arn:aws:s3:::b/${x:missing, 'a}*'}", "arn:aws:s3:::b/a}*", true),
            ("arn:aws:s3:::b/${x:missing, 'a*'}", "arn:aws:s3:::b/ab", false),
            ("arn:aws:s3:::b/${x:many}", "arn:aws:s3:::b/a", false),
            ("arn:aws:s3:::${aws:username}/${aws:username}", "arn:aws:s3:::alice/alice", true),
        ] as [(String, String, Bool)])
    func resources(_ pattern: String, _ resource: String, _ matches: Bool) throws {
        #expect(try allows(["Resource": .string(pattern)], request(on: resource, with: Self.keys)) == matches)
    }

    @Test("wildcards in a value are literal")
    func literalValues() throws {
        let elements: JSONObject = ["Resource": "arn:aws:s3:::b/${aws:PrincipalTag/team}"]
        #expect(try allows(elements, request(on: "arn:aws:s3:::b/a*", with: Self.keys)))
        #expect(try !allows(elements, request(on: "arn:aws:s3:::b/ab", with: Self.keys)))
    }

    @Test(
        "escapes represent the characters themselves",
        arguments: [
            ("${*}", "*", true), ("${*}", "x", false), ("a${?}", "a?", true), ("a${?}", "ab", false),
            ("${$}{aws:username}", "${aws:username}", true),
        ])
    func escapes(_ pattern: String, _ text: String, _ matches: Bool) throws {
        #expect(try holds("StringLike", .string(pattern), text) == matches)
        #expect(try holds("StringEquals", .string(pattern), text) == matches)
    }

    @Test("are plain text before version 2012-10-17", arguments: ["2008-10-17", nil])
    func oldVersion(_ version: String?) throws {
        let elements: JSONObject = ["Resource": "arn:aws:s3:::b/${aws:username}"]
        #expect(try !allows(elements, request(on: "arn:aws:s3:::b/alice", with: Self.keys), version: version))
        #expect(try allows(elements, request(on: "arn:aws:s3:::b/${aws:username}", with: Self.keys), version: version))
        #expect(try holds("StringEquals", "x:k", "${*}", ["x:k": .one("${*}")], version: version))
    }

    @Test(
        "are replaced in string and ARN conditions",
        arguments: [
            ("StringEquals", "${aws:username}", "alice", true), ("StringEquals", "${aws:username}", "bob", false),
            ("StringNotEquals", "${aws:username}", "alice", false), ("StringNotEquals", "${aws:username}", "bob", true),
            ("StringLike", "${aws:username}/*", "alice/x", true), ("StringLike", "${aws:username}/*", "bob/x", false),
            ("StringEqualsIgnoreCase", "${aws:username}", "ALICE", true), ("StringEqualsIgnoreCase", "x-${aws:username}", "X-Bob", false),
            ("ArnLike", "arn:aws:iam::*:user/${aws:username}", "arn:aws:iam::1:user/alice", true),
            ("ArnLike", "arn:aws:iam::*:user/${aws:username}", "arn:aws:iam::1:user/bob", false),
            ("StringEquals", "${x:missing}", "", false), ("StringNotEquals", "${x:missing}", "a", true),
            ("ArnEquals", "arn:aws:iam::1:user/${x:missing}", "arn:aws:iam::1:user/", false),
            ("ArnNotEquals", "arn:aws:iam::1:user/${x:missing}", "arn:aws:iam::1:user/a", true),
        ] as [(String, String, String, Bool)])
    func conditions(_ operatorName: String, _ wanted: String, _ value: String, _ expected: Bool) throws {
        var keys = Self.keys
        keys["x:k"] = .one(value)
        #expect(try holds(operatorName, "x:k", .string(wanted), keys) == expected)
    }

    @Test("a whole ARN can be a variable, and is then compared field by field")
    func wholeARN() throws {
        let keys: [String: ConditionValues] = [
            "x:k": .one("arn:aws:iam::1:role/a"), "x:arn": .one("arn:aws:iam::1:role/a"), "x:no": .one("a"),
        ]
        #expect(try holds("ArnEquals", "x:k", "${x:arn}", keys))
        #expect(try !holds("ArnEquals", "x:k", "${x:no}", keys))
    }

    @Test(
        "that are malformed make the policy invalid",
        arguments: [
            "${aws:username", "${}", "${username}", "${aws:username, none}", "${aws:username, 'x'", "${aws:username, 'x' y}", "${ , 'x'}",
            "${:x}",
        ])
    func malformed(_ text: String) {
        #expect(throws: PolicySyntaxError.self) { try policy(["Resource": .string("arn:aws:s3:::b/" + text)]) }
        #expect(throws: PolicySyntaxError.self) { try policy(["Condition": ["StringEquals": ["x:k": .string(text)]]]) }
    }

    @Test("are allowed only after the fifth colon of a resource", arguments: ["arn:aws:iam::${aws:PrincipalAccount}:role/x", "${x:arn}"])
    func place(_ resource: String) {
        #expect(throws: PolicySyntaxError.self) { try policy(["Resource": .string(resource)]) }
    }
}
