import Testing
import WireFormats

@testable import ConsoleFace

@Suite("Attempts to sign in to the console")
struct SignInAttemptsTests {
    private let now = Timestamp(seconds: 1_000_000)

    @Test("accept the control token and nothing else")
    func token() {
        let attempts = SignInAttempts()
        #expect(attempts.attempt("secret", token: "secret", at: now) == .accepted)
        #expect(attempts.attempt("secre", token: "secret", at: now) == .wrong)
        #expect(attempts.attempt("", token: "secret", at: now) == .wrong)
    }

    @Test("are limited to five a minute, right or wrong")
    func limit() {
        let attempts = SignInAttempts()
        for _ in 0..<SignInAttempts.limit { #expect(attempts.attempt("x", token: "secret", at: now) == .wrong) }
        #expect(attempts.attempt("secret", token: "secret", at: now) == .tooMany)
        #expect(attempts.attempt("secret", token: "secret", at: now + .seconds(59)) == .tooMany)
        #expect(attempts.attempt("secret", token: "secret", at: now + .seconds(60)) == .accepted)
    }

    @Test("accept a code once")
    func code() {
        let attempts = SignInAttempts(code: "once")
        #expect(attempts.redeem("other") == .wrong)
        #expect(attempts.redeem("once") == .accepted)
        #expect(attempts.redeem("once") == .wrong)
        #expect(SignInAttempts().redeem("") == .wrong)
    }

    @Test("with wrong codes, which any site can open, do not keep the user out")
    func wrongCodes() {
        let attempts = SignInAttempts(code: "once")
        for _ in 0...SignInAttempts.limit { #expect(attempts.redeem("x") == .wrong) }
        #expect(attempts.attempt("secret", token: "secret", at: now) == .accepted)
        #expect(attempts.redeem("once") == .accepted)
    }
}
