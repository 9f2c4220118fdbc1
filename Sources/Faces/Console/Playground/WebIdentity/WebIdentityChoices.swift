import Calls
import WireFormats

/// The identity providers, a card for each.
struct WebIdentityChoices {
    let room: PlaygroundRoom

    /// `nil` if the seed has none.
    var html: HTML? {
        get async throws {
            let providers = try await WalkProvider.all(room.visit.client)
            return providers.isEmpty ? nil : "<div class=\"cards\">\n\(providers.map(card))</div>"
        }
    }

    private func card(_ provider: WalkProvider) -> HTML {
        let walk = (try? WalkStore.newID()) ?? ""
        let login = room.loginURL(of: walk, at: provider, for: .webIdentity).map { url -> HTML in
            "<p><a class=\"button primary\" href=\"\(url)\">Log in with \(Parts.value(provider.title))</a></p>"
        }
        let implicit = room.implicitURL(of: walk, at: provider).map { url -> HTML in
            "<p><a class=\"button\" href=\"\(url)\">Use the implicit flow</a></p>"
        }
        let id = Array(provider.name.utf8).base64url
        return """
            <section class="card"><h3 class="named">\(Parts.mark(provider.title, provider.kind)) \(Parts.value(provider.title))</h3>
            <p class="soft">\(provider.explanation)</p>
            \(login ?? "")\(implicit ?? "")
            <details class="fold"><summary>Without the login page</summary>
            <form method="post" action="\(Visit.path("/playground/start"))">\(room.visit.formToken)
            <input type="hidden" name="path" value="\(WalkKind.webIdentity.rawValue)"><input type="hidden" name="provider" value="\(provider.name)">
            <label for="person-\(id)">Person</label><select id="person-\(id)" name="person">\(provider.options())</select>
            \(LoginStep.types(of: provider, id: "type-\(id)"))
            <p><button>Issue a token</button></p></form></details>
            </section>

            """
    }
}

extension WalkProvider {
    /// The people, for a field of a form.
    func options(selected: String? = nil) -> HTML {
        let options = people.map { person -> HTML in
            let isSelected = selected != nil && (person.fullName == selected || person.name == selected)
            return "<option value=\"\(person.name)\"\(isSelected ? " selected" : "")>\(person.fullName.visible)</option>"
        }
        return "\(options)"
    }
}
