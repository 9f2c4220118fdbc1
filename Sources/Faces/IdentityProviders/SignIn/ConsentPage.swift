import Calls
import Cloud
import Directory
import WireFormats

/// The page where a user allows or denies an application's request.
struct ConsentPage {
    var client: Client
    var person: Person
    /// Each scope with its meaning, and whether the user may decline it; may be empty.
    var scopes: [(name: String, meaning: String, isOptional: Bool)]
    var action: String
    /// The single-use value that the form submits.
    var form: String
    /// What the user should check; `nil` for nothing.
    var advice: String?
    /// Whether the button has the identifier that it has at Keycloak.
    var isRealm = false

    var page: SignInPage {
        let fullName = person.claims["name"]?.stringValue ?? person.name
        let profile = ApplicationProfile(client: client)
        return SignInPage(
            title: "Allow access",
            content: """
                \(profile.logo)<h1>Allow access?</h1>
                <p><strong>\(client.name)</strong> asks for access to your account.</p>
                <p class="soft">You are signed in as \(fullName) (\(person.name)).</p>
                \(note)\(list)
                <form method="post" action="\(action)">
                <input type="hidden" name="form" value="\(form)">
                \(choices)
                <button class="primary" type="submit"\(identifier) name="action" value="allow">Allow</button>
                <button type="submit" name="action" value="deny">Deny</button>
                <button class="quiet" type="submit" name="action" value="switch">Use another account</button>
                </form>
                \(profile.links)
                """, images: profile.images)
    }

    private var note: HTML {
        guard let advice else { return "" }
        return "<p>\(advice)</p>\n"
    }

    private var identifier: HTML { isRealm ? " id=\"kc-login\"" : "" }

    /// Checkboxes for scopes to decline, so that a form without these fields agrees to everything.
    private var choices: HTML {
        let optional = scopes.filter(\.isOptional)
        if optional.isEmpty { return "" }
        let items = optional.map { scope -> HTML in
            "<label class=\"choice\"><input type=\"checkbox\" name=\"decline\" value=\"\(scope.name)\"> Leave out: \(scope.meaning)</label>\n"
        }
        return "<fieldset><legend>You may leave out</legend>\n\(items)</fieldset>"
    }

    private var list: HTML {
        if scopes.isEmpty { return "" }
        let items = scopes.map { scope -> HTML in "<li>\(scope.meaning) <code>\(scope.name)</code></li>\n" }
        return "<ul aria-label=\"What the application may see\">\n\(items)</ul>"
    }
}
