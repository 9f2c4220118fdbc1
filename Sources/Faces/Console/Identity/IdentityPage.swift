import Calls
import ControlDocuments
import WireFormats

/// The start of Identity: identity providers, and accounts of AWS and Alibaba Cloud.
struct IdentityPage {
    static let example = """
        {
          "name": "partner",
          "kind": "openIDConnect",
          "issuer": "https://login.partner.example",
          "clients": [{"id": "app", "secret": "app-secret", "redirectURIs": ["http://localhost:8765/callback"]}],
          "people": [{"name": "dora", "password": "dora-password", "subject": "4711", "claims": {"name": "Dora Day"}}]
        }
        """

    let scene: IdentityScene

    var response: Response {
        let (providers, accounts) = (scene.info.providers, scene.info.accounts)
        return scene.page(
            "Identity",
            """
            <h1>Identity</h1>
            \(scene.resultBox)
            <section aria-labelledby="providers"><h2 id="providers">Identity providers</h2>
            <p class="soft">People log in here. Their tokens are exchanged for temporary credentials.</p>
            \(providers.isEmpty ? noProviders : "<div class=\"cards\">\n\(providers.map(provider))</div>")
            \(create)
            </section>
            <section aria-labelledby="accounts"><h2 id="accounts">Accounts</h2>
            <p class="soft">Users, groups, roles and policies, read and changed by the API of IAM or RAM as the root user.</p>
            \(accounts.isEmpty ? noAccounts : "<div class=\"cards\">\n\(accounts.map(account))</div>")
            </section>
            <section aria-labelledby="cognito"><h2 id="cognito"><a href="\(CognitoPage.path)">Amazon Cognito</a></h2>
            <p class="soft">User pools with their people, identity pools with their identities, and the codes that user pools sent.</p></section>
            \(scene.call("/info"))
            """)
    }

    private func provider(_ provider: Document<ProviderMembers>) -> HTML {
        let (name, people, clients) = (provider.name, provider.people, provider.clients)
        return """
            <section class="card"><h3 class="named">\(ProviderPage.mark(of: provider)) \
            <a href="\(IdentityScene.path("providers", name))">\(Parts.value(ProviderPage.title(of: provider)))</a></h3>
            <p>\(ProviderPage.kind(of: provider))</p>
            <p class="soft">\(String(people)) \(people == 1 ? "person" : "people"), \(String(clients)) \(clients == 1 ? "client" : "clients")</p></section>

            """
    }

    private func account(_ account: Document<AccountMembers>) -> HTML {
        let (id, users, roles) = (account.id, account.users, account.roles)
        return """
            <section class="card"><h3><a href="\(IdentityScene.path("accounts", id))">\(Parts.value(id))</a></h3>
            <p>\(account.vendor == "alibaba" ? "Alibaba Cloud" : "AWS"), \(Parts.value(account.name))</p>
            <p class="soft">\(String(users)) \(users == 1 ? "user" : "users"), \(String(roles)) \(roles == 1 ? "role" : "roles")</p></section>

            """
    }

    private var create: HTML {
        """
        <details class="card fold"\(scene.info.providers.isEmpty || scene.result?.action == "create-provider" ? " open" : "")><summary>Add an identity provider</summary>
        <p class="soft">A provider as in a seed. Its login pages are at once at <code>/idp/</code> and its name.</p>
        \(scene.form(Visit.path("/identity/create-provider")))
        \(scene.field("document", "Provider", Self.example, key: "", lines: 10, action: "create-provider"))
        <p><button class="primary">Add the provider</button></p></form></details>

        """
    }

    private var noProviders: HTML {
        """
        <div class="empty"><p>There is no identity provider. Add these lines to a seed, or use the form below:</p>
        \(Parts.code("identityProviders: [\(Self.example)]", id: "seed-providers", label: "lines of a seed"))</div>

        """
    }

    private var noAccounts: HTML {
        """
        <div class="empty"><p>There is no account. Add these lines to a seed, and start again with <code>--seed</code>:</p>
        \(Parts.code("accounts: [{id: \"000000000000\", rootKeys: [{id: \"test\", secret: \"test\"}]}]", id: "seed-accounts", label: "lines of a seed"))</div>

        """
    }
}
