package import Directory
import WireFormats

/// The issuer that a request addresses by the host of its canonical name.
package struct IssuerPlace: Equatable, Sendable {
    /// The name of the provider.
    package let provider: String
    /// The path below that of the issuer's endpoints.
    package let path: String

    /// Creates a place.
    /// - Parameters:
    ///   - provider: the name of the provider.
    ///   - path: the path below that of the issuer's endpoints.
    package init(provider: String, path: String) { (self.provider, self.path) = (provider, path) }
}

extension Directory {
    /// Returns the issuer of a host that a path belongs to; `nil` if there is none, or if the path is one of Virga's own for issuers.
    /// - Parameter host: in lower case, without port.
    package func issuer(atHost host: String, path: String) -> IssuerPlace? {
        guard hasIssuer(atHost: host), path != WellKnownPath.webFinger else { return nil }
        let metadata = WellKnownPath(path)
        let whole = metadata?.issuerPath ?? path
        if let prefix = IssuerPaths.all.first(where: whole.hasPrefix), providers[name(in: whole, after: prefix)] != nil { return nil }
        // An issuer may be below another one, so the longest path decides.
        let issuers = issuers(atHost: host).sorted { $0.issuerPath.utf8.count > $1.issuerPath.utf8.count }
        for issuer in issuers {
            // RFC 8414 section 3.1.
            if let metadata, !issuer.issuerPath.isEmpty, metadata.issuerPath == issuer.issuerPath {
                return IssuerPlace(provider: issuer.name, path: metadata.document)
            }
            if let rest = issuer.rest(of: path, atHost: host) { return IssuerPlace(provider: issuer.name, path: rest) }
        }
        return nil
    }

    private func name(in path: String, after prefix: String) -> String { String(path.dropFirst(prefix.count).prefix { $0 != "/" }) }
}

extension IdentityProvider {
    /// The tenants of Microsoft Entra ID that stand for any other.
    private static let anyTenant = ["/common", "/organizations", "/consumers"]

    /// Returns the part of a path below that of the issuer's endpoints; `nil` if the path is not below it.
    fileprivate func rest(of path: String, atHost host: String) -> String? {
        // The other hosts of a product have no tenant in their paths.
        guard let issuer, Client.host(of: issuer) == host else { return path }
        let tenants = product == .entra ? [issuerPath] + Self.anyTenant : [issuerPath]
        for base in tenants where path == base || path.hasPrefix(base + "/") { return String(path.dropFirst(base.count)) }
        return nil
    }
}
