import Cloud
package import Directory

/// Well-known access keys: those of the seeds that come with Virga, and those that can be guessed, such as `test`/`test`.
package enum WellKnownKeys {
    /// Real secrets have 30 characters or 40.
    private static let shortestSecret = 16

    /// The secrets in `seed/`.
    private static let secrets: Set<String> = [
        "developer/secret/access/key/0123456789ab", "VirgaRootSecret0123456789abcdef", "VirgaDeveloperSecret0123456789",
        "vending/secret/access/key/0123456789abcd", "HarbourRootSecret0123456789abc", "HarbourServerSecret0123456789a",
        "HarbourClerkSecret0123456789ab", "HarbourWardenSecret0123456789a", "LighthouseSecret0123456789abcd",
    ]

    /// Whether a key is one of them, with the identifier and the secret.
    package static func contains(_ key: AccessKey) -> Bool {
        key.secret.utf8.count < shortestSecret || key.secret == key.id || secrets.contains(key.secret)
    }
}

extension Authenticator {
    /// Whether pages of other origins may not sign requests with this key.
    package func refusesPages(signingWith accessKey: String) -> Bool {
        guard !admitsForeignPages else { return false }
        switch cloud.directory.keys[accessKey] {
        case .root(_, let key), .user(_, let key): return WellKnownKeys.contains(key)
        case nil: return false
        }
    }
}
