import Calls
import Cloud
import Directory
import WireFormats

/// The page where a user types name and password, or selects a known user.
///
/// The sign-in button precedes the buttons of the users, because the Enter key presses the first button of a form.
struct LoginPage {
    var client: Client
    var action: String
    /// The single-use value that the form submits.
    var form: String
    /// The people who can be chosen without a password.
    var people: [Person]
    /// The initial value of the user name field.
    var userName = ""
    /// The error of the last attempt.
    var fault: String?

    var page: SignInPage {
        let profile = ApplicationProfile(client: client)
        return SignInPage(
            title: "Sign in",
            content: """
                \(profile.logo)<h1>Sign in</h1>
                <p class="soft">to continue to <strong>\(client.name)</strong></p>
                \(alert)
                <form method="post" action="\(action)">
                <input type="hidden" name="form" value="\(form)">
                <label for="username">User name</label>
                <input id="username" name="username" value="\(userName)" autocomplete="username" autocapitalize="none" \
                spellcheck="false" required autofocus\(marking)>
                <label for="password">Password</label>
                <input id="password" name="password" type="password" autocomplete="current-password" required\(marking)>
                <button class="primary" type="submit" name="action" value="login">Sign in</button>
                \(persons)
                <button class="quiet" type="submit" name="action" value="deny" formnovalidate>Cancel</button>
                </form>
                \(profile.links)
                """, images: profile.images)
    }

    private var alert: HTML {
        guard let fault else { return "" }
        return "<p class=\"alert\" id=\"fault\" role=\"alert\">\(fault)</p>"
    }

    private var marking: HTML { fault == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"fault\"" }

    private var persons: HTML {
        if people.isEmpty { return "" }
        let buttons = people.map { person -> HTML in
            let fullName = person.claims["name"]?.stringValue ?? person.name
            return """
                <button class="person" type="submit" name="person" value="\(person.name)" formnovalidate>\(fullName) \
                <small>\(person.name)</small></button>

                """
        }
        return "<fieldset><legend>or continue as</legend>\n\(buttons)</fieldset>"
    }
}
