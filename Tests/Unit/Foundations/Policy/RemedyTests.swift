import Policy
import Testing
import WireFormats

@Suite("The remedy of a denial")
struct RemedyTests {
    private static let role = "arn:aws:iam::\(account):role/app/files"

    @Test("adds one statement with action and resource to the role's inline policy")
    func identity() throws {
        let inline = AttachedPolicy("files", try policy(["Action": "s3:ListBucket"]), origin: .inline(.role, "files", name: "files"))
        let remedy = PolicySet(identity: [inline]).remedy(for: request(by: roleSession))
        #expect(
            remedy?.explanation == [
                #"to allow it, add to inline policy "files" of role files:"#,
                #"  {"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/k"}"#,
            ])
    }

    @Test("adds a new inline policy if there is none that can be changed")
    func newPolicy() throws {
        let managed = AttachedPolicy(
            "x", try policy(["Action": "s3:ListBucket"]), origin: .managed(arn: "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"))
        let remedy = PolicySet(identity: [managed]).remedy(for: request(by: alice))
        #expect(remedy?.steps.map(\.policy) == ["a new inline policy of user alice"])
    }

    @Test("names the statement that denies, and what is missing besides")
    func deny() throws {
        let set = PolicySet(
            identity: [AttachedPolicy("no", try policy(["Effect": "Deny", "Sid": "No"]), origin: .inline(.user, "alice", name: "no"))])
        let remedy = try #require(set.remedy(for: request()))
        #expect(
            remedy.explanation == [
                #"to allow it, remove or narrow statement "No" (Deny) of inline policy "no" of user alice"#,
                #"to allow it, add to inline policy "no" of user alice:"#,
                #"  {"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/k"}"#,
            ])
    }

    @Test("has a step for each policy that has to allow")
    func boundaryAndSession() throws {
        let other = try policy(["Action": "s3:ListBucket"])
        let set = PolicySet(
            identity: [AttachedPolicy("i", other, origin: .inline(.role, "files", name: "i"))],
            boundary: AttachedPolicy("b", other, origin: .managed(arn: "arn:aws:iam::\(account):policy/limit")),
            session: [AttachedPolicy("session policy", other)])
        let remedy = try #require(set.remedy(for: request(by: roleSession)))
        #expect(remedy.steps.map(\.type) == [.identityBased, .permissionsBoundary, .session])
        #expect(remedy.steps[1].policy == "permissions boundary arn:aws:iam::\(account):policy/limit")
    }

    @Test("across accounts changes both sides, and names the role in the resource policy")
    func crossAccount() throws {
        let remedy = try #require(PolicySet().remedy(for: request(by: roleSession, owner: otherAccount)))
        #expect(remedy.steps.map(\.policy) == ["a new inline policy of role files", "the policy of bucket b"])
        #expect(
            remedy.steps.last?.change
                == .add([
                    "Effect": "Allow", "Principal": ["AWS": .string(Self.role)], "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/k",
                ]))
    }

    @Test("of an anonymous request is a statement for everyone in the bucket policy")
    func anonymous() throws {
        let bucket = AttachedPolicy("policy of bucket b", try policy(["Action": "s3:ListBucket"], kind: .resource))
        let remedy = try #require(PolicySet(resource: bucket).remedy(for: request(by: .anonymous)))
        #expect(remedy.steps.map(\.policy) == ["the policy of bucket b"])
        #expect(remedy.explanation.last == #"  {"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/k"}"#)
    }

    @Test("of a refused token names application and user in the trust policy")
    func federated() throws {
        let provider = "arn:aws:iam::\(account):oidc-provider/id.example/app"
        let principal = Principal(.federated(provider: provider), account: account)
        let trust = try policy(
            [
                "Principal": ["Federated": .string(provider)],
                "Condition": ["StringEquals": ["id.example/app:aud": "another"]],
            ], kind: .trust)
        let question = request(
            "sts:AssumeRoleWithWebIdentity", on: Self.role, by: principal,
            with: ["id.example/app:aud": .one("web"), "id.example/app:sub": .one("alice")])
        let set = PolicySet(resource: AttachedPolicy("trust policy of files", trust))
        let remedy = try #require(set.remedy(for: question))
        #expect(
            remedy.explanation == [
                "to allow it, add to the trust policy of files:",
                #"  {"Effect":"Allow","Principal":{"Federated":"\#(provider)"},"Action":"sts:AssumeRoleWithWebIdentity","#
                    + #""Condition":{"StringEquals":{"id.example/app:aud":"web","id.example/app:sub":"alice"}}}"#,
            ])
    }

    @Test("keeps the tags that a statement compares, with the values of the request")
    func tags() throws {
        let own = try policy([
            "Condition": ["StringEquals": ["aws:PrincipalTag/team": "red"], "Bool": ["aws:SecureTransport": "true"]]
        ])
        let set = PolicySet(identity: [AttachedPolicy("own", own, origin: .inline(.user, "alice", name: "own"))])
        let remedy = try #require(set.remedy(for: request(with: ["aws:PrincipalTag/team": .one("blue")])))
        #expect(
            remedy.explanation.last
                == #"  {"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/k","#
                + #""Condition":{"StringEquals":{"aws:PrincipalTag/team":"blue"}}}"#)
        // A tag that the request does not have cannot be compared.
        let untagged = try #require(set.remedy(for: request()))
        #expect(untagged.explanation.last == #"  {"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/k"}"#)
    }

    @Test("escapes a key that contains a variable")
    func literalMark() throws {
        let question = request(on: "arn:aws:s3:::b/${aws:username}")
        let remedy = try #require(PolicySet().remedy(for: question))
        #expect(remedy.explanation.last == #"  {"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/${$}{aws:username}"}"#)
    }

    @Test("of an allowed request does not exist")
    func allowed() throws {
        #expect(PolicySet(identity: [AttachedPolicy("p", try policy())]).remedy(for: request()) == nil)
    }

    @Test("uses RAM's grammar for decisions of RAM")
    func ram() throws {
        let user = Principal(.user(arn: "acs:ram::1234567890123456:user/bob", id: "212345678901234567"), account: "1234567890123456")
        let question = request(
            "oss:GetObject", on: "acs:oss:oss-cn-hangzhou:1234567890123456:b/k", by: user, owner: "1234567890123456")
        let remedy = try #require(PolicySet(rule: .ram).remedy(for: question))
        #expect(remedy.steps.map(\.policy) == ["a new custom policy of user bob"])
        let across = request("oss:GetObject", on: "acs:oss:oss-cn-hangzhou:6543210987654321:b/k", by: user, owner: "6543210987654321")
        let other = try #require(PolicySet(rule: .ram).remedy(for: across))
        #expect(
            other.explanation.last
                == #"  {"Effect":"Allow","Principal":["212345678901234567"],"Action":"oss:GetObject","Resource":"acs:oss:oss-cn-hangzhou:6543210987654321:b/k"}"#
        )
    }
}
