import WireFormats

extension IdentityProvider {
    /// The hosts at which the provider answers as the issuer of its canonical name: that of the name, and others of its product. They are in
    /// lower case and without port. The hosts of social providers are fixed.
    var issuerHosts: [String] {
        guard !kind.isSocial, let issuer else { return [] }
        return [Client.host(of: issuer)] + (product?.descriptor.graphHost.map { [$0] } ?? [])
    }

    /// Returns whether the provider answers at a host as the issuer of its canonical name.
    /// - Parameter host: in lower case, without port.
    package func answers(atHost host: String) -> Bool { issuerHosts.contains(host) }

    /// The path of the canonical issuer without the end that its endpoints do not have: `/tenants/7`, or empty.
    package var issuerPath: String {
        guard let issuer, let start = issuer.firstRange(of: "://") else { return "" }
        let path = issuer[start.upperBound...].drop { $0 != "/" }
        let end = product?.descriptor.issuerEnd ?? ""
        let base = !end.isEmpty && path.hasSuffix(end) ? String(path.dropLast(end.count)) : String(path)
        return base.hasSuffix("/") ? String(base.dropLast()) : base
    }
}

extension Directory {
    /// Returns the providers that answer at a host as the issuers of their canonical names, sorted by name.
    /// - Parameter host: in lower case, without port.
    package func issuers(atHost host: String) -> [IdentityProvider] {
        (issuerNames(atHost: host) ?? []).sorted().compactMap { providers[$0] }
    }

    /// Returns whether a host is that of an issuer's canonical name.
    /// - Parameter host: in lower case, without port.
    package func hasIssuer(atHost host: String) -> Bool { issuerNames(atHost: host) != nil }
}
