package import HTTPTypes
import WireFormats

/// An HTML page for users, with the frame that all pages share.
package struct WebPage: Sendable {
    /// The title.
    package var title: String
    /// The name of the service that shows the page.
    package var owner: String
    /// The color theme: the kind of an identity provider, or empty.
    package var theme: String
    /// The content of the body.
    package var content: HTML
    /// The exact document title, for pages whose title applications read; if it is `nil`, the usual title.
    package var documentTitle: String?
    /// The digest of the one script that the page may run, as a source for its content security policy. `nil` for a page without a script.
    package var script: String?
    /// The origins of the documents that the page shows in frames. Only logout pages use frames, to notify applications.
    package var frames: [String] = []
    /// The origins of the images that the page shows. Only logos of applications are shown.
    package var images: [String] = []
    /// The origin that the page's form may be sent to. Browsers also apply it to a redirect after the form, so it is `nil` for pages whose
    /// form may redirect anywhere.
    package var formTarget: String?

    package init(title: String, owner: String, theme: String, content: HTML, script: String? = nil) {
        self.title = title
        self.owner = owner
        self.theme = theme
        self.content = content
        self.script = script
    }

    /// Returns the response with this page.
    package func response(status: HTTPResponse.Status = .ok) -> Response {
        let document: HTML = """
            \(HTML.documentStart)<title>\(documentTitle ?? "\(title) – \(owner) (local)")</title>
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
        // With "no-referrer", browsers would send the page's own forms with the origin "null".
        headers[.referrerPolicy] = "same-origin"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = policy
        var response = Response(status: status, contentType: "text/html; charset=utf-8", headers: headers, text: document.text)
        response.display = .page
        return response
    }
}
