import Calls
import Cloud
import Directory
import HTTPTypes

/// A page of a provider that people see.
struct SignInPage: Sendable {
    var title: String
    var content: HTML
    /// As ``WebPage/script``.
    var script: String?
    /// As ``WebPage/frames``.
    var frames: [String] = []
    /// As ``WebPage/images``.
    var images: [String] = []

    /// What the provider is called where people read it.
    static func displayName(of provider: IdentityProvider) -> String {
        switch provider.kind {
        case .facebook: "Facebook"
        case .amazon: "Amazon"
        case .google: "Google"
        case .openIDConnect: provider.issuerKeyPrefix ?? provider.name
        }
    }

    /// Scheme and authority of a URL, as a content security policy names a source.
    static func source(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        return scheme + url.dropFirst(scheme.count).prefix { !"/?#;,' ".contains($0) }
    }

    func response(of provider: IdentityProvider, status: HTTPResponse.Status = .ok) -> Response {
        var page = WebPage(
            title: title, owner: Self.displayName(of: provider), theme: provider.kind.rawValue, content: content, script: script)
        page.frames = frames
        page.images = images
        return page.response(status: status)
    }
}
