import Calls
import Cloud
import Directory
import WireFormats

/// The page where a user confirms the logout. The buttons' values are `logout` and `stay`.
struct LogoutPage {
    var client: Client?
    var person: Person
    var action: String
    /// The single-use value that the form submits.
    var form: String

    var page: SignInPage {
        let fullName = person.claims["name"]?.stringValue ?? person.name
        let asker: HTML = client.map { client -> HTML in "<p><strong>\(client.name)</strong> asks to sign you out.</p>" } ?? ""
        return SignInPage(
            title: "Sign out",
            content: """
                <h1>Sign out?</h1>
                \(asker)
                <p class="soft">You are signed in as \(fullName) (\(person.name)).</p>
                <form method="post" action="\(action)">
                <input type="hidden" name="form" value="\(form)">
                <button class="primary" type="submit" name="action" value="logout">Sign out</button>
                <button class="quiet" type="submit" name="action" value="stay">Stay signed in</button>
                </form>
                """)
    }

    static let done = SignInPage(title: "Logged out", content: "<h1>Logged out</h1>\n<p>You are logged out.</p>")

    static let stayed = SignInPage(title: "Still signed in", content: "<h1>Still signed in</h1>\n<p>You stay signed in.</p>")
}
