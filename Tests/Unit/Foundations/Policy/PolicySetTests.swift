import Policy
import Testing
import WireFormats

@Suite("Policies of several types together")
struct PolicySetTests {
    static func attached(_ elements: JSONObject = [:], kind: PolicyDocument.Kind = .identity) throws -> AttachedPolicy {
        AttachedPolicy("p", try policy(elements, kind: kind))
    }

    /// A policy that does not apply to the requests of these tests.
    static let silent: JSONObject = ["Action": "x:Other"]
    static let deny: JSONObject = ["Effect": "Deny"]

    @Test("within an account, an identity or a resource policy is enough")
    func sameAccount() throws {
        #expect(PolicySet().decision(for: request()).outcome == .implicitDeny(missing: .identityBased))
        #expect(try PolicySet(identity: [Self.attached()]).decision(for: request()).isAllowed)
        #expect(try PolicySet(resource: Self.attached(kind: .resource)).decision(for: request()).isAllowed)
    }

    @Test("a policy that is required must allow within its account, too, and can leave the decision to the account")
    func required() throws {
        let everything = [try Self.attached()]
        func decision(_ principals: JSONValue, _ identity: [AttachedPolicy], _ caller: Principal = alice) throws -> Decision.Outcome {
            var key = try Self.attached(["Principal": principals], kind: .resource)
            key.isRequired = true
            return PolicySet(identity: identity, resource: key).decision(for: request(by: caller)).outcome
        }
        let accountARN = "arn:aws:iam::\(account):root"
        let other: JSONValue = ["AWS": "arn:aws:iam::\(account):user/other"]
        // The account's policies decide.
        #expect(try decision(["AWS": .string(accountARN)], everything) == .allowed)
        #expect(try decision(["AWS": .string(accountARN)], []) == .implicitDeny(missing: .identityBased))
        #expect(try decision(["AWS": .string(accountARN)], [], root) == .allowed)
        // Without the account, not even the root user is allowed.
        #expect(try decision(other, everything) == .implicitDeny(missing: .resourceBased))
        #expect(try decision(other, []) == .implicitDeny(missing: .resourceBased))
        #expect(try decision(other, [], root) == .implicitDeny(missing: .resourceBased))
        // A policy that names the caller is enough.
        #expect(try decision(["AWS": "arn:aws:iam::\(account):user/staff/alice"], []) == .allowed)
        // A grant is as good as the policy.
        var key = try Self.attached(["Principal": other], kind: .resource)
        key.isRequired = true
        let grant = try Self.attached(["Principal": ["AWS": "arn:aws:iam::\(account):user/staff/alice"]], kind: .resource)
        #expect(PolicySet(resource: key, lists: [grant]).decision(for: request()).isAllowed)
    }

    @Test("the stages of a decision about a required policy begin with it")
    func requiredStages() throws {
        var key = try Self.attached(["Principal": ["AWS": "arn:aws:iam::\(account):user/other"]], kind: .resource)
        key.isRequired = true
        let stages = PolicySet(identity: [try Self.attached()], resource: key).trace(for: request()).stages
        #expect(stages.dropFirst().first?.name == "resource-based policy")
        #expect(stages.dropFirst().first?.outcome == .denies)
        #expect(stages.last?.outcome == .unreached)
    }

    @Test("an explicit deny in any policy decides, and is named")
    func explicitDeny() throws {
        var all = try PolicySet(
            identity: [Self.attached()], boundary: Self.attached(), session: [Self.attached()], resource: Self.attached(kind: .resource))
        #expect(all.decision(for: request(by: roleSession)).isAllowed)
        let refusal = try Self.attached(Self.deny)
        func outcome(_ set: PolicySet) -> Decision.Outcome { set.decision(for: request(by: roleSession)).outcome }
        var set = all
        set.identity.append(refusal)
        #expect(outcome(set) == .explicitDeny(in: .identityBased))
        set = all
        set.boundary = refusal
        #expect(outcome(set) == .explicitDeny(in: .permissionsBoundary))
        set = all
        set.session?.append(refusal)
        #expect(outcome(set) == .explicitDeny(in: .session))
        all.resource = try Self.attached(Self.deny, kind: .resource)
        #expect(outcome(all) == .explicitDeny(in: .resourceBased))
    }

    @Test("boundary and session policies limit an identity policy")
    func limits() throws {
        let identity = [try Self.attached()]
        let silent = try Self.attached(Self.silent)
        func outcome(_ set: PolicySet) -> Decision.Outcome { set.decision(for: request(by: roleSession)).outcome }
        #expect(outcome(PolicySet(identity: identity)) == .allowed)
        #expect(outcome(PolicySet(identity: identity, boundary: silent)) == .implicitDeny(missing: .permissionsBoundary))
        #expect(outcome(PolicySet(identity: identity, session: [silent])) == .implicitDeny(missing: .session))
        #expect(outcome(PolicySet(identity: identity, session: [])) == .implicitDeny(missing: .session))
        #expect(try outcome(PolicySet(identity: identity, session: [silent, Self.attached()])) == .allowed)
        #expect(try outcome(PolicySet(boundary: Self.attached(), session: [Self.attached()])) == .implicitDeny(missing: .identityBased))
    }

