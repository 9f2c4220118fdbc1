import WireFormats

extension Client {
    /// The web origin that stands for the origins of all redirect URIs.
    package static let originsOfRedirects = "+"

    /// Returns web origins, each once, with those of the redirect URIs in place of `+`.
    package func resolved(origins: [String]) -> [String] {
        var resolved: [String] = []
        for origin in origins {
            let meant = origin == Self.originsOfRedirects ? redirectURIs.compactMap { Self.origin(of: $0) } : [origin]
            for name in meant where !resolved.contains(name) { resolved.append(name) }
        }
        return resolved
    }
}
