import Calls
import WireFormats

/// The accounts of Alibaba Cloud, with the methods that each allows.
struct AlibabaChoices {
    let room: PlaygroundRoom

    /// `nil` if the seed has none.
    var html: HTML? {
        get async throws {
            let accounts = try await AlibabaAccount.all(room.visit.client)
            guard !accounts.isEmpty else { return nil }
            var cards: [HTML] = []
            for account in accounts { cards.append(try await card(account)) }
            return "<div class=\"cards\">\n\(cards)</div>"
        }
    }

    private func card(_ account: AlibabaAccount) async throws -> HTML {
        let people = account.appServer?.people.map(\.name) ?? []
        var forms: [HTML] = []
        if !people.isEmpty { forms.append(form(account, .appServer, names: people, label: "User of the app")) }
        if let user = account.users.first {
            let options = account.users.map { user -> HTML in "<option value=\"\(user.name)\">\(user.name.visible)</option>" }
            let id = "user-\(account.id)"
            let choice: HTML =
                user.name.isEmpty
                ? "" : "<label for=\"\(id)\">RAM user</label><select id=\"\(id)\" name=\"user\">\(options)</select>\n"
            forms.append(form(account, .assumeRole, names: people.isEmpty ? ["playground"] : people, label: "Session name", more: choice))
        }
        if let name = account.provider, let provider = await WalkProvider.named(name, room.visit.client) {
            forms.append(form(account, .oidc, names: provider.people.map(\.name), label: "Person"))
        }
        if account.appServer?.signingKey != nil, !people.isEmpty {
            forms.append(form(account, .selfSigned, names: people, label: "User of the app"))
        }
        return """
            <section class="card"><h3>\(Parts.value(account.name))</h3>
            <p class="soft">Account \(account.id)</p>
            \(forms)</section>

            """
    }

    private func form(
        _ account: AlibabaAccount, _ method: AlibabaCourse.Method, names: [String], label: String, more: HTML = ""
    ) -> HTML {
        let options = names.map { name -> HTML in "<option value=\"\(name)\">\(name.visible)</option>" }
        let id = "person-\(account.id)-\(method.rawValue)"
        return """
            <details class="fold"><summary>\(method.title)</summary>
            <form method="post" action="\(Visit.path("/playground/start"))">\(room.visit.formToken)
            <input type="hidden" name="path" value="\(WalkKind.alibaba.rawValue)"><input type="hidden" name="account" value="\(account.id)">
            <input type="hidden" name="method" value="\(method.rawValue)">
            \(more)<label for="\(id)">\(label)</label><select id="\(id)" name="person">\(options)</select>
            <p><button class="primary" aria-label="Start: \(method.title) (\(account.name.visible))">Start</button></p></form></details>

            """
    }
}