    /// A caller that the resource policy names in some form, and whether that allows a request to which the identity policy, the boundary
    /// or the session policy does not apply.
    struct Bypass: CustomTestStringConvertible, Sendable {
        var named: String
        var caller: Principal
        var identity: Bool
        var boundary: Bool
        var session: Bool
        var testDescription: String { named }
    }

    @Test(
        "the form of the principal in the resource policy determines which other policies limit the caller",
        arguments: [
            Bypass(named: "arn:aws:iam::123456789012:user/staff/alice", caller: alice, identity: true, boundary: true, session: false),
            Bypass(named: "arn:aws:iam::123456789012:role/app/files", caller: roleSession, identity: true, boundary: false, session: false),
            Bypass(
                named: "arn:aws:sts::123456789012:assumed-role/files/s1", caller: roleSession, identity: true, boundary: true, session: true
            ),
            Bypass(
                named: "arn:aws:sts::123456789012:federated-user/guest", caller: federatedUser, identity: true, boundary: true,
                session: true),
            Bypass(
                named: "arn:aws:iam::123456789012:user/staff/alice", caller: federatedUser, identity: true, boundary: false, session: false),
            Bypass(named: "arn:aws:iam::123456789012:root", caller: alice, identity: false, boundary: false, session: false),
            Bypass(named: "123456789012", caller: roleSession, identity: false, boundary: false, session: false),
            Bypass(named: "*", caller: alice, identity: true, boundary: true, session: true),
            Bypass(named: "*", caller: roleSession, identity: true, boundary: true, session: true),
        ])
    func bypass(_ row: Bypass) throws {
        let resource = try Self.attached(["Principal": ["AWS": .string(row.named)]], kind: .resource)
        let speaking = try Self.attached()
        let silent = try Self.attached(Self.silent)
        func outcome(_ set: PolicySet) -> Decision.Outcome { set.decision(for: request(by: row.caller)).outcome }
        func expected(_ passes: Bool, _ type: PolicyType) -> Decision.Outcome { passes ? .allowed : .implicitDeny(missing: type) }
        #expect(
            outcome(PolicySet(identity: [silent], boundary: speaking, session: [speaking], resource: resource))
                == expected(row.identity, .identityBased))
        #expect(
            outcome(PolicySet(identity: [speaking], boundary: silent, session: [speaking], resource: resource))
                == expected(row.boundary, .permissionsBoundary))
        #expect(
            outcome(PolicySet(identity: [speaking], boundary: speaking, session: [silent], resource: resource))
                == expected(row.session, .session))
    }

    @Test("a federated-user session without a session policy cannot use its user's policies")
    func federatedWithoutPolicy() throws {
        let identity = [try Self.attached()]
        #expect(PolicySet(identity: identity).decision(for: request(by: federatedUser)).outcome == .implicitDeny(missing: .session))
        #expect(try PolicySet(identity: identity, session: [Self.attached()]).decision(for: request(by: federatedUser)).isAllowed)
        let named = try Self.attached(["Principal": ["AWS": "arn:aws:sts::123456789012:federated-user/guest"]], kind: .resource)
        #expect(PolicySet(resource: named).decision(for: request(by: federatedUser)).isAllowed)
    }

    @Test(
        "across accounts both sides must allow, whatever the form of the principal",
        arguments: ["*", "123456789012", "arn:aws:iam::123456789012:user/staff/alice"])
    func crossAccount(_ named: String) throws {
        let resource = try Self.attached(["Principal": ["AWS": .string(named)]], kind: .resource)
        let identity = try Self.attached()
        func outcome(_ set: PolicySet) -> Decision.Outcome { set.decision(for: request(owner: otherAccount)).outcome }
        #expect(outcome(PolicySet(identity: [identity], resource: resource)) == .allowed)
        #expect(outcome(PolicySet(identity: [identity])) == .implicitDeny(missing: .resourceBased))
        #expect(outcome(PolicySet(resource: resource)) == .implicitDeny(missing: .identityBased))
        #expect(
            try outcome(PolicySet(identity: [identity], boundary: Self.attached(Self.silent), resource: resource))
                == .implicitDeny(missing: .permissionsBoundary))
    }

    @Test("the root user is allowed everything in its account that no resource policy denies")
    func rootUser() throws {
        #expect(PolicySet().decision(for: request(by: root)).isAllowed)
        #expect(try PolicySet(identity: [Self.attached(Self.deny)]).decision(for: request(by: root)).isAllowed)
        #expect(
            try PolicySet(resource: Self.attached(Self.deny, kind: .resource)).decision(for: request(by: root)).outcome
                == .explicitDeny(in: .resourceBased))
        #expect(PolicySet().decision(for: request(by: root, owner: otherAccount)).outcome == .implicitDeny(missing: .resourceBased))
        #expect(try PolicySet(resource: Self.attached(kind: .resource)).decision(for: request(by: root, owner: otherAccount)).isAllowed)
    }

    @Test("anonymous callers need a resource policy for everyone")
    func anonymous() throws {
        #expect(
            try PolicySet(identity: [Self.attached()]).decision(for: request(by: .anonymous)).outcome
                == .implicitDeny(missing: .resourceBased))
        #expect(try PolicySet(resource: Self.attached(kind: .resource)).decision(for: request(by: .anonymous)).isAllowed)
        let forAccount = try Self.attached(["Principal": ["AWS": "123456789012"]], kind: .resource)
        #expect(PolicySet(resource: forAccount).decision(for: request(by: .anonymous)).outcome == .implicitDeny(missing: .resourceBased))
    }

    @Test(
        "a trust policy must allow by itself, and can delegate to an account",
        arguments: [
            ("arn:aws:iam::123456789012:user/staff/alice", false, .allowed),
            ("arn:aws:iam::123456789012:user/bob", true, .implicitDeny(missing: .roleTrust)),
            ("123456789012", true, .allowed), ("123456789012", false, .implicitDeny(missing: .identityBased)),
        ] as [(String, Bool, Decision.Outcome)])
    func trust(_ named: String, _ hasIdentityPolicy: Bool, _ expected: Decision.Outcome) throws {
        let trust = try Self.attached(["Principal": ["AWS": .string(named)]], kind: .trust)
        let set = PolicySet(identity: hasIdentityPolicy ? [try Self.attached()] : [], resource: trust)
        #expect(set.decision(for: request("sts:AssumeRole", on: "arn:aws:iam::123456789012:role/r")).outcome == expected)
    }

    @Test("web identities are authorized by the trust policy only")
    func webIdentity() throws {
        let facebook = Principal(.federated(provider: "graph.facebook.com"), account: account)
        func outcome(_ elements: JSONObject, _ keys: [String: ConditionValues]) throws -> Decision.Outcome {
            try PolicySet(resource: Self.attached(elements, kind: .trust)).decision(
                for: request("sts:AssumeRoleWithWebIdentity", by: facebook, with: keys)
            ).outcome
        }
        let trust: JSONObject = [
            "Principal": ["Federated": "graph.facebook.com"], "Action": "sts:AssumeRoleWithWebIdentity",
            "Condition": ["StringEquals": ["graph.facebook.com:app_id": "111"]],
        ]
        #expect(try outcome(trust, ["graph.facebook.com:app_id": .one("111")]) == .allowed)
        #expect(try outcome(trust, ["graph.facebook.com:app_id": .one("222")]) == .implicitDeny(missing: .roleTrust))
        #expect(try outcome(["Principal": ["AWS": "*"]], [:]) == .implicitDeny(missing: .roleTrust))
    }

    @Test("a denial by a managed policy contains its ARN, except for resources of other accounts")
    func policyARN() throws {
        let arn = "arn:aws:iam::123456789012:policy/guard"
        let guarded = AttachedPolicy(arn, try policy(Self.deny), origin: .managed(arn: arn))
        func reason(_ set: PolicySet, owner: String = account) -> String? {
            set.decision(for: request(by: roleSession, owner: owner)).reason(action: "s3:GetObject")
        }
        #expect(reason(PolicySet(identity: [guarded])) == "with an explicit deny in an identity-based policy: \(arn)")
        #expect(reason(PolicySet(boundary: guarded)) == "with an explicit deny in a permissions boundary: \(arn)")
        #expect(reason(PolicySet(session: [guarded])) == "with an explicit deny in a session policy: \(arn)")
        #expect(reason(PolicySet(identity: [guarded]), owner: otherAccount) == "with an explicit deny in an identity-based policy")
        let inline = AttachedPolicy("p", try policy(Self.deny), origin: .inline(.role, "files", name: "p"))
        #expect(reason(PolicySet(identity: [inline, guarded])) == "with an explicit deny in an identity-based policy")
    }

    @Test("denials have AWS's messages")
    func wording() throws {
        let silent = PolicySet().decision(for: request())
        #expect(silent.reason(action: "s3:GetObject") == "because no identity-based policy allows the s3:GetObject action")
        #expect(
            silent.message(for: request())
                == "User: arn:aws:iam::123456789012:user/staff/alice is not authorized to perform: s3:GetObject on resource: arn:aws:s3:::b/k "
                + "because no identity-based policy allows the s3:GetObject action")
        func reason(_ outcome: Decision.Outcome) -> String? { Decision(outcome).reason(action: "a:B") }
        #expect(reason(.allowed) == nil)
        #expect(reason(.explicitDeny(in: .identityBased)) == "with an explicit deny in an identity-based policy")
        #expect(reason(.explicitDeny(in: .resourceBased)) == "with an explicit deny in a resource-based policy")
        #expect(reason(.explicitDeny(in: .permissionsBoundary)) == "with an explicit deny in a permissions boundary")
        #expect(reason(.implicitDeny(missing: .session)) == "because no session policy allows the a:B action")
        #expect(reason(.implicitDeny(missing: .roleTrust)) == "because no role trust policy allows the a:B action")
    }
}
