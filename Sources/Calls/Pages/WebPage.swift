package import HTTPTypes

/// A page that people see: what frames every one of them, whoever shows it.
package struct WebPage: Sendable {
    /// The title.
    package var title: String
    /// Who shows it, as people read the name.
    package var owner: String
    /// Chooses the colour: the kind of an identity provider, or nothing.
    package var theme: String
    /// What the body has.
    package var content: HTML
    /// The document's title, exactly, for pages whose title applications read; the usual one where absent.
    package var documentTitle: String?
    /// Digest of the one script that the page may run, as a source of its content security policy; pages have none but the
    /// form that posts itself.
    package var script: String?
    /// Whose documents the page shows in frames, by their origins; none but for those that are told of a logout.
    package var frames: [String] = []
    /// Whose images the page shows, by their origins; none but for logos of applications.
    package var images: [String] = []
    /// The origin that the page's form may be sent to. Browsers hold a redirect after the form to it as well, so that pages say nothing of
    /// it whose form may lead anywhere.
    package var formTarget: String?

    package init(title: String, owner: String, theme: String, content: HTML, script: String? = nil) {
        self.title = title
        self.owner = owner
        self.theme = theme
        self.content = content
        self.script = script
    }

    /// The answer with this page.
    package func response(status: HTTPResponse.Status = .ok) -> Response {
        let document: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <title>\(documentTitle ?? "\(title) – \(owner) (local)")</title>
            <style>\(Self.style)</style>
            </head>
            <body class="\(theme)">
            <main>
            <p class="provider"><span class="mark" aria-hidden="true">\(String(owner.prefix(1)).uppercased())</span>\
            <span>\(owner)</span></p>
            \(content)
            <footer><p>A local stand-in, played by Virga. Never type a real password here.</p></footer>
            </main>
            </body>
            </html>

            """
        var policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
        if let formTarget { policy += "; form-action \(formTarget)" }
        if !frames.isEmpty { policy += "; frame-src \(frames.joined(separator: " "))" }
        if !images.isEmpty { policy += "; img-src \(images.joined(separator: " "))" }
        if let script { policy += "; script-src '\(script)'" }
        var headers = HTTPFields.unstored
        headers[.frameOptions] = "DENY"
        headers[.resourcePolicy] = "same-origin"
        // With "no-referrer" browsers would send the page's own forms with the origin "null".
        headers[.referrerPolicy] = "same-origin"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = policy
        var response = Response(status: status, contentType: "text/html; charset=utf-8", headers: headers, text: document.text)
        response.display = .page
        return response
    }
}
