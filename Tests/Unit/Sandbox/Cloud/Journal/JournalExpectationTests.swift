import Policy
import Testing
import WireFormats

@testable import Cloud

@Suite("Expectations about the journal")
struct JournalExpectationTests {
    private static let session = "arn:aws:sts::000000000000:assumed-role/app/alice"

    private func entry(
        _ operation: String = "PutObject", caller: String? = session,
        decisions: [(action: String, resource: String)] = [
            ("s3:PutObject", "arn:aws:s3:::box/a/1.txt")
        ], status: Int = 200
    ) -> JournalEntry {
        JournalEntry(
            time: Timestamp(seconds: 1_795_262_400), requestID: "0123456789ABCDEF", method: "PUT", target: "/box/a/1.txt?x-id=PutObject",
            host: "localhost", face: "s3", caller: caller, operation: operation,
            decisions: decisions.map { JournalDecision(action: $0.action, resource: $0.resource, allowed: true, evidence: Unexplained()) },
            status: status, errorCode: nil)
    }

    private func outcome(_ pattern: [CallPattern.Member: String], _ entries: [JournalEntry], min: Int = 1, max: Int? = nil)
        -> JournalExpectation.Outcome
    {
        JournalExpectation(pattern: CallPattern(pattern), min: min, max: max).outcome(among: entries)
    }

    @Test(
        "compare each member with wildcards",
        arguments: [
            ([CallPattern.Member.action: "s3:PutObject"], true), ([.action: "s3:put*"], true), ([.action: "PutObject"], true),
            ([.action: "s3:GetObject"], false), ([.resource: "arn:aws:s3:::box/*"], true), ([.resource: "/box/a/?.txt"], true),
            ([.resource: "arn:aws:s3:::BOX/*"], false), ([.caller: session], true), ([.caller: "*/alice"], true),
            ([.caller: "anonymous"], false), ([.status: "2??"], true), ([.status: "403"], false),
            ([.action: "s3:*", .resource: "*", .caller: "*", .status: "*"], true),
        ] as [([CallPattern.Member: String], Bool)])
    func members(pattern: [CallPattern.Member: String], matches: Bool) {
        #expect(outcome(pattern, [entry()]).isMet == matches)
    }

    @Test(
        "match the sessions of a role by its ARN",
        arguments: [
            ("arn:aws:iam::000000000000:role/app", session, true), ("arn:aws:iam::000000000000:role/team/app", session, true),
            ("arn:aws:iam::000000000000:role/ap", session, false), ("arn:aws:iam::111111111111:role/app", session, false),
            ("acs:ram::1234567890123456:role/app", "acs:ram::1234567890123456:assumed-role/app/x", true),
        ])
    func roles(pattern: String, caller: String, matches: Bool) {
        #expect(outcome([.caller: pattern], [entry(caller: caller)]).isMet == matches)
    }

    @Test("match calls without credentials as anonymous")
    func anonymous() {
        #expect(outcome([.caller: "anonymous"], [entry(caller: nil)]).isMet)
    }

    @Test("match action and resource in the same decision")
    func decisions() {
        let copy = entry(
            "CopyObject", decisions: [("s3:GetObject", "arn:aws:s3:::box/from"), ("s3:PutObject", "arn:aws:s3:::box/to")])
        #expect(outcome([.action: "s3:PutObject", .resource: "arn:aws:s3:::box/to"], [copy]).isMet)
        #expect(!outcome([.action: "s3:PutObject", .resource: "arn:aws:s3:::box/from"], [copy]).isMet)
        #expect(outcome([.action: "s3:CopyObject", .resource: "arn:aws:s3:::box/from"], [copy]).isMet)
    }

    @Test("count the calls", arguments: [(0, nil, true), (3, 3, true), (4, nil, false), (0, 2, false), (0, 0, false)])
    func counts(min: Int, max: Int?, isMet: Bool) {
        let outcome = outcome([.action: "s3:PutObject"], [entry(), entry(), entry(status: 500)], min: min, max: max)
        #expect(outcome.count == 3)
        #expect(outcome.isMet == isMet)
    }

    @Test("name the members that differ, of the closest calls first")
    func nearMisses() {
        let far = entry("GetObject", caller: nil, decisions: [("s3:GetObject", "arn:aws:s3:::other/x")])
        let near = entry(decisions: [("s3:PutObject", "arn:aws:s3:::other/x")])
        let outcome = outcome([.action: "s3:PutObject", .resource: "arn:aws:s3:::box/*", .caller: Self.session], [far, near, far])
        #expect(outcome.count == 0)
        #expect(outcome.nearMisses.count == 3)
        #expect(
            outcome.nearMisses[0].differences == [
                .init(member: .resource, expected: "arn:aws:s3:::box/*", found: "arn:aws:s3:::other/x")
            ])
        #expect(outcome.nearMisses[1].differences.map(\.member) == [.action, .resource, .caller])
        #expect(outcome.nearMisses[1].differences[2].found == "anonymous")
    }

    @Test("keep few near misses, the newest ones")
    func fewNearMisses() {
        let entries = (1...20).map { entry(caller: "caller-\($0)", status: 200) }
        let outcome = outcome([.caller: "nobody"], entries)
        #expect(outcome.nearMisses.map(\.entry.caller) == ["caller-20", "caller-19", "caller-18", "caller-17", "caller-16"])
    }

    @Test(
        "are described in a sentence",
        arguments: [
            (1, nil, "at least once"), (2, nil, "at least 2 times"), (0, 3, "at most 3 times"), (1, 1, "exactly once"), (0, 0, "never"),
            (2, 4, "2 to 4 times"), (0, nil, "any number of times"),
        ])
    func description(min: Int, max: Int?, text: String) {
        let pattern = CallPattern([.action: "s3:PutObject", .resource: "/a", .caller: "c", .status: "200"])
        #expect(JournalExpectation(pattern: pattern, min: min, max: max).description == "s3:PutObject on /a by c with status 200, \(text)")
    }

    @Test("can be complete only if the journal has kept all entries since the number")
    func completeness() {
        let journal = Journal(capacity: 3 * entry().cost)
        #expect(journal.entries(after: nil).isComplete)
        #expect(journal.entries(after: nil).last == 0)
        for _ in 1...5 { journal.append(entry()) }
        #expect(journal.entries(after: nil).isComplete == false)
        #expect(journal.entries(after: 1).isComplete == false)
        let excerpt = journal.entries(after: 2)
        #expect(excerpt.isComplete)
        #expect(excerpt.last == 5)
        #expect(excerpt.entries.map(\.number) == [3, 4, 5])
        #expect(journal.entries(after: 4).entries.map(\.number) == [5])
        #expect(journal.entries(after: .max).entries.isEmpty)
        journal.removeAll()
        #expect(journal.entries(after: nil).isComplete)
        #expect(journal.entries(after: 2).isComplete == false)
        journal.append(entry())
        #expect(journal.entries(after: nil).entries.map(\.number) == [6])
    }
}

/// A request to which no policy applies.
private final class Unexplained: DecisionEvidence {
    var remedy: Remedy? { nil }
    var trace: DecisionTrace {
        PolicySet().trace(for: RequestContext(action: "a", resource: "*", principal: .anonymous, resourceAccount: "000000000000"))
    }
    var message: JSONValue { [:] }
}
