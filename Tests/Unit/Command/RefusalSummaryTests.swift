import Cloud
import Policy
import Testing
import WireFormats

@testable import VirgaCommand

@Suite("The refused requests of a run")
struct RefusalSummaryTests {
    private static func entry(cause: String? = nil, decisions: [JournalDecision] = [], message: String? = nil) -> JournalEntry {
        JournalEntry(
            time: Timestamp(seconds: 1), requestID: "ID", method: "POST", target: "/", host: "localhost", face: "sts", caller: nil,
            operation: "Call", decisions: decisions, status: 403, errorCode: "Refused", errorMessage: message, cause: cause)
    }

    private static func denial(of resource: String, by policies: PolicySet = PolicySet()) -> JournalDecision {
        JournalDecision(
            action: "s3:GetObject", resource: resource, allowed: false, evidence: Evidence(resource: resource, policies: policies))
    }

    private static func lines(_ entries: [JournalEntry]) -> [String] {
        var summary = RefusalSummary()
        for entry in entries { summary.note(entry) }
        return summary.lines
    }

    @Test("are counted by cause")
    func causes() {
        let causes = ["the signature does not verify", "the token has expired", "the signature does not verify", "the audience is wrong"]
        #expect(
            Self.lines(causes.map { Self.entry(cause: $0, message: "Invalid.") }) == [
                "virga: 4 calls were refused", "  2 × sts:Call: Refused", "      Invalid. Cause: the signature does not verify",
                "  1 × sts:Call: Refused", "      Invalid. Cause: the token has expired", "  1 × sts:Call: Refused",
                "      Invalid. Cause: the audience is wrong",
            ])
    }

    @Test("are counted by message where there is no cause")
    func messages() {
        #expect(Self.lines(["a", "b", "a"].map { Self.entry(message: $0) }).filter { $0.contains("×") }.count == 2)
    }

    @Test("are one group where only the resources differ")
    func resources() {
        let entries = ["arn:aws:s3:::box/1", "arn:aws:s3:::box/2"].map { Self.entry(decisions: [Self.denial(of: $0)]) }
        #expect(
            Self.lines(entries) == [
                "virga: 2 calls were refused", "  2 × sts:Call: Refused",
                "      s3:GetObject on arn:aws:s3:::box/1 because no identity-based policy allows the s3:GetObject action",
                "      and the same on other resources",
            ])
        #expect(Self.lines([entries[0], entries[0]]).count == 3)
    }

    @Test("are two groups where policies deny and where none allows")
    func decisions() throws {
        let text = #"{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}"#
        let denying = PolicySet(identity: [AttachedPolicy("deny", try PolicyDocument(parsing: text, kind: .identity))])
        let entries = [Self.denial(of: "*"), Self.denial(of: "*", by: denying)].map { Self.entry(decisions: [$0]) }
        #expect(Self.lines(entries).filter { $0.contains("1 × ") }.count == 2)
    }
}

private final class Evidence: DecisionEvidence {
    private let resource: String
    private let policies: PolicySet

    init(resource: String, policies: PolicySet) {
        self.resource = resource
        self.policies = policies
    }

    var remedy: Remedy? { nil }
    var trace: DecisionTrace {
        let user = Principal(.user(arn: "arn:aws:iam::000000000000:user/ann", id: "AIDAANN"), account: "000000000000")
        return policies.trace(
            for: RequestContext(action: "s3:GetObject", resource: resource, principal: user, resourceAccount: "000000000000"))
    }
    var message: JSONValue { [:] }
}
