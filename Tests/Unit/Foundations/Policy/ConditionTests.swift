import Policy
import Testing
import WireFormats

@Suite("Condition operators")
struct ConditionTests {
    @Test(
        "compare strings",
        arguments: [
            ("StringEquals", "a", "a", true), ("StringEquals", "a", "A", false), ("StringEquals", "a*", "ab", false),
            ("StringEquals", "", "", true),
            ("StringEquals", "é", "e\u{301}", false), ("StringNotEquals", "a", "a", false), ("StringNotEquals", "a", "b", true),
            ("StringEqualsIgnoreCase", "aBc", "AbC", true), ("StringEqualsIgnoreCase", "ab", "abc", false),
            ("StringEqualsIgnoreCase", "abc", "ab", false),
            ("StringEqualsIgnoreCase", "ÄÖ", "äö", true), ("StringEqualsIgnoreCase", "ΟΔΟΣ", "οδος", true),
            ("StringEqualsIgnoreCase", "ΟΔΟΣ", "οδοσ", false),
            ("StringNotEqualsIgnoreCase", "a", "A", false), ("StringNotEqualsIgnoreCase", "a", "B", true),
            ("StringLike", "a*c", "abbc", true),
            ("StringLike", "a*c", "abbd", false), ("StringNotLike", "a*c", "abbc", false), ("StringNotLike", "a*c", "b", true),
            ("StringLike", "A*", "ab", false),
        ] as [(String, JSONValue, String, Bool)])
    func strings(_ name: String, _ wanted: JSONValue, _ value: String, _ expected: Bool) throws {
        #expect(try holds(name, wanted, value) == expected)
    }

    @Test(
        "compare numbers",
        arguments: [
            ("NumericEquals", "10", "10", true), ("NumericEquals", 10, "10.0", true), ("NumericEquals", "+010", "10", true),
            ("NumericEquals", "10", "11", false),
            ("NumericEquals", "10", "ten", false), ("NumericNotEquals", "10", "11", true), ("NumericNotEquals", "10", "10", false),
            ("NumericNotEquals", "10", "ten", true), ("NumericLessThan", "10", "9", true), ("NumericLessThan", "10", "10", false),
            ("NumericLessThanEquals", "10", "10", true), ("NumericLessThanEquals", "10", "10.5", false),
            ("NumericGreaterThan", "10", "10.5", true),
            ("NumericGreaterThan", "10", "10", false), ("NumericGreaterThanEquals", "10", "10", true),
            ("NumericGreaterThanEquals", "-1.5", "-2", false),
            ("NumericGreaterThan", "10", "inf", false), ("NumericEquals", "16", "0x10", false),
            ("NumericLessThan", ["5", "20"], "10", true),
        ] as [(String, JSONValue, String, Bool)])
    func numbers(_ name: String, _ wanted: JSONValue, _ value: String, _ expected: Bool) throws {
        #expect(try holds(name, wanted, value) == expected)
    }

    @Test(
        "compare dates in ISO 8601 and in seconds since 1970, to the millisecond",
        arguments: [
            ("DateEquals", "2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z", true),
            ("DateEquals", "2026-11-21T09:00:00+01:00", "2026-11-21T08:00:00Z", true),
            ("DateEquals", "2026-11-21", "2026-11-21T00:00:00Z", true), ("DateEquals", "2026-11-21T08:00Z", "2026-11-21T08:00:00Z", true),
            ("DateEquals", "2026-11-21T09:00+01:00", "2026-11-21T08:00:00Z", true),
            ("DateEquals", "1795248000", "2026-11-21T08:00:00Z", true),
            ("DateEquals", 1_795_248_000, "1795248000", true),
            ("DateEquals", "2026-11-21T08:00:00.001Z", "2026-11-21T08:00:00.0015Z", true),
            ("DateEquals", "2026-11-21T08:00:00.001Z", "2026-11-21T08:00:00.002Z", false),
            ("DateNotEquals", "2026-11-21", "2026-11-22", true),
            ("DateNotEquals", "2026-11-21", "2026-11-21", false), ("DateLessThan", "2026-11-21", "2026-11-20T23:59:59Z", true),
            ("DateLessThan", "2026-11-21", "2026-11-21", false), ("DateLessThanEquals", "2026-11-21", "2026-11-21", true),
            ("DateGreaterThan", "2026-11-21", "2026-11-21T00:00:00.001Z", true), ("DateGreaterThan", "2026-11-21", "2026-11-21", false),
            ("DateGreaterThanEquals", "2026-11-21", "2026-11-21", true), ("DateLessThan", "2026-11-21", "yesterday", false),
        ] as [(String, JSONValue, String, Bool)])
    func dates(_ name: String, _ wanted: JSONValue, _ value: String, _ expected: Bool) throws {
        #expect(try holds(name, wanted, value) == expected)
    }

