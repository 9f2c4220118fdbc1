import Fixtures
import Testing
import VirgaTesting

@Suite("The journal of a cloud")
struct JournalTests {
    @Test("has each request with its caller and decisions")
    func entries() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let token = try await cloud.token("company", user: "alice")
            try await FileStore(endpoint: cloud.endpoint, token: token.value).upload("hello", as: "notes.txt")
            let entries = try await cloud.journal.entries
            #expect(entries.map(\.call) == ["sts:AssumeRoleWithWebIdentity", "s3:PutObject"])
            let upload = try #require(entries.last)
            #expect(upload.caller?.hasSuffix(":assumed-role/personal-files-company/alice") == true)
            #expect(upload.decisions.map(\.isAllowed) == [true])
            #expect(upload.decisions.first?.trace.isEmpty == false)
            #expect(!upload.isRefused)
        }
    }

    @Test("confirms who did what on what, how often")
    func met() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let token = try await cloud.token("company", user: "alice")
            let store = FileStore(endpoint: cloud.endpoint, token: token.value)
            for name in ["a.txt", "b.txt"] { try await store.upload("hello", as: name) }
            let files = "arn:aws:s3:::personal-files/*"
            try await cloud.journal.expect(.role("personal-files-company"), did: "s3:PutObject", on: files, times: 2)
            try await cloud.journal.expect(.session("alice", ofRole: "personal-files-company"), did: "Put*", times: .between(1...2))
            try await cloud.journal.expect("arn:aws:iam::000000000000:role/personal-files-company", on: files, status: 200)
            try await cloud.journal.expect(did: "s3:GetObject", times: .atMost(0))
            try await cloud.journal.expectNever(role: "admin")
            try await cloud.journal.expectNever(.user("developer"))
            try await cloud.journal.expectNever(.anonymous, did: "s3:*")
            await #expect(throws: UnmetExpectation.self) { try await cloud.journal.expectNever(role: "personal-files-company") }
        }
    }

    @Test("names the closest requests and their differences if an expectation is not met")
    func nearMisses() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            try await OpenBucket.put("text", "a.txt", at: cloud.endpoint)
            let error = await #expect(throws: UnmetExpectation.self) {
                try await cloud.journal.expect(.role("app"), did: "s3:PutObject", on: "arn:aws:s3:::box/b.txt", times: 1)
            }
            #expect(
                error?.description == """
                    Expected s3:PutObject on arn:aws:s3:::box/b.txt by *:assumed-role/app/*, exactly once, but found 0:
                      closest: s3:PutObject on arn:aws:s3:::box/a.txt by anonymous with status 200
                        resource is arn:aws:s3:::box/a.txt, not arn:aws:s3:::box/b.txt
                        caller is anonymous, not *:assumed-role/app/*
                    """)
            #expect(error?.nearMisses.first?.entry.status == 200)
            let never = await #expect(throws: UnmetExpectation.self) { try await cloud.journal.expectNever(.anonymous, did: "s3:Put*") }
            #expect(
                never?.description == """
                    Expected s3:Put* by anonymous, never, but found 1:
                      s3:PutObject on arn:aws:s3:::box/a.txt by anonymous with status 200
                    """)
        }
    }

    @Test("is cleared, and then is about later requests")
    func clear() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            try await OpenBucket.put("text", "key", at: cloud.endpoint)
            try await cloud.journal.clear()
            #expect(try await cloud.journal.entries.isEmpty)
            try await cloud.journal.expectNever(did: "s3:PutObject")
        }
    }

    @Test("has the refused requests with their reasons")
    func refusals() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let token = try await cloud.token("company", user: "bob")
            await #expect(throws: FileStore.Refusal(status: 403, code: "AccessDenied")) {
                try await FileStore(endpoint: cloud.endpoint, token: token.value).upload("hello", as: "notes.txt")
            }
            let refused = try #require(try await cloud.journal.refusals.first)
            #expect(refused.reason?.isEmpty == false)
            #expect(refused.errorCode == "AccessDenied")
        }
    }
}
