import HTTPTypes
import Testing
import WireFormats

/// An OAuth app of GitHub, with the browser of its user.
struct GitHubApp {
    static let id = "Ov23liPersonalFiles1"
    static let client: FormFields = ["client_id": id, "client_secret": "github-client-secret"]
    static let json: HTTPFields = [.accept: "application/json"]
    static let tokenPath = "github/login/oauth/access_token"

    let visitor: Visitor

    init() async throws { visitor = Visitor(try await Visitor.sandbox()) }

    func authorize(_ further: FormFields = [:], as person: String = "alice") async throws -> Answer {
        try await visitor.authorize("github/login/oauth/authorize", Requests.github.with(further), as: person)
    }

    /// Redeems a code for JSON.
    func redeem(_ code: String, _ further: FormFields = [:]) async throws -> Answer {
        try await visitor.post(Self.tokenPath, Self.client.with(["code": code]).with(further), headers: Self.json)
    }

    /// Returns the access token of a login.
    func token(scope: String = "read:user user:email", as person: String = "alice") async throws -> String {
        let code = try #require(try await authorize(["scope": scope], as: person).redirected["code"])
        return try #require(try await redeem(code).json["access_token"]?.stringValue)
    }

    func get(_ target: String, _ token: String) async throws -> Answer {
        try await visitor.get("github/\(target)", headers: [.authorization: "Bearer \(token)"])
    }
}