    @Test(
        "treat every value except true as false",
        arguments: [
            ("true", "true", true), (true, "True", true), ("true", "false", false), ("false", "false", true), ("false", "no", true),
            (false, "true", false),
            (["true", "false"], "anything", true),
        ] as [(JSONValue, String, Bool)])
    func bool(_ wanted: JSONValue, _ value: String, _ expected: Bool) throws {
        #expect(try holds("Bool", wanted, value) == expected)
    }

    @Test("compare binary values as bytes", arguments: [("QUJD", "QUJD", true), ("QUJD", "QUJE", false), ("QUJD", "not base 64", false)])
    func binary(_ wanted: String, _ value: String, _ expected: Bool) throws {
        #expect(try holds("BinaryEquals", .string(wanted), value) == expected)
    }

    @Test(
        "compare addresses with ranges",
        arguments: [
            ("203.0.113.0/24", "203.0.113.7", true), ("203.0.113.0/24", "203.0.114.7", false), ("203.0.113.7", "203.0.113.7", true),
            ("203.0.113.7", "203.0.113.8", false), ("203.0.113.77/24", "203.0.113.7", true), ("0.0.0.0/0", "198.51.100.1", true),
            ("10.0.0.0/9", "10.127.255.255", true), ("10.0.0.0/9", "10.128.0.0", false), ("2001:db8::/32", "2001:db8:1::1", true),
            ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::1/32", "2001:db8::1", false),
            ("2001:db8::1", "2001:db8:0:0:0:0:0:1", true),
            ("::/0", "2001:db8::1", true), ("::/0", "203.0.113.7", false), ("0.0.0.0/0", "::1", false),
            ("203.0.113.0/24", "::ffff:203.0.113.7", true), ("::ffff:0:0/96", "::ffff:203.0.113.7", false),
            ("203.000.113.0/24", "203.0.113.7", true), ("203.0.113.0/24", "203.000.113.007", true),
            ("203.0.113.0/024", "203.0.113.7", true), ("203.0.113.0/+24", "203.0.113.7", true),
        ])
    func addresses(_ wanted: String, _ value: String, _ expected: Bool) throws {
        #expect(try holds("IpAddress", .string(wanted), value) == expected)
        #expect(try holds("NotIpAddress", .string(wanted), value) == !expected)
    }

