import Cloud
import Dispatch
import Synchronization
import Testing
import WireFormats

@Suite("Passwords of which only the hash is known")
struct HashedPasswordTests {
    /// Whether something has ended.
    private final class End: Sendable {
        private let state = Mutex(false)

        var isReached: Bool { state.withLock { $0 } }

        func reach() { state.withLock { $0 = true } }
    }

    /// Holds all threads that compute hashes while `body` runs.
    private func withHeldThreads<Result>(_ body: () async -> Result) async -> Result {
        let (stream, begun) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        let held = (0..<PasswordThreads.count).map { _ in
            Task {
                await PasswordThreads.run {
                    begun.yield()
                    gate.wait()
                }
            }
        }
        var missing = held.count
        for await _ in stream {
            missing -= 1
            if missing == 0 { break }
        }
        let result = await body()
        for _ in held { gate.signal() }
        for task in held { await task.value }
        return result
    }

    @Test("are verified on threads of their own, and other requests are answered meanwhile")
    func besideOthers() async throws {
        let cloud = try await Administrator.sandbox()
        let administrator = try await Administrator(cloud)
        let end = End()
        let (login, wasFinished, other) = await withHeldThreads { () -> (Task<Answer, any Error>, Bool, Administrator?) in
            let login = Task {
                let answer = try await administrator.tokens(of: "dora", password: "dora-password")
                end.reach()
                return answer
            }
            // The login waits for a thread, or it has not used any.
            while PasswordThreads.unfinished <= PasswordThreads.count, !end.isReached { await Task.yield() }
            return (login, end.isReached, try? await Administrator(cloud))
        }
        #expect(!wasFinished)
        #expect(other?.token != nil)
        #expect(try await login.value.status == 200)
    }

    @Test("log a person in at the token endpoint and at the login page")
    func logins() async throws {
        let cloud = try await Administrator.sandbox()
        let administrator = try await Administrator(cloud)
        #expect(try await administrator.tokens(of: "dora", password: "dora-password").status == 200)
        #expect(try await administrator.tokens(of: "dora", password: "emil-password").errorDescription == "Invalid user credentials")
        let visitor = Visitor(cloud, base: "/realms/")
        func logIn(_ password: String) async throws -> Answer {
            let page = try await visitor.get(
                "works/protocol/openid-connect/auth",
                ["client_id": "portal", "redirect_uri": "http://localhost:9/callback", "response_type": "code", "scope": "openid"])
            return try await visitor.post(page.realmAction, ["username": "dora", "password": password])
        }
        #expect(try await logIn("emil-password").body.contains("Invalid username or password."))
        #expect(try await logIn("dora-password").redirected["code"] != nil)
    }
}
