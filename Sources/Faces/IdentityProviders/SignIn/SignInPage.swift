import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// A provider's page for users.
struct SignInPage: Sendable {
    var title: String
    var content: HTML
    /// See ``WebPage/script``.
    var script: String?
    /// See ``WebPage/frames``.
    var frames: [String] = []
    /// See ``WebPage/images``.
    var images: [String] = []

    /// Returns the name of a provider for users.
    static func displayName(of provider: IdentityProvider) -> String {
        provider.kind.descriptor.pageName ?? provider.product?.descriptor.title ?? provider.issuerKeyPrefix ?? provider.name
    }

    /// Returns the scheme and authority of a URL, as a source in a content security policy.
    static func source(of url: String) -> String? {
        Client.origin(of: url)
    }

    func response(of provider: IdentityProvider, status: HTTPResponse.Status = .ok) -> Response {
        var page = WebPage(
            title: title, owner: Self.displayName(of: provider), theme: provider.kind.rawValue, content: content, script: script)
        page.frames = frames
        page.images = images
        return page.response(status: status)
    }
}
