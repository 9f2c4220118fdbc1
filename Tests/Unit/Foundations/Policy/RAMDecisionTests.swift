import Policy
import Testing
import WireFormats

@Suite("Decisions by policies of Alibaba Cloud")
struct RAMDecisionTests {
    private static let owner = "1234567890123456"
    private static let stranger = "6543210987654321"
    private let user = Principal(.user(arn: "acs:ram::\(owner):user/alice", id: "204831508829112233"), account: owner)
    private let foreignUser = Principal(.user(arn: "acs:ram::\(stranger):user/eve", id: "204831508829445566"), account: stranger)
    private let session = Principal(
        .assumedRole(
            roleARN: "acs:ram::\(owner):role/app", roleID: "304831508829112233", sessionARN: "acs:ram::\(owner):assumed-role/app/s1"),
        account: owner)

    private func policy(_ statement: String, _ kind: PolicyDocument.Kind = .identity) throws -> AttachedPolicy {
        AttachedPolicy("p", try PolicyDocument(parsing: "{\"Version\":\"1\",\"Statement\":[\(statement)]}", kind: kind, dialect: .ram))
    }

    private func allow(_ action: String, on resource: String, _ more: String = "") -> String {
        "{\"Effect\":\"Allow\",\"Action\":\"\(action)\",\"Resource\":\"\(resource)\"\(more)}"
    }

    private func ask(
        _ action: String = "oss:GetObject", on resource: String = "acs:oss:oss-cn-hangzhou:\(owner):b/k", by principal: Principal,
        with keys: [String: ConditionValues] = [:]
    ) -> RequestContext {
        request(action, on: resource, by: principal, owner: Self.owner, with: keys)
    }

    @Test(
        "resources are compared field by field",
        arguments: [
            ("*", "b/k", true), ("acs:oss:*:*:b/k", "b/k", true), ("acs:oss:*:*:b/*", "b/k/l", true), ("acs:oss:*:*:b", "b/k", false),
            ("acs:oss:*:*:b/*", "b", false), ("acs:oss:*:*:b*", "b/k", true), ("acs:oss:*:*:*", "b/k", true), ("acs:oss:*", "b", true),
            ("acs:oss:*:*:*/k", "b/k", true), ("acs:oss:*:*:b/?", "b/k", true), ("acs:oss:*:*:b/?", "b/kk", false),
            ("acs:oss:cn-hangzhou:1234567890123456:b/k", "b/k", true), ("acs:oss:oss-cn-hangzhou:*:b/k", "b/k", true),
            ("acs:oss:cn-shanghai:*:b/k", "b/k", false), ("acs:oss:oss-cn-shanghai:*:b/k", "b/k", false),
            ("acs:oss:cn-*:*:b/k", "b/k", true), ("acs:oss:oss-cn-*:*:b/k", "b/k", true),
            ("acs:oss:*:6543210987654321:b/k", "b/k", false), ("acs:oss:*hang*:*:b/k", "b/k", true), ("acs:*:*:*:b/k", "b/k", true),
            // A colon in a key does not separate account and bucket.
            ("acs:oss:*:*:secret", "b/x:secret", false), ("acs:oss:*:*:secret/*", "b/x:secret/k", false),
            ("acs:oss:*:*:b/x:*", "b/x:y:z", true),
            ("acs:oss:*:*:B/k", "b/k", false), ("acs:ecs:*:*:*", "b/k", false),
        ])
    func resources(pattern: String, resource: String, isAllowed: Bool) throws {
        let set = PolicySet(identity: [try policy(allow("oss:*", on: pattern))], rule: .ram)
        #expect(set.decision(for: ask(on: "acs:oss:oss-cn-hangzhou:\(Self.owner):\(resource)", by: user)).isAllowed == isAllowed)
    }

    @Test(
        "actions are compared without regard to case",
        arguments: [("oss:getobject", true), ("OSS:Get*", true), ("*", true), ("*:*", true), ("oss:PutObject", false), ("ram:*", false)])
    func actions(pattern: String, isAllowed: Bool) throws {
        #expect(PolicySet(identity: [try policy(allow(pattern, on: "*"))], rule: .ram).decision(for: ask(by: user)).isAllowed == isAllowed)
    }

