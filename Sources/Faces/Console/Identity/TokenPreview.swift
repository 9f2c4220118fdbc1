import Calls
import ControlDocuments
import WireFormats

/// A token or SAML response that was issued without a login, decoded.
struct TokenPreview: Sendable {
    var title: String
    var text: String
    /// What `POST /_virga/inspect` returned.
    var inspected: Document<InspectionMembers>
    /// The request for facts about the user, with its answer.
    var profile: Exchange?

    var html: HTML {
        let decoded = inspected.decoded
        var parts: [HTML] = []
        if let claims = decoded["claims"] {
            parts.append(
                """
                <div class="pair"><div><h3>Header</h3>\(Parts.code((decoded["header"] ?? .null).serialized(pretty: true), id: "preview-header", label: "the header"))</div>
                <div><h3>Claims</h3>\(Parts.code(claims.serialized(pretty: true), id: "preview-claims", label: "the claims"))</div></div>
                """)
        }
        if let attributes = decoded["attributes"]?.arrayValue, !attributes.isEmpty {
            let rows = attributes.map { attribute -> HTML in
                let values = (attribute["values"]?.arrayValue ?? []).compactMap(\.stringValue).map { text -> HTML in
                    "<p>\(Parts.value(text, limit: 2_000))</p>"
                }
                return "<div><dt>\(Parts.value(attribute["name"]?.stringValue ?? ""))</dt><dd>\(values)</dd></div>\n"
            }
            parts.append("<h3>Attributes</h3><dl class=\"facts\">\n\(rows)</dl>\n")
        }
        if let xml = decoded["xml"]?.stringValue {
            parts.append(
                "<details class=\"fold\"><summary>The XML</summary>\(Parts.code(Layout.indented(xml), id: "preview-xml", label: "the XML"))</details>\n"
            )
        }
        if let profile {
            parts.append(
                "<h3>UserInfo response</h3>\(Parts.code(Layout.indented(profile.text), id: "preview-profile", label: "the answer"))\n")
            parts.append(ExchangeView(exchange: profile, id: "profile").html)
        }
        return """
            <p><strong>\(Parts.value(title))</strong>. \(Parts.value(inspected.verdict, limit: 1_000))</p>
            \(parts)
            \(Parts.secret(text, id: "preview-text", label: "the token as it is sent"))
            """
    }
}
