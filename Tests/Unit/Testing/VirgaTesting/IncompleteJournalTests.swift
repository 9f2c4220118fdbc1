import Cloud
import Testing
import WireFormats

@testable import VirgaTesting

@Suite("A journal that has dropped requests")
struct IncompleteJournalTests {
    @Test("is an error for expectations that the dropped requests could change, and for no others")
    func dropped() async throws {
        try await withCloud { cloud in
            try await cloud.withSandbox { sandbox in
                for _ in 0..<12 {
                    sandbox.journal.append(
                        JournalEntry(
                            time: .now(), requestID: "1", method: "GET", target: "/" + String(repeating: "a", count: 1 << 20), host: "",
                            face: "s3", caller: nil, operation: "GetObject", decisions: [], status: 200, errorCode: nil))
                }
            }
            func code(_ body: () async throws -> Void) async -> CloudError.Code? {
                await #expect(throws: CloudError.self) { try await body() }?.code
            }
            #expect(await code { try await cloud.journal.expectNever(did: "s3:PutObject") } == .incompleteJournal)
            #expect(await code { try await cloud.journal.expect(did: "s3:PutObject") } == .incompleteJournal)
            #expect(await code { try await cloud.journal.expect(did: "s3:GetObject", times: .atMost(100)) } == .incompleteJournal)
            // What is still there is enough.
            try await cloud.journal.expect(did: "s3:GetObject", times: .atLeast(2))
            await #expect(throws: UnmetExpectation.self) { try await cloud.journal.expectNever(did: "s3:GetObject") }
            try await cloud.journal.clear()
            try await cloud.journal.expectNever(did: "s3:GetObject")
        }
    }
}
