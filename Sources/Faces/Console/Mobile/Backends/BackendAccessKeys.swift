import Calls
import WireFormats

/// *Access Keys*: the switches *OAuth Consumer* and *HTTP Basic* with their keys, and *Enable Single Sign-On*.
struct AccessKeys {
    let page: SettingsPage
    let backend: JSONObject
    let draft: MobileDraft
    /// Whether the realm has an identity provider for single sign-on.
    let hasSingleSignOn: Bool

    private var isFacebook: Bool { backend["facebook"]?.objectValue != nil }

    var html: HTML {
        """
        <section class="card" aria-labelledby="keys"><h2 id="keys">Access Keys</h2>
        \(refusal)\(HTML.when(isFacebook, "<p class=\"warn\">! Facebook login is on. Apps of this backend can use no other login.</p>"))
        \(oauth)
        \(basic)</section>

        """
    }

    /// Why a switch did not move.
    private var refusal: HTML {
        guard let refusal = ["switch", "refresh", "revoke"].compactMap(draft.refusal).first else { return "" }
        let advice: HTML =
            switch refusal.faults.first?.place {
            case "sso": "<p>Single sign-on needs OAuth Consumer. First clear <em>Enable Single Sign-On</em>.</p>"
            case "facebook": "<p>Facebook login needs HTTP Basic. First switch Facebook off, under <em>Social Login</em>.</p>"
            default: ""
            }
        return """
            <section class="error" role="alert" tabindex="-1" data-focus><h3>✗ Nothing was changed</h3>
            <p>\(Parts.value(refusal.message, limit: 1_000))</p>\(advice)<p class="soft">Code: <code>\(refusal.code.visible)</code></p></section>

            """
    }

    private func toggle(_ name: String, _ title: String) -> HTML {
        let isOn = backend.isOn(name)
        return """
            <form method="post" action="\(Visit.path(page.visit.path))">\(page.visit.formToken)<input type="hidden" name="do" value="switch">\
            <input type="hidden" name="switch" value="\(name)">\
            <button role="switch" aria-checked="\(isOn ? "true" : "false")" class="switch">\(title) \(isOn ? "ON" : "OFF")</button></form>
            """
    }

    private func renew(_ group: String, _ secret: String) -> HTML {
        """
        <div class="row">\(page.button("Refresh", do: "refresh", [("group", group)], confirm: "Replace the \(secret)? The old one stops working.", hidden: secret))
        \(page.button(
            "Revoke", do: "revoke", [("group", group)], style: "small danger",
            confirm: "Revoke the \(secret) and switch the method off?", hidden: secret))
        <span class="soft">Refresh makes a new \(secret). Revoke also switches the method off.</span></div>

        """
    }

    private var oauth: HTML {
        let keys: HTML =
            backend.isOn("oauth")
            ? """
            <h4>Client ID</h4>\(Parts.code(backend.string("clientID"), id: "client-id", label: "Client ID"))
            \(Parts.secret(backend.string("clientSecret"), id: "client-secret", label: "Client Secret"))
            \(renew("oauth", "client secret"))
            \(singleSignOn)
            """ : "<p class=\"soft\">Apps cannot use OAuth. The keys are shown while it is on.</p>"
        return "<div class=\"result\">\(toggle("oauth", "OAuth Consumer"))\n\(keys)</div>\n"
    }

    private var singleSignOn: HTML {
        guard hasSingleSignOn || backend.isOn("sso") else {
            return """
                <p class="soft">SSO is not set up for your Oracle Cloud account. <span>Here: the realm \(Parts.value(backend.string("realm"))) has no \
                <code>signOn</code> in the seed.</span></p>
                """
        }
        var form = MobileForm("sso", on: page, draft)
        form.check("sso", "Enable Single Sign-On", backend.isOn("sso"))
        return form.html(button: "Save single sign-on", style: "small")
    }

    private var basic: HTML {
        let keys: HTML =
            backend.isOn("basic")
            ? """
            <h4>Mobile Backend ID</h4>\(Parts.code(backend.string("id"), id: "backend-id", label: "Mobile Backend ID"))
            \(Parts.secret(backend.string("anonymousKey"), id: "anonymous-key", label: "Anonymous Key"))
            \(renew("basic", "anonymous key"))
            """ : "<p class=\"soft\">Apps cannot use HTTP Basic. The keys are shown while it is on.</p>"
        return "<div class=\"result\">\(toggle("basic", "HTTP Basic"))\n\(keys)</div>\n"
    }
}
