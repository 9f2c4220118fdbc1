import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Federation

@Suite("The authorizer")
struct AuthorizerTests {
    private func decide(
        _ caller: Caller, _ action: String, _ resource: String, account: String = "000000000000", policy: String? = nil,
        keys: [OperationKey] = []
    ) throws -> Authorizer.Verdict {
        let resourcePolicy = try policy.map { AttachedPolicy("bucket policy", try PolicyDocument(parsing: $0, kind: .resource)) }
        return Authorizer.decide(
            AccessRequest(
                caller: caller, action: action, resource: resource, resourceAccount: account, resourcePolicy: resourcePolicy,
                keys: keys,
                facts: RequestFacts(
                    time: Timestamp(seconds: 1_795_262_400), isSecure: false, userAgent: "curl", region: "eu-central-1",
                    sourceIP: { "192.0.2.7" })))
    }

    private func session(_ cloud: Cloud, tags: [String: String] = [:], policies: [AttachedPolicy]? = nil) throws -> Caller {
        let role = try #require(cloud.directory.role("reader", in: "000000000000"))
        let claims =
            [SessionCredentials.Claim(key: "graph.facebook.com:id", values: ["1000"])]
            + tags.map { .init(key: "aws:PrincipalTag/\($0.key)", values: [$0.value]) }
        var credentials = SessionCredentials(
            accessKeyID: "ASIA", secretAccessKey: "s", holder: .role(arn: role.arn, id: role.role.id, sessionName: "app1"),
            issued: Timestamp(seconds: 0), expires: Timestamp(seconds: 1))
        credentials.claims = claims
        credentials.sourceIdentity = "ann@home"
        return .role(role, Session(credentials: credentials, policies: policies))
    }

    @Test("knows a session by the claims of its federation")
    func claims() async throws {
        try await withSandbox { cloud async throws in
            let caller = try session(cloud)
            #expect(try decide(caller, "s3:GetObject", "arn:aws:s3:::box/1000/a").decision.isAllowed)
            #expect(!(try decide(caller, "s3:GetObject", "arn:aws:s3:::box/1001/a").decision.isAllowed))
            #expect(!(try decide(caller, "s3:ListBucket", "arn:aws:s3:::box").decision.isAllowed))
            #expect(try decide(session(cloud, tags: ["team": "red"]), "s3:ListBucket", "arn:aws:s3:::box").decision.isAllowed)
        }
    }

    @Test("knows a user by name and root by its account")
    func principals() async throws {
        try await withSandbox { cloud async throws in
            let user = Caller.user(try #require(cloud.directory.user("ann", in: "000000000000")), nil)
            #expect(try decide(user, "s3:GetObject", "arn:aws:s3:::box/ann/a").decision.isAllowed)
            #expect(!(try decide(user, "s3:GetObject", "arn:aws:s3:::box/bob/a").decision.isAllowed))
            let root = Caller.root(try #require(cloud.directory.accounts["000000000000"]), nil)
            #expect(try decide(root, "s3:DeleteBucket", "arn:aws:s3:::box").decision.isAllowed)
            #expect(!(try decide(root, "s3:GetObject", "arn:aws:s3:::box/a", account: "111111111111").decision.isAllowed))
            #expect(!(try decide(.anonymous, "s3:GetObject", "arn:aws:s3:::box/a").decision.isAllowed))
        }
    }

    @Test(
        "gives policies the global keys",
        arguments: [
            ("aws:PrincipalArn", "arn:aws:iam::000000000000:role/reader"), ("aws:PrincipalAccount", "000000000000"),
            ("aws:PrincipalType", "AssumedRole"), ("aws:SourceIdentity", "ann@home"), ("aws:TokenIssueTime", "1970-01-01T00:00:00Z"),
            ("aws:MultiFactorAuthPresent", "false"), ("aws:SecureTransport", "false"), ("aws:SourceIp", "192.0.2.7"),
            ("aws:UserAgent", "curl"), ("aws:RequestedRegion", "eu-central-1"), ("aws:EpochTime", "1795262400"),
            ("aws:CurrentTime", "2026-11-21T12:00:00Z"), ("aws:ViaAWSService", "false"), ("aws:ResourceAccount", "000000000000"),
            ("s3:prefix", "p/"),
        ])
    func globalKeys(key: String, value: String) async throws {
        try await withSandbox { cloud async throws in
            let variable =
                #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:ListBucket","Resource":"arn:aws:s3:::box","Condition":{"StringEquals":{"s3:wanted":"${\#(key)}"}}}]}"#
            let keys: [OperationKey] = [("s3:prefix", "p/"), ("s3:wanted", value)]
            #expect(try decide(session(cloud), "s3:ListBucket", "arn:aws:s3:::box", policy: variable, keys: keys).decision.isAllowed)
        }
    }

    @Test("explains from the same inputs")
    func trace() async throws {
        try await withSandbox { cloud async throws in
            let verdict = try decide(session(cloud), "s3:GetObject", "arn:aws:s3:::box/1001/a")
            #expect(!verdict.trace.explanation.isEmpty)
        }
    }
}
