import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// The profile of an application on the consent page: its logo, and links to its home page, policy and terms (OpenID Connect Dynamic Client
/// Registration 1.0 section 2).
struct ApplicationProfile {
    var client: Client

    /// The logo; empty if the application has none.
    var logo: HTML {
        guard let url = Self.page(client.metadata.logoURI) else { return "" }
        return "<p><img src=\"\(url)\" alt=\"Logo of \(client.name)\" height=\"48\"></p>\n"
    }

    /// The links; empty if the application has none.
    var links: HTML {
        let metadata = client.metadata
        let pages = [
            ("About \(client.name)", metadata.clientURI), ("Privacy policy", metadata.policyURI), ("Terms of service", metadata.tosURI),
        ]
        let links = pages.compactMap { title, uri -> HTML? in
            Self.page(uri).map { url in "<a href=\"\(url)\" target=\"_blank\" rel=\"noopener\">\(title)</a>\n" }
        }
        return links.isEmpty ? "" : "<p class=\"soft\">\(links)</p>\n"
    }

    /// The origins of the page's images.
    var images: [String] { Self.page(client.metadata.logoURI).flatMap(SignInPage.source(of:)).map { [$0] } ?? [] }

    /// Returns the URL if it is http or https; a seed may contain anything.
    private static func page(_ uri: String?) -> String? {
        uri.flatMap { uri in Origin(url: uri) == nil ? nil : uri }
    }
}
