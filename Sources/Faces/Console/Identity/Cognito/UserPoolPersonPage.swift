import Calls
import ControlDocuments
import WireFormats

/// One person of a user pool: attributes, groups, and the codes that were sent to the person.
struct UserPoolPersonPage {
    let scene: IdentityScene
    let account: String
    let pool: String
    let name: String

    func response() async throws -> Response {
        let client = try CognitoClient(scene, account, pool: pool)
        let query: JSONObject = ["UserPoolId": .string(pool), "Username": .string(name)]
        let found = try await client.call("AdminGetUser", of: .userPools, query)
        var exchanges = [found]
        var content: HTML = ExchangeView(exchange: found).refusal
        if found.isSuccess {
            let groups = try await client.call("AdminListGroupsForUser", of: .userPools, query)
            exchanges.append(groups)
            let codes = await SentCodes(scene.visit.client, pool: pool, user: name).html
            content = """
                \(facts(found.json))
                \(attributes(found.json))
                \(UserPoolPage.groups(groups))
                \(codes)
                """
        }
        let path = UserPoolPage.path(account, pool, person: name)
        return scene.page(
            "\(name) in \(pool)",
            """
            \(IdentityScene.trail([("Amazon Cognito", CognitoPage.path), (pool, UserPoolPage.path(account, pool)), (name, path)]))
            <h1>\(Parts.value(name, limit: 200))</h1>
            \(content)
            \(scene.calls(exchanges))
            """)
    }

    private func facts(_ person: JSONValue) -> HTML {
        let factors = CognitoClient.texts(person["UserMFASettingList"])
        return Parts.facts([
            ("Status", "\(Parts.value(person["UserStatus"]?.stringValue ?? ""))"),
            ("Sign-in", person["Enabled"]?.boolValue == false ? "disabled" : "enabled"),
            ("Second factor", "\(Parts.value(factors.isEmpty ? "none" : factors.joined(separator: ", ")))"),
            ("Created", "\(CognitoClient.time(person["UserCreateDate"]))"),
            ("Last changed", "\(CognitoClient.time(person["UserLastModifiedDate"]))"),
        ])
    }

    private func attributes(_ person: JSONValue) -> HTML {
        let rows = (person["UserAttributes"]?.arrayValue ?? []).map { attribute -> [HTML] in
            [
                "<code>\(Parts.value(attribute["Name"]?.stringValue ?? "", limit: 100))</code>",
                "\(Parts.value(attribute["Value"]?.stringValue ?? "", limit: 2_000))",
            ]
        }
        return """
            <section aria-labelledby="attributes"><h2 id="attributes">Attributes</h2>
            \(Parts.table("Attributes", ["Attribute", "Value"], rows, empty: "The person has no attribute."))
            </section>

            """
    }
}
