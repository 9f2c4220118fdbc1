import Calls
import WireFormats

/// Step 2: the trust policy, the fields of the request for credentials, and the credentials.
struct AssumeStep {
    let page: WalkPage
    let roles: [WalkRole]
    /// The role whose policies are shown.
    let role: WalkRole?
    /// Says who may send the request.
    let explanation: HTML
    /// The name of the parameter with the token; `nil` for a request without one.
    var tokenParameter: String?
    /// Returns whether a trust policy accepts the token.
    let isTrusting: @Sendable (String) -> Bool
    /// Why the request cannot be sent yet; `nil` if it can.
    var missing: String?
    /// What the step shows if no role trusts the provider.
    var empty: HTML = "<p>No role trusts this identity provider.</p>"
    /// Further fields of the form.
    var fields: HTML = ""
    /// Whether the trust policy can be changed in place.
    var isEditable = true

    private var walk: Walk { page.walk }

    var html: HTML {
        let title: HTML = "<span aria-hidden=\"true\">2</span> Get temporary credentials"
        if let missing {
            return """
                <section class="step waiting" id="step-2"><h2>\(title)</h2><p class="soft">\(missing)</p></section>

                """
        }
        return """
            <section class="step" id="step-2" aria-labelledby="step-2-title">
            <h2 id="step-2-title">\(title)</h2>
            \(role == nil ? empty : "<p>\(explanation)</p>\n\(form)\(result)\(trustPolicy)")
            </section>

            """
    }

    private var form: HTML {
        let order = walk.order
        let options = roles.map { role -> HTML in
            """
            <option value="\(role.arn)"\(role.arn == self.role?.arn ? " selected" : "")>\(role.name.visible)\
            \(isTrusting(role.trustPolicy) ? "" : " (does not trust this provider)")</option>
            """
        }
        let token = tokenParameter.map { name -> HTML in
            """
            <label for="token">\(name)</label><textarea id="token" name="token" rows="5" spellcheck="false">\(order.token.isEmpty ? walk.token?.text ?? "" : order.token)</textarea>

            """
        }
        return """
            <form method="post" action="\(page.action("assume"))">\(page.visit.formToken)
            <div class="fields">
            <div><label for="role">Role</label><select id="role" name="role">\(options)</select></div>
            <div><label for="duration">DurationSeconds</label><input id="duration" name="duration" value="\(order.duration)" inputmode="numeric"></div>
            \(fields)</div>
            <details class="fold"\(order.policy.isEmpty && order.token.isEmpty ? "" : " open")><summary>\(token == nil ? "Session policy" : "Token and session policy")</summary>
            \(token ?? "")\
            <label for="policy">Session policy, which can only take permissions away</label>
            <textarea id="policy" name="policy" rows="5" spellcheck="false">\(order.policy)</textarea>
            </details>
            <p><button class="primary">Get credentials</button></p>
            </form>

            """
    }

    /// A field of the form.
    static func field(_ name: String, label: String, value: String, placeholder: String = "") -> HTML {
        let hint: HTML = placeholder.isEmpty ? "" : " placeholder=\"\(placeholder)\""
        return "<div><label for=\"\(name)\">\(label)</label><input id=\"\(name)\" name=\"\(name)\" value=\"\(value)\"\(hint)></div>\n"
    }

    private var result: HTML {
        guard let exchange = walk.assumption else { return "" }
        guard let credentials = walk.credentials else {
            return """
                <div class="result bad-line">\(page.refusal(exchange))\(page.exchange(exchange, id: "assume", isOpen: true))</div>

                """
        }
        return """
            <div class="result good-line">
            \(CredentialsView(page: page, credentials: credentials).html)
            \(page.exchange(exchange, id: "assume"))
            </div>

            """
    }

    private var trustPolicy: HTML {
        guard let role else { return "" }
        let isChanged = walk.originals[.init(role: role.name, policy: nil)] != nil
        let policy: HTML =
            isEditable
            ? PolicyEditor(page: page, role: role.name, policy: nil, document: role.trustPolicy, label: "Trust policy").html
            : Parts.code(Layout.indented(role.trustPolicy), id: "trust", label: "trust policy")
        return """
            <details class="fold"\(isChanged || walk.assumption?.isSuccess == false ? " open" : "")><summary>The trust policy of \(Parts.value(role.name)): \
            who may assume the role\(isChanged ? " (changed)" : "")</summary>
            \(policy)</details>

            """
    }
}

/// The temporary credentials, with a countdown.
struct CredentialsView {
    let page: WalkPage
    let credentials: WalkCredentials

    var html: HTML {
        """
        <p><strong class="good">✓ Credentials</strong> of <code>\(Parts.name(credentials.arn))</code>, \(page.countdown(credentials.expires, since: credentials.received))</p>
        <dl class="facts"><div><dt>AccessKeyId</dt><dd><code>\(credentials.accessKeyID)</code></dd></div></dl>
        \(Parts.secret(credentials.secretAccessKey, id: "secret", label: "the secret"))
        \(Parts.secret(credentials.sessionToken, id: "session-token", label: "the session token"))

        """
    }
}
