import Cryptography
import Synchronization
package import WireFormats

/// Issues and verifies the tokens of the web console's pages.
///
/// A page of the console has a token in its forms and for its script. Other pages of the same origin, such as an uploaded document, cannot
/// read it, so the control API can tell them apart. A token is `<session>.<hour>.<code>`, where the code is an HMAC over session and hour.
/// The key is random and stays in the process, so a restart invalidates all tokens.
package struct ConsoleTokens: Sendable {
    /// How long a token is valid, in hours.
    private static let validHours: Int64 = 12
    private static let secondsPerHour: Int64 = 3600

    /// The sessions that ended. They are forgotten when their tokens have expired.
    private final class EndedSessions: Sendable {
        let hours = Mutex<[String: Int64]>([:])
    }

    /// `nil` if there are no random bytes; then no token is valid.
    private let key: HMACKey?
    private let ended: EndedSessions

    /// Creates a random key.
    package init() {
        self.init(key: (try? randomBytes(32)).map { HMACKey($0) }, ended: EndedSessions())
    }

    private init(key: HMACKey?, ended: EndedSessions) {
        self.key = key
        self.ended = ended
    }

    /// Returns the tokens of one sandbox. They are valid in no other sandbox; a session ends in all of them.
    package func scoped(to sandbox: String) -> ConsoleTokens {
        ConsoleTokens(key: key.map { HMACKey($0.authenticate("sandbox\n\(sandbox)")) }, ended: ended)
    }

    /// Returns a token for the pages of a session.
    /// - Parameters:
    ///   - session: 1 to 64 letters, digits, hyphens and underscores.
    ///   - time: the real time.
    /// - Returns: `nil` for another session name, or if there are no random bytes.
    package func issue(session: String, at time: Timestamp = .now()) -> String? {
        guard let key, Self.isValid(session) else { return nil }
        let hour = time.seconds / Self.secondsPerHour
        return "\(session).\(hour).\(Self.code(key, session, hour))"
    }

    /// Returns the session of a token; `nil` if the token is wrong or has expired, or if the session has ended.
    /// - Parameter time: the real time.
    package func session(of token: String, at time: Timestamp = .now()) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard let key, parts.count == 3, let hour = Int64(digits: parts[1]) else { return nil }
        let session = String(parts[0])
        let now = time.seconds / Self.secondsPerHour
        guard Self.isValid(session), constantTimeEquals(String(parts[2]), Self.code(key, session, hour)), hour <= now,
            now - hour < Self.validHours
        else { return nil }
        return ended.hours.withLock { $0[session] } == nil ? session : nil
    }

    /// Ends a session, whose tokens become invalid.
    /// - Parameter time: the real time.
    package func end(session: String, at time: Timestamp = .now()) {
        let now = time.seconds / Self.secondsPerHour
        ended.hours.withLock { hours in
            hours = hours.filter { now - $0.value <= Self.validHours }
            hours[session] = now
        }
    }

    /// Returns whether a session has ended.
    package func hasEnded(_ session: String) -> Bool { ended.hours.withLock { $0[session] != nil } }

    private static func code(_ key: HMACKey, _ session: String, _ hour: Int64) -> String {
        key.authenticate("console\n\(session)\n\(hour)").base64url
    }

    private static func isValid(_ session: String) -> Bool {
        (1...64).contains(session.utf8.count)
            && session.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
