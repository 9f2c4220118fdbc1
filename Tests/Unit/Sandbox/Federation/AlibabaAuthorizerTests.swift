import Directory
import Policy
import Seeds
import Testing
import WireFormats

@testable import Cloud
@testable import Federation

@Suite("The authorizer for callers of Alibaba Cloud")
struct AlibabaAuthorizerTests {
    private static let account = "1234567890123456"

    private func withCloud(_ policy: String, _ body: (Cloud) async throws -> Void) async throws {
        let text = """
            {alibaba: {accounts: [{id: "\(Self.account)", policies: [{name: "p", document: {Version: "1", Statement: [\(policy)]}}],
              users: [{name: "alice", policies: ["p"]}, {name: "bob"}],
              roles: [{name: "app", policies: ["p"], trustPolicy: {Version: "1", Statement: [
                {Effect: "Allow", Action: "sts:AssumeRole", Principal: {RAM: "acs:ram::\(Self.account):root"}}]}}]}]}}
            """
        let cloud = try await Cloud.open(folder: nil, seeds: [try SeedFile(name: "test", text: Array(text.utf8)).decode()])
        do {
            try await body(cloud)
            await cloud.close()
        } catch {
            await cloud.close()
            throw error
        }
    }

    private func decide(
        _ caller: Caller, _ action: String = "oss:GetObject", on resource: String = "acs:oss:oss-cn-hangzhou:\(account):b/k",
        policy: String? = nil, keys: [OperationKey] = []
    ) throws -> Authorizer.Verdict {
        let resourcePolicy = try policy.map {
            AttachedPolicy(
                "p", try PolicyDocument(parsing: $0, kind: action.hasPrefix("sts:") ? .trust : .resource, dialect: .ram))
        }
        return Authorizer.decide(
            AccessRequest(
                caller: caller, action: action, resource: resource, resourceAccount: Self.account, resourcePolicy: resourcePolicy,
                keys: keys,
                facts: RequestFacts(
                    time: Timestamp(seconds: 1_795_262_400), isSecure: true, userAgent: "sdk/1", region: "cn-hangzhou",
                    sourceIP: { "192.0.2.7" })))
    }

    private func user(_ name: String, _ cloud: Cloud) throws -> Caller {
        .user(try #require(cloud.directory.user(name, in: Self.account)), nil)
    }

    private func session(_ cloud: Cloud, policy: String? = nil) throws -> Caller {
        let role = try #require(cloud.directory.role("app", in: Self.account))
        let tokens = SessionTokens(cloud: cloud)
        let (credentials, token) = try tokens.mint(
            for: .role(arn: role.arn, id: role.role.id, sessionName: "s1"), duration: 3600
        ) { if let policy { $0.sessionPolicies = [policy] } }
        return .role(role, try tokens.open(token, accessKeyID: credentials.accessKeyID))
    }

    @Test("follows RAM: a bucket policy that names the account requires the user's own policy as well")
    func rule() async throws {
        try await withCloud(#"{Effect: "Allow", Action: "oss:GetObject", Resource: "acs:oss:*:*:b/*"}"#) { cloud async throws in
            #expect(try decide(user("alice", cloud)).decision.isAllowed)
            #expect(try decide(user("bob", cloud)).decision.outcome == .implicitDeny(missing: .identityBased))
            let trust =
                #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"RAM":"acs:ram::1234567890123456:user/bob"}}]}"#
            // AWS would allow a caller that the trust policy names.
            let verdict = try decide(user("bob", cloud), "sts:AssumeRole", on: "acs:ram::\(Self.account):role/app", policy: trust)
            #expect(verdict.decision.outcome == .implicitDeny(missing: .identityBased))
            #expect(verdict.context.principal.name == "acs:ram::\(Self.account):user/bob")
        }
    }

    @Test("evaluates sessions with Alibaba Cloud's names, and parses their policies in its dialect")
    func sessions() async throws {
        try await withCloud(#"{Effect: "Allow", Action: "oss:*", Resource: "*"}"#) { cloud async throws in
            let narrow = #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"oss:GetObject","Resource":"acs:oss:*:*:b/mine/*"}]}"#
            let caller = try session(cloud, policy: narrow)
            #expect(caller.arn == "acs:ram::\(Self.account):assumed-role/app/s1")
            #expect(try decide(caller).decision.outcome == .implicitDeny(missing: .session))
            #expect(try decide(caller, on: "acs:oss:oss-cn-hangzhou:\(Self.account):b/mine/k").decision.isAllowed)
            #expect(try decide(session(cloud)).decision.isAllowed)
        }
    }

    @Test(
        "provides the global condition keys",
        arguments: [
            ("StringEquals", "acs:UserAgent", "sdk/1", true), ("IpAddress", "acs:SourceIp", "192.0.2.0/24", true),
            ("IpAddress", "acs:SourceIp", "10.0.0.0/8", false), ("Bool", "acs:SecureTransport", "true", true),
            ("Bool", "acs:MFAPresent", "false", true), ("DateLessThan", "acs:CurrentTime", "2026-11-21T12:00:01Z", true),
            ("DateLessThan", "acs:CurrentTime", "2026-11-21T12:00:00Z", false),
            ("StringLike", "acs:PrincipalARN", "acs:ram:*:*:role/app", true), ("StringEquals", "acs:Unknown", "x", false),
            ("StringEquals", "oss:Prefix", "a/", true),
        ])
    func globalKeys(operatorName: String, key: String, value: String, isAllowed: Bool) async throws {
        let policy = "{Effect: \"Allow\", Action: \"oss:*\", Resource: \"*\", Condition: {\(operatorName): {\"\(key)\": \"\(value)\"}}}"
        try await withCloud(policy) { cloud async throws in
            #expect(try decide(session(cloud), keys: [("oss:Prefix", "a/")]).decision.isAllowed == isAllowed)
        }
    }

    @Test(
        "finds callers by their names",
        arguments: [
            ("acs:ram::1234567890123456:root", "acs:ram::1234567890123456:root"), ("acs:ram::1234567890123456:user/alice", nil),
            ("acs:ram::1234567890123456:assumed-role/app/x", nil),
            ("acs:ram::1234567890123456:role/app", "acs:ram::1234567890123456:assumed-role/app/explain"),
        ] as [(String, String?)])
    func names(name: String, arn: String?) async throws {
        try await withCloud(#"{Effect: "Allow", Action: "*", Resource: "*"}"#) { cloud async throws in
            #expect(cloud.directory.caller(named: name, now: Timestamp(seconds: 0))?.arn == arn ?? name)
        }
    }

    @Test("parses a session policy in the dialect of its vendor, despite a cached one with the same text")
    func dialects() throws {
        let cache = SessionPolicyCache()
        let text = #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"oss:*","Resource":"*"}]}"#
        _ = try cache.entry(for: text, .ram)
        #expect(throws: PolicySyntaxError.self) { try cache.entry(for: text) }
    }
}
