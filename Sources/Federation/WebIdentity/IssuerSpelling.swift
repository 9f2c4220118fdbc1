package import Cloud

extension Directory {
    /// The provider of ours that an `iss` claim means, however the host is spelled in it.
    ///
    /// Google's tokens have always been written both ways. An issuer of ours is meant by its canonical name, and by
    /// `<origin>/idp/<name>` under every name of this process.
    package func provider(issuer: String, names: HostNames) -> IdentityProvider? {
        if issuer == "https://accounts.google.com" || issuer == "accounts.google.com" {
            return providers.values.first { $0.kind == .google }
        }
        if let canonical = providers.values.first(where: { $0.issuer == issuer }) { return canonical }
        guard let origin = Origin(url: issuer), names.contains(origin.host), origin.path.hasPrefix("/idp/") else { return nil }
        let provider = providers[String(origin.path.dropFirst("/idp/".count))]
        return provider?.kind == .openIDConnect ? provider : nil
    }
}
