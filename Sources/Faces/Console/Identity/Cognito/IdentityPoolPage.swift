import Calls
import ControlDocuments
import WireFormats

/// One identity pool of Amazon Cognito: whose tokens it accepts, its roles, and its identities with their logins.
struct IdentityPoolPage {
    let scene: IdentityScene
    let account: String
    let pool: String

    static func path(_ account: String, _ pool: String) -> String { IdentityScene.path("identity-pools", account, pool) }

    func response() async throws -> Response {
        let client = try CognitoClient(scene, account, pool: pool)
        let query: JSONObject = ["IdentityPoolId": .string(pool)]
        let found = try await client.call("DescribeIdentityPool", of: .identityPools, query)
        var exchanges = [found]
        var content: HTML = ExchangeView(exchange: found).refusal
        if found.isSuccess {
            let roles = try await client.call("GetIdentityPoolRoles", of: .identityPools, query)
            var listing: JSONObject = ["IdentityPoolId": .string(pool), "MaxResults": 60]
            if let after = scene.visit.query.value("after") { listing["NextToken"] = .string(after) }
            let identities = try await client.call("ListIdentities", of: .identityPools, listing)
            exchanges += [roles, identities]
            content = "\(facts(found.json, roles.json))\(self.identities(identities))"
        }
        let title = found.json["IdentityPoolName"]?.stringValue ?? pool
        return scene.page(
            "Identity pool \(title)",
            """
            \(IdentityScene.trail([("Amazon Cognito", CognitoPage.path), (title, Self.path(account, pool))]))
            <h1>Identity pool \(Parts.value(title, limit: 128))</h1>
            \(content)
            \(scene.calls(exchanges))
            """)
    }

    private func facts(_ document: JSONValue, _ roles: JSONValue) -> HTML {
        let social = document["SupportedLoginProviders"]?.objectValue?.members.map(\.name) ?? []
        let pools = (document["CognitoIdentityProviders"]?.arrayValue ?? []).compactMap { $0["ProviderName"]?.stringValue }
        let others = CognitoClient.texts(document["OpenIdConnectProviderARNs"]) + CognitoClient.texts(document["SamlProviderARNs"])
        let accepted = (social + pools + others).map { name -> HTML in "<p><code>\(Parts.name(name))</code></p>" }
        let allowsGuests = document["AllowUnauthenticatedIdentities"]?.boolValue == true
        return Parts.facts([
            ("Pool ID", "<code>\(Parts.value(pool))</code>"),
            ("Logins of", accepted.isEmpty ? "no provider" : "\(accepted)"),
            ("Developer provider", "\(Parts.value(document["DeveloperProviderName"]?.stringValue ?? "none"))"),
            ("Role after a login", Self.role(roles["Roles"]?["authenticated"])),
            ("Role of guests", allowsGuests ? Self.role(roles["Roles"]?["unauthenticated"]) : "guests are not allowed"),
            ("Role mappings", "\(String(roles["RoleMappings"]?.objectValue?.members.count ?? 0))"),
        ])
    }

    private static func role(_ value: JSONValue?) -> HTML {
        value?.stringValue.map { "<code>\(Parts.name($0))</code>" } ?? "none"
    }

    private func identities(_ answer: Exchange) -> HTML {
        let rows = (answer.json["Identities"]?.arrayValue ?? []).map { identity -> [HTML] in
            let logins = CognitoClient.texts(identity["Logins"])
            return [
                "<code>\(Parts.value(identity["IdentityId"]?.stringValue ?? ""))</code>",
                logins.isEmpty ? "guest" : "\(Parts.name(logins.joined(separator: ", "), limit: 600))",
                "\(CognitoClient.time(identity["CreationDate"]))", "\(CognitoClient.time(identity["LastModifiedDate"]))",
            ]
        }
        let next: HTML =
            answer.json["NextToken"]?.stringValue.map { token -> HTML in
                "<p><a href=\"\(Self.path(account, pool))?after=\(percentEncoded(token))\">Next identities</a></p>\n"
            } ?? ""
        let headings = ["Identity ID", "Logins", "Created", "Last changed"]
        return """
            <section aria-labelledby="identities"><h2 id="identities">Identities</h2>
            \(ExchangeView(exchange: answer).refusal)\
            \(Parts.table("Identities", headings, rows, empty: "No identity exists yet. The first login or guest makes one."))\(next)</section>

            """
    }
}
