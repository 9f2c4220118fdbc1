import Calls
import WireFormats

/// A token, raw and decoded.
struct TokenView {
    let token: WalkToken

    var html: HTML {
        """
        <details class="fold"><summary>The \(name), decoded</summary>
        \(decoded)</details>
        \(Parts.token(token.text, id: "token-raw", label: "the \(name)"))
        """
    }

    private var name: String { token.kind == "SAMLResponse" ? "SAML response" : "token" }

    private var decoded: HTML {
        if let (header, claims) = token.decoded {
            return """
                <div class="pair"><div><h4>Header</h4>\(Parts.code(header.serialized(pretty: true), id: "token-header", label: "header"))</div>
                <div><h4>Claims</h4>\(Parts.code(claims.serialized(pretty: true), id: "token-claims", label: "claims"))</div></div>
                """
        }
        if let xml = token.xml { return Parts.code(Layout.indented(xml), id: "token-xml", label: "SAML response") }
        return "<p class=\"soft\">The token is opaque: only the provider knows what it stands for.</p>"
    }
}
