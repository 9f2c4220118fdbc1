import Testing
import WireFormats

@testable import Policy

@Suite("The effect of each statement on a decision")
struct StatementEffectTests {
    private func effects(_ policies: PolicySet, _ context: RequestContext = request()) -> [String] {
        DecidedRequest(context: context, policies: policies, isAllowed: true).effects.map {
            "\($0.policy.label) \($0.index) \($0.isDecisive ? "decided" : "applied")"
        }
    }

    private func document(_ statements: JSONValue..., kind: PolicyDocument.Kind = .identity) throws -> PolicyDocument {
        try PolicyDocument(json: ["Version": "2012-10-17", "Statement": .array(statements)], kind: kind)
    }

    private let allow: JSONValue = ["Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"]
    private let allowAll: JSONValue = ["Effect": "Allow", "Action": "s3:*", "Resource": "*"]
    private let deny: JSONValue = ["Effect": "Deny", "Action": "s3:*", "Resource": "*"]
    private let other: JSONValue = ["Effect": "Allow", "Action": "s3:PutObject", "Resource": "*"]

    @Test("is decisive if the only statement that allows is left out")
    func only() throws {
        #expect(effects(PolicySet(identity: [AttachedPolicy("p", try document(other, allow))])) == ["p 1 decided"])
    }

    @Test("changes nothing if another statement allows too")
    func redundant() throws {
        let policies = PolicySet(identity: [AttachedPolicy("p", try document(allow, allowAll))])
        #expect(effects(policies) == ["p 0 applied", "p 1 applied"])
    }

    @Test("of a denial is decisive only if the request would be allowed without it")
    func denial() throws {
        #expect(
            effects(PolicySet(identity: [AttachedPolicy("p", try document(allow, deny))])) == ["p 0 applied", "p 1 decided"])
        #expect(effects(PolicySet(identity: [AttachedPolicy("p", try document(deny))])) == ["p 0 applied"])
    }

    @Test("counts boundaries, session policies and trust policies")
    func limits() throws {
        let policies = PolicySet(
            identity: [AttachedPolicy("p", try document(allow))], boundary: AttachedPolicy("b", try document(allowAll)),
            session: [AttachedPolicy("s", try document(other, allow))])
        #expect(effects(policies, request(by: roleSession)) == ["p 0 decided", "b 0 decided", "s 1 decided"])
        let trust = try document(
            ["Effect": "Allow", "Principal": ["Federated": "graph.facebook.com"], "Action": "sts:AssumeRoleWithWebIdentity"], kind: .trust)
        let caller = Principal(.federated(provider: "graph.facebook.com"), account: account)
        #expect(
            effects(
                PolicySet(resource: AttachedPolicy("t", trust)), request("sts:AssumeRoleWithWebIdentity", on: "arn", by: caller))
                == ["t 0 decided"])
    }

    @Test("leaves a policy out wherever it is attached")
    func attachedTwice() throws {
        let shared = try document(allow)
        let policies = PolicySet(identity: [AttachedPolicy("p", shared), AttachedPolicy("p of group g", shared)])
        #expect(effects(policies) == ["p 0 decided", "p of group g 0 decided"])
    }

    @Test("keeps the index of the document if other statements are left out")
    func indexes() throws {
        let statements: [JSONValue] = [allow, deny].map { statement in
            var members = statement.objectValue ?? [:]
            members["Principal"] = "*"
            return .object(members)
        }
        let resource = try PolicyDocument(json: ["Version": "2012-10-17", "Statement": .array(statements)], kind: .resource)
        let denials = try #require(resource.denials)
        #expect(denials.indexes == [1])
        #expect(denials.removing(statementAt: 0).indexes.isEmpty)
        let policies = PolicySet(identity: [AttachedPolicy("p", try document(allow))], resource: AttachedPolicy("b", denials))
        #expect(effects(policies) == ["p 0 applied", "b 1 decided"])
    }

    @Test("has the line of the statement in the formatted policy")
    func lines() {
        let text = PolicyText(["Version": "2012-10-17", "Statement": [allow, deny]])
        let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(text.lines == [4, 9])
        #expect(text.lines.allSatisfy { lines[$0 - 1].hasSuffix("{") })
        #expect(PolicyText(["Statement": allow]).lines == [2])
    }
}

@Suite("A recorded request")
struct DecidedRequestTests {
    private func decided(_ keys: [String: ConditionValues], reading key: String, time: String) throws -> DecidedRequest {
        let condition: JSONValue = .one("DateLessThan", .one(key, "2026-01-01T00:00:00Z"))
        let document = try policy(["Condition": condition])
        var context = request(with: keys)
        context.keys = ConditionKeys(context.keys) { $0 == "aws:currenttime" ? .one(time) : nil }
        return DecidedRequest(context: context, policies: PolicySet(identity: [AttachedPolicy("p", document)]), isAllowed: true)
    }

    @Test("keeps the keys that policies read, and computes no others")
    func keys() throws {
        let kept = try decided(["aws:username": .one("alice")], reading: "aws:CurrentTime", time: "2025-01-01T00:00:00Z").kept(tags: [])
        #expect(kept.context.keys.all.map(\.name) == ["aws:currenttime", "aws:username"])
        let other = try decided([:], reading: "aws:EpochTime", time: "2025-01-01T00:00:00Z").kept(tags: [])
        #expect(other.context.keys.all.isEmpty)
    }

    @Test("is distinct by its keys, and by the time only if statements apply differently")
    func identity() throws {
        let requests = try ["2025-01-01T00:00:00Z", "2025-06-01T00:00:00Z", "2027-01-01T00:00:00Z"].map {
            try decided([:], reading: "aws:CurrentTime", time: $0).kept(tags: []).identity
        }
        #expect(requests[0] == requests[1])
        #expect(requests[1] != requests[2])
        let users = try ["alice", "bob"].map {
            try decided(["aws:username": .one($0)], reading: "aws:CurrentTime", time: "2025-01-01T00:00:00Z").kept(tags: []).identity
        }
        #expect(users[0] != users[1])
    }
}
