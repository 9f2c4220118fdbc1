import WireFormats

/// A product whose paths and claims an OpenID Connect issuer has, so that the product's own clients accept the issuer.
package enum IssuerProduct: String, Sendable, Codable, CaseIterable {
    case entra, apple, auth0

    /// The row of the product.
    package var descriptor: IssuerProductDescriptor {
        switch self {
        case .entra: .entra
        case .apple: .apple
        case .auth0: .auth0
        }
    }
}

/// What is known of a product apart from its endpoints. Each product has one row.
package struct IssuerProductDescriptor: Sendable {
    /// The name on the provider's pages.
    package var title: String
    /// The end of the issuer's URL that the URLs of its endpoints do not have.
    var issuerEnd: String
    /// The host of the product's API about users, if it is another one than the issuer's.
    package var graphHost: String?
    /// The form of the issuer's URL.
    package var issuerForm: String
    /// The number of segments in the path of the issuer's endpoints.
    fileprivate var segments: Int
}

extension IssuerProductDescriptor {
    /// The tenant is the first segment of each path. (Microsoft identity platform, "OpenID Connect on the Microsoft identity platform".)
    fileprivate static let entra = IssuerProductDescriptor(
        title: "Microsoft", issuerEnd: "/v2.0", graphHost: "graph.microsoft.com",
        issuerForm: "https://login.microsoftonline.com/<tenant>/v2.0", segments: 1)

    fileprivate static let apple = IssuerProductDescriptor(
        title: "Apple", issuerEnd: "", issuerForm: "https://appleid.apple.com, without a path", segments: 0)

    /// The issuer ends with a slash.
    fileprivate static let auth0 = IssuerProductDescriptor(
        title: "Auth0", issuerEnd: "/", issuerForm: "https://<tenant>.auth0.com/ with the slash, or a domain of the tenant", segments: 0)

    /// Returns whether a URL has the form of the product's issuers.
    package func isIssuer(_ url: String) -> Bool {
        guard url.utf8.starts(with: "https://".utf8), url.utf8.count > issuerEnd.utf8.count,
            url.utf8.suffix(issuerEnd.utf8.count).elementsEqual(issuerEnd.utf8)
        else { return false }
        let parts = url.utf8.dropLast(issuerEnd.utf8.count).dropFirst("https://".utf8.count).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == segments + 1 && parts.allSatisfy { !$0.isEmpty }
    }
}
