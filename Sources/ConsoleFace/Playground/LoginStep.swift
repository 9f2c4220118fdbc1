import Calls
import WireFormats

/// Step 1: the login, its requests, and the token raw and decoded.
struct LoginStep {
    let page: WalkPage

    private var walk: Walk { page.walk }

    var html: HTML {
        """
        <section class="step" id="step-1" aria-labelledby="step-1-title">
        <h2 id="step-1-title"><span aria-hidden="true">1</span> Authenticate with the identity provider</h2>
        \(outcome)
        \(redirects)
        \(walk.login.enumerated().map { page.exchange($1, id: "login-\($0)") })
        \(token)
        \(again)
        </section>

        """
    }

    private var outcome: HTML {
        if walk.token == nil, let failed = walk.login.first { return page.refusal(failed) }
        guard let token = walk.token else { return "<p>Not logged in yet.</p>" }
        return """
            <p><strong class="good">✓ \(Parts.value(walk.person ?? ""))</strong> has an <code>\(token.kind)</code>, which \(page.countdown(token.expires, since: token.received)).</p>

            """
    }

    private var redirects: HTML {
        guard let url = walk.authorizeURL else { return "" }
        return """
            <details class="fold"><summary>The redirect to the provider, and back</summary>
            <h4>The application sends the browser here</h4>
            \(Parts.code(Self.lines(of: url), id: "authorize", label: "authorize URL"))
            <h4>After the login the provider sends it back</h4>
            \(Parts.code(walk.returned ?? "", id: "returned", label: "redirect"))
            </details>

            """
    }

    /// A URL with a line for each parameter.
    private static func lines(of url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let query = FormFields(parsing: String(url[url.index(after: mark)...]))?.fields ?? []
        return url[..<mark] + query.enumerated().map { "\n  \($0 == 0 ? "?" : "&")\($1.name)=\($1.value)" }.joined()
    }

    private var token: HTML {
        guard let token = walk.token else { return "" }
        let decoded: HTML =
            if let (header, claims) = token.decoded {
                """
                <div class="pair"><div><h4>Header</h4>\(Parts.code(header.serialized(pretty: true), id: "token-header", label: "header"))</div>
                <div><h4>Claims</h4>\(Parts.code(claims.serialized(pretty: true), id: "token-claims", label: "claims"))</div></div>
                """
            } else {
                "<p class=\"soft\">The token is opaque: only the provider knows what it stands for.</p>"
            }
        return """
            <details class="fold"><summary>The token, decoded</summary>
            \(decoded)</details>
            \(Parts.secret(token.text, id: "token-raw", label: "the token"))
            """
    }

    private var again: HTML {
        let people = walk.provider.people.map { person -> HTML in
            "<option value=\"\(person.name)\"\(person.fullName == walk.person ? " selected" : "")>\(person.fullName.visible)</option>"
        }
        let login: HTML =
            page.room.loginURL(of: walk.id, at: walk.provider).map { url -> HTML in
                "<a class=\"button\" href=\"\(url)\">Log in again with \(Parts.value(walk.provider.title))</a>"
            } ?? ""
        return """
            <div class="row">\(login)
            <form method="post" action="\(page.action("token"))" class="row">\(page.visit.formToken)
            <label for="person">or without the login page as</label><select id="person" name="person">\(people)</select>
            <button>Issue a token</button></form></div>

            """
    }
}
