import Calls
import ControlDocuments
import WireFormats

/// The form that exchanges a token or SAML response at STS, and its result.
struct TokenExchange {
    let page: InspectionPage

    private var inspection: Document<InspectionMembers> { page.inspection }

    /// The roles that trust policies were evaluated for, those that accept the text first.
    private var roles: [Document<InspectedRoleMembers>] { page.roles }

    /// Whether STS has a call for the text.
    private var isPossible: Bool {
        switch inspection.kind {
        case "jwt", "saml_response": !roles.isEmpty
        case "opaque_token": inspection.decoded["type"]?.stringValue == "access token" && !roles.isEmpty
        default: false
        }
    }

    var html: HTML {
        guard isPossible else { return "" }
        let options = roles.map { role -> HTML in
            "<option value=\"\(role.arn)\">\(role.arn.visible)\(role.accepts ? "" : " (does not accept it)")</option>"
        }
        let action = inspection.kind == "saml_response" ? "AssumeRoleWithSAML" : "AssumeRoleWithWebIdentity"
        return """
            <section aria-labelledby="exchange-title" id="exchange"><h2 id="exchange-title">Exchange it for credentials</h2>
            <form method="post" action="\(page.action("exchange"))">\(page.visit.formToken)
            <label for="role">Role, for <code>\(action)</code></label><select id="role" name="role">\(options)</select>
            <p><button>Exchange it</button></p></form>
            \(result)</section>

            """
    }

    private var result: HTML {
        guard let exchange = page.text.exchange else { return "" }
        let view = ExchangeView(exchange: exchange, id: "sts")
        let credentials = exchange.xml?.children.lazy.compactMap { $0.child("Credentials") }.first
        let success: HTML =
            if exchange.isSuccess {
                """
                <p><strong class="good">✓ Credentials</strong> with the access key <code>\(Parts.value(credentials?.child("AccessKeyId")?.text ?? ""))</code></p>
                \(Parts.secret(credentials?.child("SecretAccessKey")?.text ?? "", id: "secret", label: "SecretAccessKey"))
                \(Parts.secret(credentials?.child("SessionToken")?.text ?? "", id: "session-token", label: "SessionToken"))
                """
            } else {
                """
                <div class="error" role="alert"><p><strong>✗ \(Parts.value(exchange.code))</strong></p>
                <p>\(Parts.value(exchange.refusal?.message ?? "", limit: 2_000))</p></div>
                """
            }
        return "<div class=\"result \(exchange.isSuccess ? "good" : "bad")-line\">\(success)\(view.html)</div>\n"
    }

    /// Returns the ARN of the SAML provider that the assertion names with a role.
    static func principal(for role: String, in inspection: Document<InspectionMembers>) -> String? {
        for attribute in inspection.decoded["attributes"]?.arrayValue ?? []
        where attribute["name"]?.stringValue == "https://aws.amazon.com/SAML/Attributes/Role" {
            for value in attribute["values"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
                let arns = value.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
                if arns.contains(role), let provider = arns.first(where: { $0.contains(":saml-provider/") }) { return provider }
            }
        }
        return nil
    }
}
