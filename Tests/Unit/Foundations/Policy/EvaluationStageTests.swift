import Policy
import Testing
import WireFormats

@Suite("The stages of a decision")
struct EvaluationStageTests {
    private static let other = ["Action": "s3:PutObject"] as JSONObject

    private func stages(_ set: PolicySet, by principal: Principal = alice, owner: String = account) -> [String] {
        set.trace(for: request(by: principal, owner: owner)).stages.map { "\($0.name): \($0.outcome.rawValue)" }
    }

    @Test("are in the order of AWS, and go on where the resource's policy says nothing")
    func allowed() throws {
        let set = PolicySet(
            identity: [AttachedPolicy("mine", try policy())], boundary: AttachedPolicy("limit", try policy()),
            resource: AttachedPolicy("bucket", try policy(Self.other, kind: .resource)))
        #expect(
            stages(set) == [
                "explicit deny: absent", "resource-based policy: silent", "identity-based policy: allows", "permissions boundary: allows",
                "session policy: absent",
            ])
    }

    @Test("end at the policy that is missing")
    func missing() throws {
        let set = PolicySet(identity: [AttachedPolicy("mine", try policy())], boundary: AttachedPolicy("limit", try policy(Self.other)))
        #expect(
            stages(set) == [
                "explicit deny: absent", "resource-based policy: absent", "identity-based policy: allows", "permissions boundary: denies",
                "session policy: unreached",
            ])
        #expect(set.trace(for: request()).stages[3].policies == ["limit"])
    }

    @Test("end at an explicit deny, wherever it stands")
    func denied() throws {
        let set = PolicySet(
            identity: [AttachedPolicy("mine", try policy())],
            resource: AttachedPolicy("bucket", try policy(["Effect": "Deny"], kind: .resource)))
        let trace = set.trace(for: request())
        #expect(trace.stages.first?.outcome == .denies)
        #expect(trace.stages.first?.policies == ["bucket"])
        #expect(trace.stages.dropFirst().allSatisfy { $0.outcome == .unreached })
    }

    @Test("end with the resource's policy for another account, which must allow as well")
    func otherOwner() throws {
        let set = PolicySet(identity: [AttachedPolicy("mine", try policy())])
        #expect(stages(set, owner: otherAccount).last == "resource-based policy: denies")
        #expect(stages(set, owner: otherAccount)[1] == "identity-based policy: allows")
    }

    @Test("begin with the session at Alibaba Cloud")
    func ram() throws {
        let set = PolicySet(
            identity: [AttachedPolicy("mine", try policy())], session: [AttachedPolicy("narrow", try policy(Self.other))], rule: .ram)
        #expect(
            stages(set, by: roleSession) == [
                "explicit deny: absent", "session policy: denies", "resource-based policy: unreached", "identity-based policy: unreached",
            ])
    }

    @Test("have exactly one that denies, if the request is denied", arguments: [alice, root, roleSession, federatedUser, .anonymous])
    func oneStop(principal: Principal) throws {
        let policies: [AttachedPolicy?] = [nil, AttachedPolicy("yes", try policy()), AttachedPolicy("no", try policy(Self.other))]
        let resources: [AttachedPolicy?] = [
            nil, AttachedPolicy("all", try policy(kind: .resource)),
            AttachedPolicy("deny", try policy(["Effect": "Deny"], kind: .resource)),
        ]
        for (rule, owner) in [(EvaluationRule.aws, account), (.aws, otherAccount), (.ram, account), (.ram, otherAccount)] {
            for identity in policies {
                for session in policies {
                    for resource in resources {
                        let set = PolicySet(
                            identity: identity.map { [$0] } ?? [], session: session.map { [$0] }, resource: resource, rule: rule)
                        let trace = set.trace(for: request(by: principal, owner: owner))
                        #expect(trace.stages.count { $0.outcome == .denies } == (trace.decision.isAllowed ? 0 : 1))
                    }
                }
            }
        }
    }
}
