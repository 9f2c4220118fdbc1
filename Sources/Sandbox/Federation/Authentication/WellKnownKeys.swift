import Cloud
package import Directory
import WireFormats

/// Well-known access keys: those of the seeds that come with Virga, and those that are easy to guess, such as `test`/`test`.
package enum WellKnownKeys {
    /// Shorter secrets count as guessable; real ones have 30 or 40 characters.
    private static let shortestSecret = 16

    /// The secrets in `seed/`.
    private static let secrets: Set<String> = [
        "developer/secret/access/key/0123456789ab", "VirgaRootSecret0123456789abcdef", "VirgaDeveloperSecret0123456789",
        "vending/secret/access/key/0123456789abcd", "HarbourRootSecret0123456789abc", "HarbourServerSecret0123456789a",
        "HarbourClerkSecret0123456789ab", "HarbourWardenSecret0123456789a", "LighthouseSecret0123456789abcd",
    ]

    /// Returns whether a key is well-known, by its identifier and secret.
    package static func contains(_ key: AccessKey) -> Bool {
        key.secret.utf8.count < shortestSecret || key.secret == key.id || secrets.contains(key.secret)
    }
}

extension Authenticator {
    /// Returns whether pages of other origins may not sign requests with this key.
    package func refusesPages(signingWith accessKey: String) -> Bool {
        guard !admitsForeignPages else { return false }
        switch cloud.directory.keys[accessKey] {
        case .root(_, let key), .user(_, let key): return WellKnownKeys.contains(key)
        case nil: return false
        }
    }
}
