package import Directory
import WireFormats

extension Directory {
    /// Returns the local provider with an `iss` claim, for all spellings of its host.
    ///
    /// Google's tokens have always had two spellings. A local issuer has its canonical name, and `<origin>/idp/<name>` with each host name
    /// of this process and with its configured origin. The path may also have Keycloak's form.
    package func provider(issuer: String, names: HostNames) -> IdentityProvider? {
        if issuer == IdentityProvider.Kind.googleIssuer || issuer == IdentityProvider.Kind.googlePrincipal {
            return provider(ofKind: .google)
        }
        if let canonical = provider(canonicalIssuer: issuer) { return canonical }
        guard let origin = Origin(url: issuer), let prefix = IssuerPaths.all.first(where: { origin.path.utf8.starts(with: $0.utf8) }),
            let provider = providers[String(Substring(origin.path.utf8.dropFirst(prefix.utf8.count)))], !provider.kind.isSocial,
            names.contains(origin) || provider.origins?.issuer.map({ $0 + origin.path == issuer }) == true
        else { return nil }
        return provider
    }
}

/// The path prefixes of local issuers, before the provider's name.
package enum IssuerPaths {
    /// The path of Virga's own issuers.
    package static let own = "/idp/"
    /// Keycloak's prefixes, in its newer and older releases.
    package static let realms = ["/realms/", "/auth/realms/"]
    /// All path prefixes of issuers.
    package static let all = [own] + realms

    /// Returns the realm in a path with Keycloak's form, the issuer's path, and the rest.
    package static func realm(in path: String) -> (name: String, prefix: String, rest: String)? {
        guard let base = realms.first(where: path.hasPrefix) else { return nil }
        let rest = path.dropFirst(base.count)
        let name = rest.prefix { $0 != "/" }
        return name.isEmpty ? nil : (String(name), base + name, String(rest.dropFirst(name.count)))
    }
}
