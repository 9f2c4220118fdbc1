import Calls
import Cloud
import Directory
import WireFormats

/// Where a person agrees to what an application asks for, or refuses.
struct ConsentPage {
    var client: Client
    var person: Person
    /// Each scope with what it means to the person, and whether they may leave it out; may be empty.
    var scopes: [(name: String, meaning: String, isOptional: Bool)]
    var action: String
    /// The single-use value that the form brings back.
    var form: String

    var page: SignInPage {
        let fullName = person.claims["name"]?.stringValue ?? person.name
        let profile = ApplicationProfile(client: client)
        return SignInPage(
            title: "Allow access",
            content: """
                \(profile.logo)<h1>Allow access?</h1>
                <p><strong>\(client.name)</strong> asks for access to your account.</p>
                <p class="soft">You are signed in as \(fullName) (\(person.name)).</p>
                \(list)
                <form method="post" action="\(action)">
                <input type="hidden" name="form" value="\(form)">
                \(choices)
                <button class="primary" type="submit" name="action" value="allow">Allow</button>
                <button type="submit" name="action" value="deny">Deny</button>
                <button class="quiet" type="submit" name="action" value="switch">Use another account</button>
                </form>
                \(profile.links)
                """, images: profile.images)
    }

    /// What is ticked is left out, so that a form that says nothing of it agrees to everything.
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
