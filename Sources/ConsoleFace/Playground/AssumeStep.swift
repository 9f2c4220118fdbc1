import Calls
import WireFormats

/// Step 2: the trust policy, the fields of `AssumeRoleWithWebIdentity`, and the credentials.
struct AssumeStep {
    let page: WalkPage
    let roles: [WalkRole]
    /// The role whose policies are shown.
    let role: WalkRole?

    private var walk: Walk { page.walk }

    var html: HTML {
        guard let token = walk.token else {
            return """
                <section class="step waiting" id="step-2"><h2><span aria-hidden="true">2</span> Obtain temporary credentials</h2>
                <p class="soft">Needs the token of step 1.</p></section>

                """
        }
        guard role != nil else { return empty }
        return """
            <section class="step" id="step-2" aria-labelledby="step-2-title">
            <h2 id="step-2-title"><span aria-hidden="true">2</span> Obtain temporary credentials</h2>
            <p>Anyone with a token that the role's trust policy accepts may call <code>AssumeRoleWithWebIdentity</code>. The call is not signed.</p>
            \(form(token))
            \(result)
            \(trustPolicy)
            </section>

            """
    }

    private var empty: HTML {
        """
        <section class="step" id="step-2" aria-labelledby="step-2-title">
        <h2 id="step-2-title"><span aria-hidden="true">2</span> Obtain temporary credentials</h2>
        <p>No role of the account trusts <code>\(Parts.value(walk.provider.principal))</code>. Create one with a folder for each person:</p>
        <form method="post" action="\(page.action("role"))">\(page.visit.formToken)<button class="primary">Create a role</button></form>
        </section>

        """
    }

    private func form(_ token: WalkToken) -> HTML {
        let order = walk.order
        let options = roles.map { role -> HTML in
            let isTrusting = walk.provider.isTrusted(by: role.trustPolicy)
            return """
                <option value="\(role.arn)"\(role.arn == self.role?.arn ? " selected" : "")>\(role.name.visible)\
                \(isTrusting ? "" : " (does not trust this provider)")</option>
                """
        }
        let shownToken = order.token.isEmpty ? token.text : order.token
        return """
            <form method="post" action="\(page.action("assume"))">\(page.visit.formToken)
            <div class="fields">
            <div><label for="role">Role</label><select id="role" name="role">\(options)</select></div>
            <div><label for="session">RoleSessionName</label><input id="session" name="session" value="\(order.sessionName)"></div>
            <div><label for="duration">DurationSeconds</label><input id="duration" name="duration" value="\(order.duration)" inputmode="numeric"></div>
            <div><label for="provider-id">ProviderId</label><input id="provider-id" name="provider-id" value="\(order.providerID)" \
            placeholder="empty for ID tokens"></div>
            </div>
            <details class="fold"\(order.policy.isEmpty && order.token.isEmpty ? "" : " open")><summary>Token and session policy</summary>
            <label for="token">WebIdentityToken</label><textarea id="token" name="token" rows="5" spellcheck="false">\(shownToken)</textarea>
            <label for="policy">Session policy, which can only take permissions away</label>
            <textarea id="policy" name="policy" rows="5" spellcheck="false">\(order.policy)</textarea>
            </details>
            <p><button class="primary">Get credentials</button></p>
            </form>

            """
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
            <p><strong class="good">✓ Credentials</strong> of <code>\(Parts.value(credentials.arn))</code>, \(page.countdown(credentials.expires, since: credentials.received))</p>
            <dl class="facts"><div><dt>AccessKeyId</dt><dd><code>\(credentials.accessKeyID)</code></dd></div></dl>
            \(Parts.secret(credentials.secretAccessKey, id: "secret", label: "SecretAccessKey"))
            \(Parts.secret(credentials.sessionToken, id: "session-token", label: "SessionToken"))
            \(page.exchange(exchange, id: "assume"))
            </div>

            """
    }

    private var trustPolicy: HTML {
        guard let role else { return "" }
        let isChanged = walk.originals[.init(role: role.name, policy: nil)] != nil
        return """
            <details class="fold"\(isChanged || walk.assumption?.isSuccess == false ? " open" : "")><summary>The trust policy of \(Parts.value(role.name)): \
            who may assume the role\(isChanged ? " (changed)" : "")</summary>
            \(PolicyEditor(page: page, role: role.name, policy: nil, document: role.trustPolicy, label: "Trust policy").html)</details>

            """
    }
}

/// A policy that can be changed in place.
struct PolicyEditor {
    let page: WalkPage
    let role: String
    /// The name of an inline policy; `nil` for the trust policy.
    let policy: String?
    let document: String
    let label: String

    var html: HTML {
        let id = "edit-\(Array((policy ?? "-").utf8).base64url)"
        let text = Layout.indented(document)
        return """
            <form method="post" action="\(page.action("save"))">\(page.visit.formToken)
            <input type="hidden" name="role-name" value="\(role)"><input type="hidden" name="name" value="\(policy ?? "")">
            <label for="\(id)">\(label)</label>
            <textarea id="\(id)" name="document" rows="\(String(min(24, 1 + text.split(separator: "\n").count)))" spellcheck="false">\(text)</textarea>
            <p><button>Save \(label.lowercased())</button></p></form>

            """
    }
}
