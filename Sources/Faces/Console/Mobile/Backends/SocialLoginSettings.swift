import Calls
import WireFormats

/// *Social Login*: the switch *Facebook* and its dialog *Facebook Settings*.
struct SocialLoginSettings {
    let page: SettingsPage
    let backend: JSONObject
    let draft: MobileDraft
    /// The apps of this cloud's Facebook.
    let apps: [(id: String, name: String)]

    var html: HTML {
        let facebook = backend["facebook"]?.objectValue
        var form = MobileForm("facebook", on: page, draft)
        form.text(
            "appID", "Facebook app ID", facebook?.string("appID") ?? "", at: "facebook.appID", hint: hint, isRequired: true,
            list: apps.map(\.id))
        form.text(
            "appSecret", "Facebook app secret", facebook?.string("appSecret") ?? "", at: "facebook.appSecret", type: "password",
            isRequired: true)
        let isOpen = draft.refusal(of: "facebook") != nil
        let state = facebook == nil ? "OFF" : "ON"
        let off: HTML =
            facebook == nil
            ? "" : page.button("Switch Facebook off", do: "facebook-off", style: "danger", confirm: "Switch Facebook login off?")
        return """
            <section class="card" aria-labelledby="social"><h2 id="social">Social Login</h2>
            <p><strong>Facebook \(state)</strong>. It needs HTTP Basic. A backend with Facebook login serves Facebook login and nothing else: it takes \
            APIs with <em>Login Required</em> off, APIs with <em>Login Required</em> and <em>Social Login</em> on, and platform APIs with anonymous \
            access.</p>
            <details class="fold"\(isOpen ? " open" : "")><summary>Facebook Settings</summary>
            \(form.html(button: facebook == nil ? "Switch Facebook on" : "Save Facebook settings"))</details>
            \(off)</section>

            """
    }

    private var hint: HTML {
        guard !apps.isEmpty else { return "" }
        return
            "Apps of this cloud's Facebook: \(apps.map { app -> HTML in "<code>\(Parts.value(app.id))</code> \(Parts.value(app.name)) " })"
    }
}
