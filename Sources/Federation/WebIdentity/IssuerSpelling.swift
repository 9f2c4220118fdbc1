package import Directory

extension Directory {
    /// The provider of ours that an `iss` claim means, however the host is spelled in it.
    ///
    /// Google's tokens have always been written both ways. An issuer of ours is meant by its canonical name, and by
    /// `<origin>/idp/<name>` under every name of this process and the one that it was given; the path may be spelled as Keycloak does.
    package func provider(issuer: String, names: HostNames) -> IdentityProvider? {
        if issuer == "https://accounts.google.com" || issuer == "accounts.google.com" {
            return providers.values.first { $0.kind == .google }
        }
        if let canonical = provider(canonicalIssuer: issuer) { return canonical }
        guard let origin = Origin(url: issuer), let prefix = IssuerPaths.all.first(where: { origin.path.utf8.starts(with: $0.utf8) }),
            let provider = providers[String(Substring(origin.path.utf8.dropFirst(prefix.utf8.count)))], provider.kind == .openIDConnect,
            names.contains(origin.host) || provider.origins?.issuer.map({ $0 + origin.path == issuer }) == true
        else { return nil }
        return provider
    }
}

/// What the paths of our issuers begin with, before the provider's name.
package enum IssuerPaths {
    /// The path of Virga's own issuers.
    package static let own = "/idp/"
    /// Keycloak's, of its newer and older releases.
    package static let realms = ["/realms/", "/auth/realms/"]
    /// Every path under which there can be an issuer.
    package static let all = [own] + realms

    /// The realm that a path names as Keycloak does, and what follows it.
    package static func realm(in path: String) -> (name: String, prefix: String, rest: String)? {
        guard let base = realms.first(where: path.hasPrefix) else { return nil }
        let rest = path.dropFirst(base.count)
        let name = rest.prefix { $0 != "/" }
        return name.isEmpty ? nil : (String(name), base + name, String(rest.dropFirst(name.count)))
    }
}
