import Calls
import ControlDocuments
import WireFormats

/// The pools of Amazon Cognito in a region, and the codes that user pools sent.
struct CognitoPage {
    static let path = IdentityScene.path("cognito")

    let scene: IdentityScene

    private var region: String { scene.visit.query.value("region") ?? "us-east-1" }

    func response() async throws -> Response {
        var exchanges: [Exchange] = []
        var sections: [HTML] = []
        for account in scene.info.accounts where account.vendor != "alibaba" {
            let client = try CognitoClient(scene, account.id, region: region)
            let userPools = try await client.call("ListUserPools", of: .userPools, ["MaxResults": 60])
            let identityPools = try await client.call("ListIdentityPools", of: .identityPools, ["MaxResults": 60])
            exchanges += [userPools, identityPools]
            sections.append(section(account.id, userPools, identityPools))
        }
        if sections.isEmpty { sections = ["<p class=\"empty\">The seed has no account of AWS.</p>\n"] }
        let codes = await SentCodes(scene.visit.client).html
        return scene.page(
            "Amazon Cognito",
            """
            \(IdentityScene.trail([("Amazon Cognito", Self.path)]))
            <h1>Amazon Cognito</h1>
            <p>User pools sign people in. Identity pools give the holders of their tokens, and of others, the credentials of a role.</p>
            <form method="get" action="\(Self.path)" class="filters">
            <div><label for="region">Region</label><input id="region" name="region" value="\(region)" spellcheck="false" autocomplete="off"></div>
            <div class="buttons"><button>Show</button></div></form>
            \(sections)
            \(codes)
            \(scene.calls(exchanges))
            """)
    }

    private func section(_ account: String, _ userPools: Exchange, _ identityPools: Exchange) -> HTML {
        let people = (userPools.json["UserPools"]?.arrayValue ?? []).map { pool -> [HTML] in
            let id = pool["Id"]?.stringValue ?? ""
            return [
                "<a href=\"\(UserPoolPage.path(account, id))\">\(Parts.value(pool["Name"]?.stringValue ?? "", limit: 128))</a>",
                "<code>\(Parts.value(id))</code>", "\(CognitoClient.time(pool["CreationDate"]))",
            ]
        }
        let identities = (identityPools.json["IdentityPools"]?.arrayValue ?? []).map { pool -> [HTML] in
            let id = pool["IdentityPoolId"]?.stringValue ?? ""
            return [
                "<a href=\"\(IdentityPoolPage.path(account, id))\">\(Parts.value(pool["IdentityPoolName"]?.stringValue ?? "", limit: 128))</a>",
                "<code>\(Parts.value(id))</code>",
            ]
        }
        return """
            <section><h2>Account \(Parts.value(account))</h2>
            <h3>User pools</h3>
            \(ExchangeView(exchange: userPools).refusal)\
            \(Parts.table("User pools of \(account)", ["Name", "Pool ID", "Created"], people, empty: Self.empty("user pool", "user-pools")))
            <h3>Identity pools</h3>
            \(ExchangeView(exchange: identityPools).refusal)\
            \(Parts.table("Identity pools of \(account)", ["Name", "Pool ID"], identities, empty: Self.empty("identity pool", "cognito")))
            </section>

            """
    }

    private static func empty(_ kind: String, _ seed: String) -> HTML {
        "There is no \(kind) in this region. <code>virga serve --seed seed/\(seed).json5</code> has one in us-east-1."
    }
}
