import Calls
import Cloud
import Directory
import Federation

/// What an application shows of itself to the person whom it wants to let it in: its logo, and where its home page, its policy and its terms
/// lie (OpenID Connect Dynamic Client Registration 1.0 section 2).
struct ApplicationProfile {
    var client: Client

    /// `nil` if the application has none.
    var logo: HTML {
        guard let url = Self.page(client.metadata.logoURI) else { return "" }
        return "<p><img src=\"\(url)\" alt=\"Logo of \(client.name)\" height=\"48\"></p>\n"
    }

    /// `nil` if the application has none.
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

    /// Where the page's images come from, by their origins.
    var images: [String] { Self.page(client.metadata.logoURI).flatMap(SignInPage.source(of:)).map { [$0] } ?? [] }

    /// Nothing for what is no page: a seed may say anything.
    private static func page(_ uri: String?) -> String? {
        uri.flatMap { uri in Origin(url: uri) == nil ? nil : uri }
    }
}