    @Test(
        "conditions are evaluated",
        arguments: [
            ("\"StringLike\":{\"oss:Prefix\":[\"user/*\",\"\"]}", ["oss:Prefix": "user/a"], true),
            ("\"StringLike\":{\"oss:Prefix\":[\"user/*\",\"\"]}", ["oss:Prefix": ""], true),
            ("\"StringLike\":{\"oss:Prefix\":\"user/*\"}", ["oss:Prefix": "other"], false),
            ("\"StringLike\":{\"oss:Prefix\":\"user/*\"}", [:], false),
            ("\"StringEqualsIgnoreCase\":{\"acs:UserAgent\":\"SDK\"}", ["acs:UserAgent": "sdk"], true),
            ("\"IpAddress\":{\"acs:SourceIp\":\"127.0.0.0/8\"}", ["acs:SourceIp": "127.1.2.3"], true),
            ("\"NotIpAddress\":{\"acs:SourceIp\":\"127.0.0.0/8\"}", ["acs:SourceIp": "127.1.2.3"], false),
            ("\"IpAddress\":{\"acs:SourceIp\":\"42.120.*\"}", ["acs:SourceIp": "42.120.7.8"], true),
            ("\"IpAddress\":{\"acs:SourceIp\":\"42.120.*\"}", ["acs:SourceIp": "42.121.7.8"], false),
            ("\"IpAddress\":{\"acs:SourceIp\":\"*\"}", ["acs:SourceIp": "::1"], true),
            ("\"Bool\":{\"acs:SecureTransport\":\"true\"}", ["acs:SecureTransport": "false"], false),
            ("\"DateLessThan\":{\"acs:CurrentTime\":\"2026-01-01T08:00:00+08:00\"}", ["acs:CurrentTime": "2025-12-31T23:59:59Z"], true),
            ("\"DateLessThan\":{\"acs:CurrentTime\":\"2026-01-01T08:00:00+08:00\"}", ["acs:CurrentTime": "2026-01-01T00:00:00Z"], false),
            ("\"NumericLessThan\":{\"oss:object-remaining-retention-days\":\"10\"}", ["oss:object-remaining-retention-days": "9"], true),
            (
                "\"StringEquals\":{\"acs:UserAgent\":\"a\"},\"Bool\":{\"acs:SecureTransport\":\"true\"}",
                ["acs:UserAgent": "a", "acs:SecureTransport": "false"], false
            ),
        ] as [(String, [String: String], Bool)])
    func conditions(condition: String, keys: [String: String], isAllowed: Bool) throws {
        let set = PolicySet(identity: [try policy(allow("oss:*", on: "*", ",\"Condition\":{\(condition)}"))], rule: .ram)
        #expect(set.decision(for: ask(by: user, with: keys.mapValues { .one($0) })).isAllowed == isAllowed)
    }

