import Fixtures
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The journal")
struct JournalTests {
    private func entry(_ target: String, face: String = "s3", decisions: [JournalDecision] = []) -> JournalEntry {
        JournalEntry(
            time: Timestamp(seconds: 1_795_262_400), requestID: "0123456789ABCDEF", method: "GET", target: target, host: "localhost",
            face: face, caller: nil,
            operation: nil, decisions: decisions, status: 200, errorCode: nil)
    }

    @Test("counts requests without sound credentials or a permitted scope as refused, whatever their status")
    func refused() {
        func isRefused(_ code: String, _ status: Int = 400) -> Bool {
            JournalEntry(
                time: Timestamp(seconds: 1_795_262_400), requestID: "0123456789ABCDEF", method: "POST", target: "/token", host: "localhost",
                face: "oidc", caller: nil, operation: nil, decisions: [], status: status, errorCode: code
            ).isRefused
        }
        for code in ["invalid_scope", "invalid_grant", "InvalidGrantException", "ExpiredToken"] { #expect(isRefused(code), "\(code)") }
        #expect(isRefused("AccessDenied", 403))
        #expect(!isRefused("invalid_request"))
        #expect(!isRefused("authorization_pending"))
    }

    @Test("lists the newest entries first, numbered from 1, up to the limit")
    func order() {
        let journal = Journal()
        for number in 1...5 { journal.append(entry("/\(number)")) }
        let recent = journal.recent(limit: 3) { _ in true }
        #expect(recent.map(\.target) == ["/5", "/4", "/3"])
        #expect(recent.map(\.number) == [5, 4, 3])
        #expect(journal.recent(limit: 100) { _ in true }.count == 5)
    }

    @Test("applies the limit after the filter")
    func filter() {
        let journal = Journal()
        for number in 1...10 { journal.append(entry("/\(number)", face: number.isMultiple(of: 2) ? "s3" : "sts")) }
        #expect(journal.recent(limit: 2) { $0.face == "sts" }.map(\.target) == ["/9", "/7"])
    }

    @Test("holds as many entries as fit its size in bytes")
    func bound() {
        let cost = entry("/0000").cost
        let journal = Journal(capacity: 10 * cost + cost / 2)
        for number in 1000..<6000 { journal.append(entry("/\(number)")) }
        let recent = journal.recent(limit: .max) { _ in true }
        #expect(recent.count == 10)
        #expect(recent.first?.target == "/5999")
        #expect(recent.last?.target == "/5990")
    }

    @Test("keeps the newest entry even if it alone is too large")
    func oversized() {
        let journal = Journal(capacity: 1000)
        journal.append(entry("/a"))
        journal.append(entry("/" + String(repeating: "x", count: 5000)))
        #expect(journal.recent(limit: 10) { _ in true }.map(\.number) == [2])
    }

    @Test("frees the entries that it drops")
    func release() {
        weak var dropped: Evidence?
        let journal = Journal(capacity: 1)
        do {
            let witness = Evidence()
            dropped = witness
            journal.append(
                entry(
                    "/a",
                    decisions: [JournalDecision(action: "a", resource: "*", allowed: true, evidence: witness)]))
        }
        #expect(dropped != nil)
        journal.append(entry("/b"))
        #expect(dropped == nil)
    }

    @Test("counts the texts that a client chooses toward its size", arguments: ["method", "target", "host", "caller", "resource"])
    func cost(part: String) {
        let text = String(repeating: "x", count: 10_000)
        var entry = entry("/")
        switch part {
        case "method": entry.method = text
        case "target": entry.target = text
        case "host": entry.host = text
        case "caller": entry.caller = text
        default: entry.decisions = [JournalDecision(action: "a", resource: text, allowed: false, evidence: Evidence())]
        }
        #expect(entry.cost > 10_000)
    }

    @Test("is empty after a reset, and continues its numbers")
    func reset() async throws {
        try await withSandbox { cloud async throws in
            cloud.journal.append(entry("/before"))
            try await cloud.reset()
            #expect(cloud.journal.recent(limit: 10) { _ in true }.isEmpty)
            cloud.journal.append(entry("/after"))
            #expect(cloud.journal.recent(limit: 10) { _ in true }.map(\.number) == [2])
        }
    }
}

/// A request to which no policy applies.
private final class Evidence: DecisionEvidence {
    var remedy: Remedy? { nil }
    var trace: DecisionTrace {
        PolicySet().trace(for: RequestContext(action: "a", resource: "*", principal: .anonymous, resourceAccount: "000000000000"))
    }
    var message: JSONValue { [:] }
}
