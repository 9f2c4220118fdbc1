import Calls
import Directory
import WireFormats

/// The login page of a realm. Its form, fields and identifiers are those of Keycloak's page, which test suites fill in.
struct RealmLoginPage {
    var provider: IdentityProvider
    var client: Client
    /// The path that receives the form.
    var action: String
    /// The single-use value that the form submits.
    var form: String
    /// The initial value of the user name field.
    var userName = ""
    /// Why the last attempt failed.
    var fault: LoginFault?
    /// The URL of the registration page; `nil` if people may not register.
    var registration: String?

    /// The path that receives the form, relative to the realm.
    static let formPath = "/login-actions/authenticate"

    /// The parameter of the form's action with the single-use value.
    static let sessionCode = "session_code"

    /// Returns the URL of a form's action.
    static func action(_ path: String, form: String, client: Client) -> String {
        let query: FormFields = [
            sessionCode: form, "execution": execution, "client_id": client.id, "tab_id": String(form.prefix(11)),
        ]
        return "\(path)?\(query.encoded)"
    }

    /// The step of Keycloak's login that the form belongs to. There is only one.
    private static let execution = "5c2a3b1e-7d64-4f0a-9a55-6f3f7c1d2e88"

    var page: SignInPage {
        let profile = ApplicationProfile(client: client)
        return SignInPage(
            title: "Sign in to \(provider.name)",
            content: """
                \(profile.logo)<h1 id="kc-page-title">Sign in to your account</h1>
                <p class="soft">to continue to <strong>\(client.name)</strong></p>
                \(alert)
                <div id="kc-form"><div id="kc-form-wrapper">
                <form id="kc-form-login" action="\(Self.action(action, form: form, client: client))" method="post">
                <input type="hidden" name="form" value="\(form)">
                <label for="username">Username or email</label>
                <input id="username" name="username" value="\(userName)" type="text" autocomplete="username" autocapitalize="none" \
                spellcheck="false" autofocus\(marking)>
                \(error)
                <label for="password">Password</label>
                <input id="password" name="password" type="password" autocomplete="current-password"\(marking)>
                <input type="hidden" id="id-hidden-input" name="credentialId" value="">
                <button class="primary" type="submit" id="kc-login" name="login">Sign In</button>
                </form>
                </div></div>
                \(register)
                \(profile.links)
                """, images: profile.images)
    }

    private var isWrong: Bool { fault == .wrongCredentials }

    private var marking: HTML { isWrong ? " aria-invalid=\"true\" aria-describedby=\"input-error\"" : "" }

    /// The error beside the fields.
    private var error: HTML {
        guard isWrong else { return "" }
        let text = ProviderRefusals.keycloak.wrongCredentials
        return """
            <div id="input-error-container-username"><div id="input-error-username">\
            <span class="alert" id="input-error" role="alert" aria-live="polite">\(text)</span></div></div>
            """
    }

    /// The error above the form.
    private var alert: HTML {
        guard fault == .disabledAccount else { return "" }
        let text = ProviderRefusals.keycloak.disabledAccount
        return "<div class=\"alert alert-error\" role=\"alert\"><span class=\"kc-feedback-text\">\(text)</span></div>"
    }

    private var register: HTML {
        guard let registration else { return "" }
        return """
            <div id="kc-registration-container"><div id="kc-registration"><span>New user? <a href="\(registration)">Register</a></span></div>\
            </div>
            """
    }
}
