import Calls
import WireFormats

/// Step 1: the login, its requests, and the token raw and decoded.
struct LoginStep {
    let page: WalkPage
    let provider: WalkProvider

    private var walk: Walk { page.walk }

    var html: HTML {
        """
        <section class="step" id="step-1" aria-labelledby="step-1-title">
        <h2 id="step-1-title"><span aria-hidden="true">1</span> Authenticate with the identity provider</h2>
        \(outcome)
        \(RedirectView(walk: walk).html)
        \(walk.login.enumerated().map { page.exchange($1, id: "login-\($0)") })
        \(walk.token.map { TokenView(token: $0).html } ?? "")
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

    private var again: HTML {
        let implicit: HTML =
            page.room.implicitURL(of: walk.id, at: provider).map { url -> HTML in
                "<a class=\"button\" href=\"\(url)\">Log in with the implicit flow</a>"
            } ?? ""
        let login: HTML =
            page.room.loginURL(of: walk.id, at: provider, for: walk.course.kind).map { url -> HTML in
                "<a class=\"button\" href=\"\(url)\">Log in again with \(Parts.value(provider.title))</a>"
            } ?? ""
        return """
            <div class="row">\(login)\(implicit)
            <form method="post" action="\(page.action("token"))" class="row">\(page.visit.formToken)
            <label for="person">or without the login page as</label><select id="person" name="person">\(provider.options(selected: walk.person))</select>
            \(LoginStep.types(of: provider, id: "type"))
            <button>Issue a token</button></form></div>

            """
    }

    /// The choice of the type of a token; nothing for providers with one type.
    static func types(of provider: WalkProvider, id: String) -> HTML {
        guard !provider.isOpaque else { return "" }
        return """
            <label for="\(id)">type</label><select id="\(id)" name="type"><option value="id_token">id_token</option>\
            <option value="access_token">access_token, which STS refuses</option></select>
            """
    }
}
