import Calls
import WireFormats

/// The start of a walk: a card for each identity provider.
struct PlaygroundPage {
    let room: PlaygroundRoom
    let info: CloudInfo
    let providers: [WalkProvider]
    let walks: [Walk]

    var response: Response {
        let content: HTML = """
            <h1>Playground</h1>
            <p>Log in with an identity provider, get temporary credentials for the login from STS, and use them on S3. \
            Every step shows its request and response, and every field can be changed.</p>
            <section aria-labelledby="choose"><h2 id="choose">1. Choose how to log in</h2>
            \(providers.isEmpty ? empty : "<div class=\"cards\">\n\(providers.map(card))</div>")
            </section>
            \(running)
            """
        return ConsolePage(title: "Playground", section: .playground, content: content).response(for: room.visit, info: info)
    }

    private var empty: HTML {
        """
        <div class="empty"><p>The seed has no identity provider with a client and people. The built-in seed has four:</p>
        \(Parts.code("virga serve", id: "start", label: "the command"))</div>

        """
    }

    private func card(_ provider: WalkProvider) -> HTML {
        let login = (try? WalkStore.newID()).flatMap { room.loginURL(of: $0, at: provider) }
        let id = "person-\(Array(provider.name.utf8).base64url)"
        let people = provider.people.map { person -> HTML in "<option value=\"\(person.name)\">\(person.fullName.visible)</option>" }
        return """
            <section class="card"><h3>\(Parts.value(provider.title))</h3>
            <p class="soft">\(provider.explanation)</p>
            \(login.map { url -> HTML in "<p><a class=\"button primary\" href=\"\(url)\">Log in with \(Parts.value(provider.title))</a></p>" } ?? "")
            <details class="fold"><summary>Without the login page</summary>
            <form method="post" action="\(Visit.path("/playground/start"))">\(room.visit.formToken)
            <input type="hidden" name="provider" value="\(provider.name)">
            <label for="\(id)">Person</label><select id="\(id)" name="person">\(people)</select>
            <p><button>Issue a token</button></p></form></details>
            </section>

            """
    }

    private var running: HTML {
        guard !walks.isEmpty else { return "" }
        let items = walks.map { walk -> HTML in
            """
            <li><a href="\(PlaygroundRoom.path(walk.id))">\(Parts.value(walk.person ?? "not logged in")) at \(Parts.value(walk.provider.title))</a> \
            <span class="soft">\(walk.credentials == nil ? "no credentials yet" : "with credentials")</span></li>

            """
        }
        return """
            <section aria-labelledby="walks"><h2 id="walks">Your walks</h2>
            <p class="soft">Each is kept for two hours under its URL.</p><ul class="plain">
            \(items)</ul></section>

            """
    }
}
