import Calls
import ControlDocuments
import WireFormats

/// One user pool of Amazon Cognito: its people, groups and app clients, and the codes that it sent.
struct UserPoolPage {
    let scene: IdentityScene
    let account: String
    let pool: String

    static func path(_ account: String, _ pool: String) -> String { IdentityScene.path("user-pools", account, pool) }

    static func path(_ account: String, _ pool: String, person: String) -> String {
        IdentityScene.path("user-pools", account, pool, "people", person)
    }

    func response() async throws -> Response {
        let client = try CognitoClient(scene, account, pool: pool)
        let found = try await client.call("DescribeUserPool", of: .userPools, ["UserPoolId": .string(pool)])
        var exchanges = [found]
        var content: HTML = ExchangeView(exchange: found).refusal
        if found.isSuccess {
            var query: JSONObject = ["UserPoolId": .string(pool), "Limit": 60]
            if let after = scene.visit.query.value("after") { query["PaginationToken"] = .string(after) }
            let people = try await client.call("ListUsers", of: .userPools, query)
            let groups = try await client.call("ListGroups", of: .userPools, ["UserPoolId": .string(pool)])
            let clients = try await client.call("ListUserPoolClients", of: .userPools, ["UserPoolId": .string(pool), "MaxResults": 60])
            exchanges += [people, groups, clients]
            let codes = await SentCodes(scene.visit.client, pool: pool).html
            content = """
                \(facts(found.json["UserPool"] ?? .null))
                \(self.people(people))
                \(Self.groups(groups))
                \(Self.clients(clients))
                \(codes)
                """
        }
        let title = found.json["UserPool"]?["Name"]?.stringValue ?? pool
        return scene.page(
            "User pool \(title)",
            """
            \(IdentityScene.trail([("Amazon Cognito", CognitoPage.path), (title, Self.path(account, pool))]))
            <h1>User pool \(Parts.value(title, limit: 128))</h1>
            \(content)
            \(scene.calls(exchanges))
            """)
    }

    private func facts(_ document: JSONValue) -> HTML {
        let names = CognitoClient.texts(document["UsernameAttributes"]) + CognitoClient.texts(document["AliasAttributes"])
        let isClosed = document["AdminCreateUserConfig"]?["AllowAdminCreateUserOnly"]?.boolValue == true
        let keys = "/\(percentEncoded(pool))/.well-known/jwks.json"
        return Parts.facts([
            ("Pool ID", "<code>\(Parts.value(pool))</code>"),
            ("ARN", "<code>\(Parts.name(document["Arn"]?.stringValue ?? ""))</code>"),
            ("Keys of tokens", "<a href=\"\(scene.visit.place.services)\(keys)\">\(Parts.name(keys))</a>"),
            ("Other names at sign-in", "\(Parts.value(names.isEmpty ? "none" : names.joined(separator: ", ")))"),
            ("Second factor", "\(Parts.value(document["MfaConfiguration"]?.stringValue ?? "OFF"))"),
            ("Sign-up", isClosed ? "by administrators only" : "open"),
        ])
    }

    private func people(_ answer: Exchange) -> HTML {
        let rows = (answer.json["Users"]?.arrayValue ?? []).map { person -> [HTML] in
            let name = person["Username"]?.stringValue ?? ""
            let attributes = person["Attributes"]
            let isEnabled = person["Enabled"]?.boolValue ?? true
            return [
                "<a href=\"\(Self.path(account, pool, person: name))\">\(StoreScene.name(name))</a>",
                "\(Parts.value(person["UserStatus"]?.stringValue ?? ""))\(isEnabled ? "" : ", disabled")",
                "\(Parts.value(Self.attribute("email", attributes), limit: 200))",
                "<code>\(Parts.value(Self.attribute("sub", attributes)))</code>", "\(CognitoClient.time(person["UserCreateDate"]))",
            ]
        }
        let next: HTML =
            answer.json["PaginationToken"]?.stringValue.map { token -> HTML in
                "<p><a href=\"\(Self.path(account, pool))?after=\(percentEncoded(token))\">Next people</a></p>\n"
            } ?? ""
        return """
            <section aria-labelledby="people"><h2 id="people">People</h2>
            \(ExchangeView(exchange: answer).refusal)\
            \(Parts.table("People", ["Username", "Status", "E-mail", "Subject", "Created"], rows, empty: "No person is in this pool yet."))\(next)</section>

            """
    }

    /// Returns the value of an attribute, or an empty text.
    static func attribute(_ name: String, _ attributes: JSONValue?) -> String {
        let found = attributes?.arrayValue?.first { $0["Name"]?.stringValue.map { $0 == name } ?? false }
        return found?["Value"]?.stringValue ?? ""
    }

    /// The groups in a response.
    static func groups(_ answer: Exchange) -> HTML {
        let rows = (answer.json["Groups"]?.arrayValue ?? []).map { group -> [HTML] in
            [
                "\(Parts.value(group["GroupName"]?.stringValue ?? "", limit: 128))",
                "\(Parts.value(group["Description"]?.stringValue ?? "", limit: 300))",
                "<code>\(Parts.name(group["RoleArn"]?.stringValue ?? ""))</code>",
                "\(group["Precedence"]?.integerValue.map { String($0) } ?? "")",
            ]
        }
        return """
            <section aria-labelledby="groups"><h2 id="groups">Groups</h2>
            \(ExchangeView(exchange: answer).refusal)\(Parts.table("Groups", ["Group", "Description", "Role", "Precedence"], rows, empty: "There is no group."))
            </section>

            """
    }

    private static func clients(_ answer: Exchange) -> HTML {
        let rows = (answer.json["UserPoolClients"]?.arrayValue ?? []).map { client -> [HTML] in
            [
                "<code>\(Parts.value(client["ClientId"]?.stringValue ?? "", limit: 128))</code>",
                "\(Parts.value(client["ClientName"]?.stringValue ?? "", limit: 128))",
            ]
        }
        return """
            <section aria-labelledby="clients"><h2 id="clients">App clients</h2>
            \(ExchangeView(exchange: answer).refusal)\(Parts.table("App clients", ["Client ID", "Name"], rows, empty: "No app is registered here yet."))
            </section>

            """
    }
}
