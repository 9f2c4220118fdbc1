import Cryptography
import WireFormats

/// The walks of a sandbox: at most 100, each for two hours, and for the session that began it.
final class WalkStore: Sendable {
    private let walks = PageMemory<Walk>()
    /// Authenticates the `state` of logins; `nil` if there are no random bytes.
    private let key = (try? randomBytes(32)).map { HMACKey($0) }

    /// Returns a walk of this generation of the cloud.
    func walk(_ id: String, generation: Int64, session: String, at now: Timestamp = .now()) -> Walk? {
        walks.value(id, generation: generation, session: session, at: now)
    }

    /// Returns the walks of this generation, the newest first.
    func all(generation: Int64, session: String, at now: Timestamp = .now()) -> [Walk] {
        walks.all(generation: generation, session: session, at: now)
    }

    /// Keeps a walk. The oldest one is dropped if there are too many.
    func keep(_ walk: Walk, session: String) { walks.keep(walk, session: session) }

    /// Removes a walk.
    func remove(_ id: String, session: String) { walks.remove(id, session: session) }

    /// Returns a name for a new walk.
    static func newID() throws -> String { try PageMemory<Walk>.newID() }

    /// Returns the `state` of a login, which only this console can create. Nothing is kept until the login returns.
    func state(walk: String, provider: String, session: String) -> String? {
        code(walk, provider, session, "state").map { "\(walk).\(Array(provider.utf8).base64url).\($0)" }
    }

    /// Returns the walk and provider of a `state`.
    func read(state: String, session: String) -> (walk: String, provider: String)? {
        let parts = state.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let name = [UInt8](base64url: parts[1]) else { return nil }
        let provider = String(decoding: name, as: UTF8.self)
        guard let expected = code(parts[0], provider, session, "state"), constantTimeEquals(expected, parts[2]) else { return nil }
        return (parts[0], provider)
    }

    /// The PKCE verifier of a walk's login. (RFC 7636 section 4.1.)
    func verifier(walk: String, provider: String, session: String) -> String {
        code(walk, provider, session, "verifier") ?? ""
    }

    private func code(_ walk: String, _ provider: String, _ session: String, _ purpose: String) -> String? {
        key?.authenticate("\(purpose)\n\(session)\n\(walk)\n\(provider)").base64url
    }
}
