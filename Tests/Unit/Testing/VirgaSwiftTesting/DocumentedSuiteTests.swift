import Fixtures
import FoundationEssentials
import Testing
import VirgaSwiftTesting
import VirgaTesting

@Suite("Uploads", .virga(seed: .personalFileStore))
struct UploadTests {
    @Test("go to the folder of the user")
    func upload() async throws {
        let cloud = try Virga.current
        let token = try await cloud.token("company", user: "alice")

        // The code under test knows the endpoint and the user's token.
        let store = FileStore(endpoint: cloud.endpoint, token: token.value)
        try await store.upload("hello", as: "notes.txt")

        try await cloud.journal.expect(
            .role("personal-files-company"), did: "s3:PutObject", on: "arn:aws:s3:::personal-files/*", times: 1)
        try await cloud.journal.expectNever(role: "personal-files-google")
    }

    @Test("are refused with a token for another application")
    func wrongAudience() async throws {
        let cloud = try Virga.current
        let token = try await cloud.token("company", user: "alice", fault: .wrongAudience)
        let store = FileStore(endpoint: cloud.endpoint, token: token.value)
        await #expect(throws: FileStore.Refusal.self) { try await store.upload("hello", as: "notes.txt") }
    }

    @Test("fail while S3 is overloaded", .virgaFaults(.error("SlowDown", service: "s3", action: "Put*", times: 1)))
    func overloaded() async throws {
        let cloud = try Virga.current
        let store = FileStore(endpoint: cloud.endpoint, token: try await cloud.token("company", user: "alice").value)
        await #expect(throws: FileStore.Refusal.self) { try await store.upload("hello", as: "notes.txt") }
        try await store.upload("hello", as: "notes.txt")
    }

    @Test("are dated by the clock of the cloud", .virgaClock(.frozen("2030-01-01T00:00:00Z")))
    func date() async throws {
        let cloud = try Virga.current
        #expect(try await cloud.clock.now.timeIntervalSince1970 == 1_893_456_000)
    }
}

@Suite(
    "Files of a team",
    .virga(seed: .personalFileStore) { cloud in
        try await cloud.snapshot("empty")
        let token = try await cloud.token("company", user: "alice")
        try await FileStore(endpoint: cloud.endpoint, token: token.value).upload("hello", as: "notes.txt")
    })
struct TeamTests {
    @Test("can be replaced", arguments: ["hello again", ""])
    func replace(text: String) async throws {
        let cloud = try Virga.current
        let token = try await cloud.token("company", user: "alice")
        try await FileStore(endpoint: cloud.endpoint, token: token.value).upload(text, as: "notes.txt")
    }

    @Test("are created in an empty bucket", .virga(snapshot: "empty"))
    func create() async throws {
        let cloud = try Virga.current
        let token = try await cloud.token("company", user: "alice")
        try await FileStore(endpoint: cloud.endpoint, token: token.value).upload("hello", as: "notes.txt")
    }
}
