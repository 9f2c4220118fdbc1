import Directory
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Federation

@Suite("The authorizer")
struct AuthorizerTests {
    private func decide(
        _ caller: Caller, _ action: String, _ resource: String, account: String = "000000000000", policy: String? = nil,
        keys: [OperationKey] = [], ages: [SandboxClock.Age] = []
    ) throws -> Authorizer.Verdict {
        let resourcePolicy = try policy.map { AttachedPolicy("bucket policy", try PolicyDocument(parsing: $0, kind: .resource)) }
        return Authorizer.decide(
            AccessRequest(
                caller: caller, action: action, resource: resource, resourceAccount: account, resourcePolicy: resourcePolicy,
                keys: keys,
                facts: RequestFacts(
                    time: Timestamp(seconds: 1_795_262_400), ages: ages, isSecure: false, userAgent: "curl", region: "eu-central-1",
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

    @Test("evaluates a session with the claims of its federation")
    func claims() async throws {
        try await withSandbox { cloud async throws in
            let caller = try session(cloud)
            #expect(try decide(caller, "s3:GetObject", "arn:aws:s3:::box/1000/a").decision.isAllowed)
            #expect(!(try decide(caller, "s3:GetObject", "arn:aws:s3:::box/1001/a").decision.isAllowed))
            #expect(!(try decide(caller, "s3:ListBucket", "arn:aws:s3:::box").decision.isAllowed))
            #expect(try decide(session(cloud, tags: ["team": "red"]), "s3:ListBucket", "arn:aws:s3:::box").decision.isAllowed)
        }
    }

    @Test("evaluates a user by name and root by its account")
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
        "provides the global condition keys",
        arguments: [
            ("aws:PrincipalArn", "arn:aws:iam::000000000000:role/reader"), ("aws:PrincipalAccount", "000000000000"),
            ("aws:PrincipalType", "AssumedRole"), ("aws:SourceIdentity", "ann@home"), ("aws:TokenIssueTime", "1970-01-01T00:00:00Z"),
            ("aws:MultiFactorAuthPresent", "false"), ("aws:SecureTransport", "false"), ("aws:SourceIp", "192.0.2.7"),
            ("aws:UserAgent", "curl"), ("aws:RequestedRegion", "eu-central-1"), ("aws:EpochTime", "1795262400"),
            ("aws:CurrentTime", "2026-11-21T12:00:00Z"), ("aws:ViaAWSService", "false"), ("aws:ResourceAccount", "000000000000"),
            ("aws:PrincipalIsAWSService", "false"), ("s3:prefix", "p/"),
        ])
    func globalKeys(key: String, value: String) async throws {
        try await withSandbox { cloud async throws in
            let variable =
                #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:ListBucket","Resource":"arn:aws:s3:::box","Condition":{"StringEquals":{"s3:wanted":"${\#(key)}"}}}]}"#
            let keys: [OperationKey] = [("s3:prefix", "p/"), ("s3:wanted", value)]
            #expect(try decide(session(cloud), "s3:ListBucket", "arn:aws:s3:::box", policy: variable, keys: keys).decision.isAllowed)
        }
    }

    /// IAM User Guide, "AWS global condition context keys": the keys of a request depend on its caller and on the caller's account.
    @Test(
        "omits keys that the request does not have",
        arguments: [
            ("aws:username", [false, false, true, false]), ("aws:userid", [true, true, true, true]),
            ("aws:PrincipalArn", [false, true, true, true]), ("aws:PrincipalAccount", [false, true, true, true]),
            ("aws:PrincipalType", [true, true, true, true]), ("aws:PrincipalIsAWSService", [false, true, true, true]),
            ("aws:TokenIssueTime", [false, false, false, true]), ("aws:MultiFactorAuthPresent", [false, false, false, true]),
            ("aws:MultiFactorAuthAge", [false, false, false, false]), ("aws:SourceIdentity", [false, false, false, true]),
            ("aws:PrincipalOrgID", [false, false, false, false]), ("aws:PrincipalOrgPaths", [false, false, false, false]),
            ("aws:ResourceOrgID", [false, false, false, false]), ("aws:CalledVia", [false, false, false, false]),
            ("aws:CalledViaFirst", [false, false, false, false]), ("aws:CalledViaLast", [false, false, false, false]),
            ("aws:SourceVpc", [false, false, false, false]), ("aws:SourceArn", [false, false, false, false]),
            ("aws:SourceAccount", [false, false, false, false]), ("aws:PrincipalServiceName", [false, false, false, false]),
            ("aws:PrincipalTag/team", [false, false, false, true]), ("aws:Referer", [false, false, false, false]),
        ])
    func presence(key: String, present: [Bool]) async throws {
        try await withSandbox { cloud async throws in
            let callers: [Caller] = [
                .anonymous, .root(try #require(cloud.directory.accounts["000000000000"]), nil),
                .user(try #require(cloud.directory.user("ann", in: "000000000000")), nil), try session(cloud, tags: ["team": "red"]),
            ]
            let policy = """
                {"Version":"2012-10-17","Statement":[
                 {"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"*","Condition":{"Null":{"\(key)":"false"}}},
                 {"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"*","Condition":{"Null":{"\(key)":"true"}}}]}
                """
            let found = try callers.map { try decide($0, "s3:GetObject", "arn:aws:s3:::box/x", policy: policy).decision.isAllowed }
            #expect(found == present)
        }
    }

    @Test(
        "ages the times of a session",
        arguments: [
            (#""NumericEquals":{"aws:MultiFactorAuthAge":"0"}"#, 0), (#""NumericEquals":{"aws:MultiFactorAuthAge":"3600"}"#, 3600),
            (#""DateEquals":{"aws:TokenIssueTime":"2026-11-21T12:00:00Z"}"#, 0),
            (#""DateEquals":{"aws:TokenIssueTime":"2026-11-21T11:00:00Z"}"#, 3600),
        ])
    func agedSession(condition: String, age: Int64) async throws {
        try await withSandbox { cloud async throws in
            let time = Timestamp(seconds: 1_795_262_400)
            let plain = try session(cloud)
            guard case .role(let role, let known) = plain else { throw SessionTokenError.unknown }
            var credentials = known.credentials
            (credentials.issued, credentials.deviceUsed) = (time, time)
            let caller = Caller.role(role, Session(credentials: credentials, policies: nil))
            let policy = """
                {"Version":"2012-10-17","Statement":[
                 {"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"*","Condition":{\(condition)}}]}
                """
            for (aged, isAllowed) in [(age, true), (1800, false)] {
                let ages = [SandboxClock.Age(declared: time.seconds, seconds: aged)]
                let verdict = try decide(caller, "s3:GetObject", "arn:aws:s3:::box/x", policy: policy, ages: ages)
                #expect(verdict.decision.isAllowed == isAllowed, "\(aged)")
            }
        }
    }

    @Test("prefers assumed condition keys to those of the request")
    func assumption() async throws {
        try await withSandbox { cloud async throws in
            let policy = try PolicyDocument(
                parsing: """
                    {"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"*",
                     "Condition":{"IpAddress":{"aws:SourceIp":"10.0.0.0/8"},"ForAnyValue:StringEquals":{"aws:TagKeys":"b"}}}}
                    """, kind: .resource)
            var request = AccessRequest(
                caller: .anonymous, action: "s3:GetObject", resource: "arn:aws:s3:::box/a", resourceAccount: "000000000000",
                resourcePolicy: AttachedPolicy("bucket policy", policy),
                facts: RequestFacts(
                    time: Timestamp(seconds: 0), isSecure: false, userAgent: nil, region: "us-east-1", sourceIP: { "192.0.2.7" }))
            #expect(!Authorizer.decide(request).decision.isAllowed)
            request.assumed = ["aws:SourceIp": .one("10.1.2.3"), "aws:TagKeys": .many(["a", "b"])]
            #expect(Authorizer.decide(request).decision.isAllowed)
        }
    }

    @Test(
        "finds callers by their names",
        arguments: [
            ("anonymous", nil), ("AKIAANN", "arn:aws:iam::000000000000:user/ann"), ("test", "arn:aws:iam::000000000000:root"),
            ("arn:aws:iam::000000000000:root", "arn:aws:iam::000000000000:root"),
            ("arn:aws:iam::000000000000:user/ann", "arn:aws:iam::000000000000:user/ann"),
            ("arn:aws:iam::000000000000:role/reader", "arn:aws:sts::000000000000:assumed-role/reader/explain"),
            ("arn:aws:sts::000000000000:assumed-role/reader/s1", "arn:aws:sts::000000000000:assumed-role/reader/s1"),
        ] as [(String, String?)])
    func callers(name: String, arn: String?) async throws {
        try await withSandbox { cloud async throws in
            #expect(try #require(cloud.directory.caller(named: name, now: Timestamp(seconds: 0))).arn == arn)
            for unknown in [
                "", "nobody", "arn:aws:iam::000000000000:user/eve", "arn:aws:sts::000000000000:assumed-role/writer/s",
                "arn:aws:iam::1:root",
            ] {
                #expect(cloud.directory.caller(named: unknown, now: Timestamp(seconds: 0)) == nil)
            }
        }
    }

    @Test("encrypts the reason of a denial, within the length of a message")
    func message() async throws {
        try await withSandbox { cloud async throws in
            let verdict = try decide(session(cloud), "s3:GetObject", "arn:aws:s3:::box/1001/a")
            let sealed = try #require(AuthorizationMessage.seal(verdict.message, key: cloud.sealingKey))
            #expect(AuthorizationMessage.open(sealed, key: cloud.sealingKey) == verdict.message.serialized())
            let session = try SessionTokens(cloud: cloud).mint(for: .root(account: "000000000000"), duration: 900).token
            #expect(AuthorizationMessage.open(session, key: cloud.sealingKey) == nil)
            let tags = Dictionary(uniqueKeysWithValues: (0..<50).map { ("tag\($0)", String(repeating: "x", count: 256)) })
            let long = try decide(self.session(cloud, tags: tags), "s3:GetObject", "arn:aws:s3:::box/1001/a")
            let shortened = try #require(AuthorizationMessage.seal(long.message, key: cloud.sealingKey))
            #expect(shortened.utf8.count <= AuthorizationMessage.longest)
            let opened = try #require(AuthorizationMessage.open(shortened, key: cloud.sealingKey).flatMap { try? JSONValue(parsing: $0) })
            #expect(opened["context"]?["conditions"] == ["items": []])
            #expect(opened["context"]?["action"] == "s3:GetObject")
            let endless = try decide(.anonymous, "s3:GetObject", "arn:aws:s3:::box/" + String(repeating: "x", count: 10_000))
            #expect(AuthorizationMessage.seal(endless.message, key: cloud.sealingKey) == nil)
        }
    }

    @Test("explains a decision from the same inputs")
    func trace() async throws {
        try await withSandbox { cloud async throws in
            let verdict = try decide(session(cloud), "s3:GetObject", "arn:aws:s3:::box/1001/a")
            #expect(!verdict.trace.explanation.isEmpty)
        }
    }
}
