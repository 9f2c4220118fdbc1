import WireFormats

/// The end of a login's `state`, which proves that this console began the login at an address.
///
/// Providers accept the callback of the console there. A port mapping can give the console's own port a number that the process does not
/// know, and a request's `Host` proves nothing to another request.
extension ConsoleAccess {
    private static let mark: Character = "~"
    private static let session = "callback"

    /// Returns a `state` that ends with the proof for a callback.
    func state(_ state: String, forCallback uri: String) -> String {
        callbackTokens(uri, state).issue(Self.session).map { "\(state)\(Self.mark)\($0)" } ?? state
    }

    /// Returns the `state` without the proof.
    static func withoutProof(_ state: String) -> String { String(state.prefix { $0 != mark }) }

    /// Returns whether a `state` proves that this console began a login that returns to a URL.
    package func isState(_ state: String, ofCallback uri: String) -> Bool {
        let parts = state.split(separator: Self.mark, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && callbackTokens(uri, String(parts[0])).session(String(parts[1])) == Self.session
    }

    private func callbackTokens(_ uri: String, _ state: String) -> PageTokens {
        // A state of ours has no space.
        tokens("callback \(state) \(uri)", sandbox)
    }
}
