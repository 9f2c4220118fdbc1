import Cryptography
import Synchronization
import WireFormats

/// The attempts of a process to sign in to the console: five control tokens a minute, and a code that works once.
package final class SignInAttempts: Sendable {
    /// The most attempts in a minute.
    static let limit = 5
    private static let window: Duration = .seconds(60)

    private struct State {
        var code: String?
        var attempts: [Timestamp] = []
    }

    private let state: Mutex<State>

    /// - Parameter code: a code that is accepted once instead of the control token; `nil` for none.
    package init(code: String? = nil) { state = Mutex(State(code: code)) }

    /// The result of an attempt.
    enum Outcome: Equatable {
        case accepted, wrong
        /// There were too many attempts in the last minute.
        case tooMany
    }

    /// Compares a text with the control token.
    /// - Parameter now: the real time.
    func attempt(_ text: String, token: String, at now: Timestamp = .now()) -> Outcome {
        guard count(at: now) else { return .tooMany }
        return constantTimeEquals(text, token) ? .accepted : .wrong
    }

    /// Uses the code. Wrong codes are not counted: 18 random bytes cannot be guessed, but any site can open URLs with codes, and
    /// would keep the user from signing in.
    func redeem(_ code: String) -> Outcome {
        state.withLock { state in
            guard let expected = state.code, constantTimeEquals(expected, code) else { return .wrong }
            state.code = nil
            return .accepted
        }
    }

    private func count(at now: Timestamp) -> Bool {
        state.withLock { state in
            state.attempts.removeAll { $0 <= now - Self.window }
            guard state.attempts.count < Self.limit else { return false }
            state.attempts.append(now)
            return true
        }
    }
}