    @Test("requests are denied by default, and a deny overrides every allow")
    func order() throws {
        #expect(PolicySet(rule: .ram).decision(for: ask(by: user)).outcome == .implicitDeny(missing: .identityBased))
        let allows = try policy(allow("oss:*", on: "*"))
        let denies = try policy("{\"Effect\":\"Deny\",\"Action\":\"oss:GetObject\",\"Resource\":\"*\"}")
        #expect(PolicySet(identity: [allows], rule: .ram).decision(for: ask(by: user)).isAllowed)
        #expect(
            PolicySet(identity: [allows, denies], rule: .ram).decision(for: ask(by: user)).outcome == .explicitDeny(in: .identityBased))
        let bucketDenies = try policy(
            "{\"Effect\":\"Deny\",\"Action\":\"oss:*\",\"Principal\":\"*\",\"Resource\":\"*\"}", .resource)
        #expect(
            PolicySet(identity: [allows], resource: bucketDenies, rule: .ram).decision(for: ask(by: user)).outcome
                == .explicitDeny(in: .resourceBased))
        let root = Principal(.root, account: Self.owner)
        #expect(PolicySet(rule: .ram).decision(for: ask(by: root)).isAllowed)
        #expect(!PolicySet(resource: bucketDenies, rule: .ram).decision(for: ask(by: root)).isAllowed)
    }

    @Test("a session is allowed what its role and its session policy both allow, whatever other policies allow")
    func sessions() throws {
        let role = try policy(allow("oss:*", on: "*"))
        let narrow = try policy(allow("oss:GetObject", on: "acs:oss:*:*:b/mine/*"))
        let set = PolicySet(identity: [role], session: [narrow], rule: .ram)
        #expect(set.decision(for: ask(on: "acs:oss:oss-cn-hangzhou:\(Self.owner):b/mine/k", by: session)).isAllowed)
        #expect(set.decision(for: ask(by: session)).outcome == .implicitDeny(missing: .session))
        #expect(
            PolicySet(session: [narrow], rule: .ram).decision(for: ask(on: "acs:oss:oss-cn-hangzhou:\(Self.owner):b/mine/k", by: session))
                .outcome
                == .implicitDeny(missing: .identityBased))
        // In AWS a resource policy that names the session would allow the request.
        var open = set
        open.resource = try policy(
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Principal\":[\"*\",\"arn:sts::\(Self.owner):assumed-role/app/s1\"],\"Resource\":\"*\"}",
            .resource)
        #expect(open.decision(for: ask(by: session)).outcome == .implicitDeny(missing: .session))
    }

    @Test(
        "a bucket policy matches its principals",
        arguments: [
            ("[\"*\"]", true, true, true), ("[\"204831508829112233\"]", true, false, false),
            ("[\"304831508829112233\"]", false, true, false),
            ("[\"arn:sts::1234567890123456:assumed-role/app/s1\"]", false, true, false),
            ("[\"arn:sts::1234567890123456:assumed-role/app/*\"]", false, true, false),
            ("[\"arn:sts::1234567890123456:assumed-role/other/*\"]", false, false, false),
            ("[\"204831508829445566\"]", false, false, true),
            // An account as principal requires the account's own policies as well.
            ("[\"1234567890123456\"]", false, false, false), ("[\"6543210987654321\"]", false, false, false),
        ])
    func bucketPolicies(principals: String, ofUser: Bool, ofSession: Bool, ofForeignUser: Bool) throws {
        let set = PolicySet(
            resource: try policy("{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Principal\":\(principals),\"Resource\":\"*\"}", .resource),
            rule: .ram)
        #expect(set.decision(for: ask(by: user)).isAllowed == ofUser)
        #expect(set.decision(for: ask(by: session)).isAllowed == ofSession)
        #expect(set.decision(for: ask(by: foreignUser)).isAllowed == ofForeignUser)
    }

    @Test("access across accounts needs a bucket policy of the owner")
    func acrossAccounts() throws {
        let everything = try policy(allow("*", on: "*"))
        #expect(
            PolicySet(identity: [everything], rule: .ram).decision(for: ask(by: foreignUser)).outcome
                == .implicitDeny(missing: .resourceBased))
        let resource = try policy(
            "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Principal\":[\"\(Self.stranger)\"],\"Resource\":\"*\"}", .resource)
        #expect(PolicySet(identity: [everything], resource: resource, rule: .ram).decision(for: ask(by: foreignUser)).isAllowed)
        let foreignRoot = Principal(.root, account: Self.stranger)
        #expect(PolicySet(resource: resource, rule: .ram).decision(for: ask(by: foreignRoot)).isAllowed)
        #expect(!PolicySet(rule: .ram).decision(for: ask(by: foreignRoot)).isAllowed)
    }

    @Test("a role is assumed if both sides allow it, even if the trust policy names the caller")
    func trust() throws {
        let trust = try policy(
            "{\"Effect\":\"Allow\",\"Action\":\"sts:AssumeRole\",\"Principal\":{\"RAM\":[\"acs:ram::\(Self.owner):user/alice\"]}}", .trust)
        let mayAssume = try policy(allow("sts:AssumeRole", on: "acs:ram:*:*:role/app"))
        let question = ask("sts:AssumeRole", on: "acs:ram::\(Self.owner):role/app", by: user)
        #expect(PolicySet(resource: trust, rule: .ram).decision(for: question).outcome == .implicitDeny(missing: .identityBased))
        #expect(PolicySet(identity: [mayAssume], resource: trust, rule: .ram).decision(for: question).isAllowed)
        let other = Principal(.user(arn: "acs:ram::\(Self.owner):user/bob", id: "204831508829778899"), account: Self.owner)
        #expect(
            PolicySet(identity: [mayAssume], resource: trust, rule: .ram).decision(
                for: ask("sts:AssumeRole", on: "acs:ram::\(Self.owner):role/app", by: other)
            ).outcome == .implicitDeny(missing: .roleTrust))
    }

    @Test("the trace names principals and sessions as Alibaba Cloud does")
    func trace() throws {
        let trace = PolicySet(
            resource: try policy(
                "{\"Effect\":\"Allow\",\"Action\":\"oss:*\",\"Principal\":[\"\(Self.stranger)\",\"arn:sts::\(Self.owner):assumed-role/x/*\"],\"Resource\":\"acs:oss:oss-cn-hangzhou:*:b\"}",
                .resource), rule: .ram
        ).trace(for: ask(by: session))
        #expect(trace.request.principal == "acs:ram::\(Self.owner):assumed-role/app/s1")
        #expect(trace.entries.first?.mismatch?.wanted == ["RAM account \(Self.stranger)", "RAM arn:sts::\(Self.owner):assumed-role/x/*"])
        #expect(trace.entries.first?.text.resources == ["acs:oss:oss-cn-hangzhou:*:b"])
        #expect(
            PolicySet(rule: .ram).trace(for: ask(by: Principal(.root, account: Self.stranger))).request.principal
                == "acs:ram::\(Self.stranger):root")
    }
}