    @Test(
        "compare ARNs field by field",
        arguments: [
            ("arn:aws:s3:::b", "arn:aws:s3:::b", true), ("arn:aws:s3:::*", "arn:aws:s3:::b/x/y", true),
            ("arn:aws:s3:::b*", "arn:aws:s3:::b:c", true),
            ("arn:aws:*:::b", "arn:aws:s3:::b", true), ("arn:aws:*:b", "arn:aws:s3:::b", nil),
            ("arn:aws:sqs:*:1:q", "arn:aws:sqs:eu:1:q", true),
            ("arn:aws:sqs:*:q", "arn:aws:sqs:eu:1:q", nil), ("arn:*:*:*:*:*", "arn:aws:sqs:eu:1:q", true),
            ("arn:aws:sqs:*:*:q", "arn:aws:sqs:eu:1:x:q", false),
            ("arn:aws:iam::1?:role/*", "arn:aws:iam::12:role/x", true), ("arn:aws:S3:::b", "arn:aws:s3:::b", false),
        ] as [(String, String, Bool?)])
    func arns(_ wanted: String, _ value: String, _ expected: Bool?) throws {
        for name in ["ArnEquals", "ArnLike"] {
            if let expected {
                #expect(try holds(name, .string(wanted), value) == expected)
                #expect(try holds(name.replacingPrefix("Arn", with: "ArnNot"), .string(wanted), value) == !expected)
            } else {
                #expect(throws: PolicySyntaxError.self) { try holds(name, .string(wanted), value) }
            }
        }
    }

    @Test("an invalid address or ARN never matches, even negated", arguments: ["IpAddress", "NotIpAddress", "ArnLike", "ArnNotEquals"])
    func unconvertible(_ name: String) throws {
        #expect(try !holds(name, name.contains("Ip") ? "10.0.0.0/8" : "arn:aws:s3:::*", "neither"))
    }

    static let positive = [
        "StringEquals", "StringEqualsIgnoreCase", "StringLike", "NumericEquals", "NumericLessThan", "NumericLessThanEquals",
        "NumericGreaterThan",
        "NumericGreaterThanEquals", "DateEquals", "DateLessThan", "DateLessThanEquals", "DateGreaterThan", "DateGreaterThanEquals", "Bool",
        "BinaryEquals",
        "IpAddress", "ArnEquals", "ArnLike",
    ]
    static let negated = [
        "StringNotEquals", "StringNotEqualsIgnoreCase", "StringNotLike", "NumericNotEquals", "DateNotEquals", "NotIpAddress",
        "ArnNotEquals", "ArnNotLike",
    ]

    /// Returns a value that the operator can parse.
    func literal(for name: String) -> JSONValue {
        if name.contains("Arn") { return "arn:aws:s3:::b" }
        if name.contains("Ip") { return "10.0.0.0/8" }
        if name == "Bool" { return "true" }
        return name == "BinaryEquals" ? "QUJD" : "1"
    }

    @Test("a missing key fails positive operators", arguments: positive)
    func missingPositive(_ name: String) throws {
        #expect(try !holds(name, "x:k", literal(for: name), [:]))
        #expect(try holds(name + "IfExists", "x:k", literal(for: name), [:]))
        #expect(try holds("ForAllValues:" + name, "x:k", literal(for: name), [:]))
        #expect(try !holds("ForAnyValue:" + name, "x:k", literal(for: name), [:]))
        #expect(try !holds(name, "x:k", literal(for: name), ["x:k": .many([])]))
    }

    @Test("a missing key satisfies negated operators", arguments: negated)
    func missingNegated(_ name: String) throws {
        #expect(try holds(name, "x:k", literal(for: name), [:]))
        #expect(try holds(name + "IfExists", "x:k", literal(for: name), [:]))
        #expect(try holds("ForAllValues:" + name, "x:k", literal(for: name), [:]))
        #expect(try !holds("ForAnyValue:" + name, "x:k", literal(for: name), [:]))
    }

    @Test("IfExists compares as usual when the key exists")
    func ifExists() throws {
        #expect(try holds("StringEqualsIfExists", "a", "a"))
        #expect(try !holds("StringEqualsIfExists", "a", "b"))
        #expect(try !holds("StringNotEqualsIfExists", "a", "a"))
    }

