import Testing

@testable import ConsoleFace

@Suite("The proof in the state of a login at a mapped port")
struct ConsoleStateTests {
    private static let callback = "http://teacher:9999/_virga/ui/callback"

    private func access(_ sandbox: String = "default") -> ConsoleAccess {
        ConsoleAccess(
            controlToken: nil, formTokens: .none, cookieTokens: .none, attempts: SignInAttempts(code: nil), sandbox: sandbox,
            tokens: { purpose, sandbox in
                let start = "\(purpose) \(sandbox ?? "")|"
                return .init(
                    issue: { start + $0 },
                    session: { token in token.hasPrefix(start) ? String(token.dropFirst(start.count)) : nil }, end: { _ in })
            }, endpoint: { "http://127.0.0.1:4566" })
    }

    @Test("is valid for its state, callback and sandbox only")
    func binding() throws {
        let access = access()
        let state = access.state("walk.provider.code", forCallback: Self.callback)
        let proof = try #require(state.split(separator: "~").last)
        #expect(ConsoleAccess.withoutProof(state) == "walk.provider.code")
        #expect(access.isState(state, ofCallback: Self.callback))
        for other in ["other.provider.code~\(proof)", "~\(proof)", "walk.provider.code", "walk.provider.code~", "\(state)~x", ""] {
            #expect(!access.isState(other, ofCallback: Self.callback), "\(other)")
        }
        #expect(!access.isState(state, ofCallback: "http://evil.example/_virga/ui/callback"))
        #expect(!self.access("other").isState(state, ofCallback: Self.callback))
    }
}
