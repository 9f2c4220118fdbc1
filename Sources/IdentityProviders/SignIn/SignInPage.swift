import Cloud
import Exchange
import HTTPTypes

/// A page that people see: what frames every one of them.
struct SignInPage: Sendable {
    var title: String
    var content: HTML
    /// Digest of the one script that the page may run, as a source of its content security policy; pages have none but the
    /// form that posts itself.
    var script: String?
    /// Whose documents the page shows in frames, by their origins; none but for those that are told of a logout.
    var frames: [String] = []

    /// What the provider is called where people read it.
    static func displayName(of provider: IdentityProvider) -> String {
        switch provider.kind {
        case .facebook: "Facebook"
        case .amazon: "Amazon"
        case .google: "Google"
        case .openIDConnect: provider.issuerKeyPrefix ?? provider.name
        }
    }

    func response(of provider: IdentityProvider, status: HTTPResponse.Status = .ok) -> Response {
        let name = Self.displayName(of: provider)
        let document: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <title>\(title) – \(name) (local)</title>
            <style>\(Self.style)</style>
            </head>
            <body class="\(provider.kind.rawValue)">
            <main>
            <p class="provider"><span class="mark" aria-hidden="true">\(String(name.prefix(1)).uppercased())</span>\
            <span>\(name)</span></p>
            \(content)
            <footer><p>A local stand-in, played by Virga. Never type a real password here.</p></footer>
            </main>
            </body>
            </html>

            """
        // No form-action: browsers hold the redirect after a form to it, and it leads to the application.
        let framed = frames.isEmpty ? "" : "; frame-src \(frames.joined(separator: " "))"
        let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'\(framed)"
        let headers: HTTPFields = [
            .cacheControl: "no-store", .pragma: "no-cache", .frameOptions: "DENY", .referrerPolicy: "no-referrer",
            .xContentTypeOptions: "nosniff", .contentSecurityPolicy: script.map { "\(policy); script-src '\($0)'" } ?? policy,
        ]
        return Response(status: status, contentType: "text/html; charset=utf-8", headers: headers, text: document.text)
    }
}
