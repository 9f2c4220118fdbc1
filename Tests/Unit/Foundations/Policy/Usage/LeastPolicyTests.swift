import Testing
import WireFormats

@testable import Policy

@Suite("The least policy for recorded requests")
struct LeastPolicyTests {
    private static let claims: [String: ConditionValues] = [
        "login.company.example:sub": .one("e-1"), "login.company.example:aud": .one("web"), "aws:PrincipalTag/team": .one("red"),
    ]

    private func recorded(
        _ action: String, on resource: String, by principal: Principal = roleSession, prefix: String? = nil, served: Bool = true,
        keys: [String: ConditionValues] = claims, policies: PolicySet = PolicySet()
    ) -> LeastPolicy.Recorded {
        var keys = keys
        if let prefix { keys["s3:prefix"] = .one(prefix) }
        let context = request(action, on: resource, by: principal, with: keys)
        return (DecidedRequest(context: context, policies: policies, isAllowed: served), served)
    }

    private func statements(_ policy: LeastPolicy) -> [JSONValue] { policy.json?["Statement"]?.arrayValue ?? [] }

    @Test("names the caller's folder by a claim, and allows what is below")
    func claim() throws {
        let least = LeastPolicy(of: [
            recorded("s3:PutObject", on: "arn:aws:s3:::box/e-1/notes.txt"), recorded("s3:GetObject", on: "arn:aws:s3:::box/e-1/notes.txt"),
            recorded("s3:ListBucket", on: "arn:aws:s3:::box", prefix: "e-1/"),
            recorded("s3:GetObject", on: "arn:aws:s3:::box/e-2/notes.txt", served: false),
        ])
        #expect(
            statements(least) == [
                [
                    "Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": ["arn:aws:s3:::box"],
                    "Condition": ["StringLike": ["s3:prefix": ["${login.company.example:sub}/*"]]],
                ],
                [
                    "Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject"],
                    "Resource": ["arn:aws:s3:::box/${login.company.example:sub}/*"],
                ],
            ])
        #expect(least.proof.allowed == 3)
        #expect(least.proof.denied == 1)
        #expect(least.proof.failures.isEmpty)
        #expect(least.notes.isEmpty)
    }

    @Test(
        "prefers the name of the person to tags, and tags to other claims",
        arguments: [
            (["aws:PrincipalTag/team": .one("x"), "h.example:aud": .one("x")], "${aws:PrincipalTag/team}"),
            (["h.example:sub": .one("x"), "aws:PrincipalTag/team": .one("x")], "${h.example:sub}"),
            (["aws:username": .one("x"), "aws:PrincipalTag/team": .one("x")], "${aws:username}"),
            (["graph.facebook.com:id": .one("x"), "graph.facebook.com:app_id": .one("x")], "${graph.facebook.com:id}"),
            (["h.example:aud": .one("x")], "${h.example:aud}"),
        ] as [([String: ConditionValues], String)])
    func order(keys: [String: ConditionValues], variable: String) throws {
        let least = LeastPolicy(of: [recorded("s3:GetObject", on: "arn:aws:s3:::box/x/a", keys: keys)])
        #expect(statements(least).first?["Resource"] == .array([.string("arn:aws:s3:::box/\(variable)/*")]))
        #expect(least.notes.count == keys.count - 1)
    }

    @Test("uses no variable for keys that do not describe the caller, and for lists")
    func otherKeys() throws {
        let keys: [String: ConditionValues] = ["aws:SourceIp": .one("x"), "s3:prefix": .one("x"), "h.example:amr": .many(["x"])]
        let least = LeastPolicy(of: [recorded("s3:GetObject", on: "arn:aws:s3:::box/x", keys: keys)])
        #expect(statements(least).first?["Resource"] == ["arn:aws:s3:::box/x"])
        #expect(least.notes == ["arn:aws:s3:::box/x stays a single resource: no part of it equals a claim or tag of the caller"])
    }

    @Test("names buckets and kinds of resources, even if a claim has the same value")
    func firstSegment() throws {
        let keys: [String: ConditionValues] = ["h.example:sub": .one("box"), "aws:PrincipalTag/team": .one("role")]
        let least = LeastPolicy(of: [
            recorded("s3:GetObject", on: "arn:aws:s3:::box/a", keys: keys),
            recorded("iam:GetRole", on: "arn:aws:iam::\(account):role/box", keys: keys),
        ])
        #expect(
            statements(least).map { $0["Resource"] } == [
                .array([.string("arn:aws:iam::\(account):role/${h.example:sub}")]), ["arn:aws:s3:::box/a"],
            ])
    }

    @Test("combines two objects of a folder, but never a whole service")
    func folders() throws {
        let keys = ["a/1", "a/2", "b/1", "b/c/1"]
        let least = LeastPolicy(of: keys.map { recorded("s3:GetObject", on: "arn:aws:s3:::box/\($0)") })
        #expect(
            statements(least).first?["Resource"] == ["arn:aws:s3:::box/a/*", "arn:aws:s3:::box/b/1", "arn:aws:s3:::box/b/c/1"])
        let buckets = LeastPolicy(of: (1...9).map { recorded("s3:GetBucketAcl", on: "arn:aws:s3:::box-\($0)") })
        #expect(statements(buckets).first?["Resource"]?.arrayValue?.count == 9)
        let many = LeastPolicy(of: (1...5).map { recorded("s3:GetObject", on: "arn:aws:s3:::box/\($0)/x") })
        #expect(statements(many).first?["Resource"] == ["arn:aws:s3:::box/*"])
    }

    @Test("combines nothing if that would allow a denied request")
    func counterexample() throws {
        let least = LeastPolicy(of: [
            recorded("s3:GetObject", on: "arn:aws:s3:::box/a/1"), recorded("s3:GetObject", on: "arn:aws:s3:::box/a/2"),
            recorded("s3:GetObject", on: "arn:aws:s3:::box/a/3", served: false),
        ])
        #expect(statements(least).first?["Resource"] == ["arn:aws:s3:::box/a/1", "arn:aws:s3:::box/a/2"])
        #expect(least.proof.failures.isEmpty)
        #expect(least.notes.contains { $0.contains("would allow arn:aws:s3:::box/a/3") })
        let personal = LeastPolicy(of: [
            recorded("s3:GetObject", on: "arn:aws:s3:::box/e-1/1"), recorded("s3:GetObject", on: "arn:aws:s3:::box/e-1/2", served: false),
        ])
        #expect(statements(personal).first?["Resource"] == ["arn:aws:s3:::box/e-1/1"])
        #expect(personal.proof.failures.isEmpty)
    }

    @Test("lists whole buckets only if they were listed as a whole")
    func listing() throws {
        let prefixes = LeastPolicy(of: [
            recorded("s3:ListBucket", on: "arn:aws:s3:::box", prefix: "photos/"),
            recorded("s3:ListBucket", on: "arn:aws:s3:::box", prefix: "x*?"),
        ])
        #expect(statements(prefixes).first?["Condition"] == ["StringLike": ["s3:prefix": ["photos/", "x${*}${?}"]]])
        #expect(prefixes.proof.failures.isEmpty)
        let whole = LeastPolicy(of: [
            recorded("s3:ListBucket", on: "arn:aws:s3:::box", prefix: "photos/"), recorded("s3:ListBucket", on: "arn:aws:s3:::box"),
        ])
        #expect(statements(whole) == [["Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": ["arn:aws:s3:::box"]]])
        #expect(whole.notes == ["arn:aws:s3:::box was listed without a prefix, so the listing has no condition on s3:prefix"])
    }

    @Test("escapes characters with a meaning in policies")
    func escapes() throws {
        let least = LeastPolicy(of: [recorded("s3:GetObject", on: "arn:aws:s3:::box/a*b?${c}")])
        #expect(statements(least).first?["Resource"] == ["arn:aws:s3:::box/a${*}b${?}${$}{c}"])
        #expect(least.proof.allowed == 1)
    }

    @Test("leaves out what the resource's policy allows")
    func granted() throws {
        let policies = PolicySet(resource: AttachedPolicy("policy of bucket b", try policy(kind: .resource)))
        let least = LeastPolicy(of: [recorded("s3:GetObject", on: "arn:aws:s3:::b/k", policies: policies)])
        #expect(least.json == nil)
        #expect(least.proof.allowed == 1)
        #expect(least.notes == ["needs no statement, because the resource's own policy or ACL allows it: s3:GetObject"])
    }

    @Test("treats the root user as a user")
    func rootUser() throws {
        let least = LeastPolicy(of: [recorded("s3:ListAllMyBuckets", on: "*", by: root, keys: [:])])
        #expect(statements(least) == [["Effect": "Allow", "Action": ["s3:ListAllMyBuckets"], "Resource": ["*"]]])
        #expect(least.proof.allowed == 1)
        #expect(least.proof.failures.isEmpty)
    }

    @Test("says which request no identity policy can allow")
    func impossible() throws {
        let policies = PolicySet(boundary: AttachedPolicy("boundary", try policy(["Action": "s3:ListBucket"])))
        let least = LeastPolicy(of: [recorded("s3:GetObject", on: "arn:aws:s3:::box/a", policies: policies)])
        #expect(
            least.proof.failures == [
                "s3:GetObject on arn:aws:s3:::box/a by arn:aws:sts::\(account):assumed-role/files/s1 was allowed, and no identity policy can allow it"
            ])
    }

    @Test("writes policies of Alibaba Cloud without variables")
    func ram() throws {
        let owner = "1234567890123456"
        let session = Principal(
            .assumedRole(roleARN: "acs:ram::\(owner):role/app", roleID: "1", sessionARN: "acs:ram::\(owner):assumed-role/app/x"),
            account: owner)
        let recorded = ["oss:GetObject", "oss:PutObject"].map { action in
            let context = RequestContext(
                action: action, resource: "acs:oss:oss-cn-hangzhou:\(owner):photos/x/1.jpg", principal: session, resourceAccount: owner)
            return (request: DecidedRequest(context: context, policies: PolicySet(rule: .ram), isAllowed: true), isServed: true)
        }
        let least = LeastPolicy(of: recorded)
        #expect(least.json?["Version"] == "1")
        #expect(least.proof.allowed == 2)
        #expect(
            statements(least) == [
                [
                    "Effect": "Allow", "Action": ["oss:GetObject", "oss:PutObject"],
                    "Resource": ["acs:oss:oss-cn-hangzhou:\(owner):photos/x/1.jpg"],
                ]
            ])
    }
}