    @Test(
        "Null tests whether a key is absent",
        arguments: [("true", nil, true), ("false", nil, false), ("true", "", false), (false, "x", true), (["true", "false"], nil, true)]
            as [(JSONValue, String?, Bool)])
    func null(_ wanted: JSONValue, _ value: String?, _ expected: Bool) throws {
        #expect(try holds("Null", "x:k", wanted, value.map { ["x:k": .one($0)] } ?? [:]) == expected)
        if value == nil { #expect(try holds("Null", "x:k", wanted, ["x:k": .many([])]) == expected) }
    }

    @Test(
        "combine the values of a key as the quantifier says",
        arguments: [
            ("ForAnyValue:StringEquals", ["a", "x"], true), ("ForAnyValue:StringEquals", ["x", "y"], false),
            ("ForAllValues:StringEquals", ["a", "b"], true),
            ("ForAllValues:StringEquals", ["a", "x"], false), ("ForAnyValue:StringNotEquals", ["a", "x"], true),
            ("ForAnyValue:StringNotEquals", ["a", "b"], false),
            ("ForAllValues:StringNotEquals", ["x", "y"], true), ("ForAllValues:StringNotEquals", ["a", "x"], false),
            ("ForAllValues:StringEquals", [], true),
            ("ForAnyValue:StringEquals", [], false), ("StringEquals", ["a", "b"], false), ("StringNotEquals", ["x", "y"], false),
            ("StringEqualsIfExists", ["a", "b"], false), ("StringEquals", ["a"], false), ("StringNotEquals", ["x"], false),
            ("StringLikeIfExists", ["a"], false),
            ("ForAllValues:StringEqualsIfExists", ["a", "x"], false),
        ] as [(String, [String], Bool)])
    func quantifiers(_ name: String, _ values: [String], _ expected: Bool) throws {
        #expect(try holds(name, "x:k", ["a", "b"], ["x:k": .many(values)]) == expected)
    }

    @Test("a quantifier treats a single value as a set of one")
    func quantifiedSingle() throws {
        #expect(try holds("ForAnyValue:StringEquals", "x:k", "a", ["x:k": .one("a")]))
        #expect(try !holds("ForAllValues:StringEquals", "x:k", "a", ["x:k": .one("b")]))
    }

    @Test("values are alternatives, negated ones exclusions, keys and operators requirements")
    func combination() throws {
        #expect(try holds("StringEquals", ["a", "b"], "b"))
        #expect(try !holds("StringNotEquals", ["a", "b"], "b"))
        #expect(try holds("StringNotEquals", ["a", "b"], "c"))
        let condition: JSONValue = ["StringEquals": ["x:a": "1", "x:b": "2"], "Bool": ["x:c": "true"]]
        let full: [String: ConditionValues] = ["x:a": .one("1"), "x:b": .one("2"), "x:c": .one("true")]
        #expect(try allows(["Condition": condition], request(with: full)))
        for key in full.keys {
            var keys = full
            keys[key] = .one("other")
            #expect(try !allows(["Condition": condition], request(with: keys)))
        }
    }

    @Test("names of keys are compared without regard to case")
    func keyNames() throws {
        #expect(try holds("StringEquals", "AWS:UserName", "a", ["aws:username": .one("a")]))
        #expect(try holds("StringEquals", "aws:PrincipalTag/team", "a", ["aws:PrincipalTag/Team": .one("a")]))
    }

    @Test("derived keys are computed by their lowercase name, and only when a policy mentions them")
    func derivedKeys() throws {
        var context = request()
        context.keys = ConditionKeys { $0 == "aws:sourceip" ? .one("10.1.2.3") : nil }
        #expect(try allows(["Condition": ["IpAddress": ["aws:SourceIp": "10.0.0.0/8"]]], context))
        #expect(try !allows(["Condition": ["StringEquals": ["aws:username": "a"]]], context))
        context.keys.set("aws:SourceIp", to: "192.0.2.1")
        #expect(try !allows(["Condition": ["IpAddress": ["aws:SourceIp": "10.0.0.0/8"]]], context))
    }
}

extension String {
    func replacingPrefix(_ prefix: String, with other: String) -> String { other + dropFirst(prefix.count) }
}
