import Cryptography
package import WireFormats

extension WebPage {
    private static let submission = "document.forms[0].submit()"

    /// Returns a page whose form submits itself; a button remains for browsers without scripts.
    /// (OAuth 2.0 Form Post Response Mode, section 2; SAML 2.0 Bindings section 3.5.4.)
    /// - Parameter destination: an absolute URL, or a path.
    package static func sending(
        _ fields: FormFields, to destination: String, title: String, owner: String, theme: String
    ) -> WebPage {
        let inputs = fields.fields.map { field -> HTML in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
        }
        return WebPage(
            title: title, owner: owner, theme: theme,
            content: """
                <h1>\(title)</h1>
                <form method="post" action="\(destination)">
                \(inputs)<button class="primary" type="submit">Continue</button>
                </form>
                <script>\(HTML(stringLiteral: submission))</script>
                """, script: "sha256-" + SHA256.hash(submission).base64)
    }
}
