import Cloud
import Directory
import Fixtures
import Testing
import WireFormats

/// The realm `demorealm` of the seed for Keycloak, with a browser.
struct Realm {
    static let connect = "demorealm/protocol/openid-connect"
    static let client: FormFields = ["client_id": "my_client", "client_secret": "my_client_secret"]
    static let other: FormFields = ["client_id": "web", "client_secret": "web_secret"]
    static let person: FormFields = ["grant_type": "password", "username": "testuser", "password": "password", "scope": "openid"]

    let visitor: Visitor

    /// - Parameter change: Changes the realm.
    init(_ change: (inout IdentityProvider) -> Void = { _ in }) async throws {
        visitor = Visitor(try await Visitor.sandbox("keycloak"), base: "/realms/")
        try await visitor.change("demorealm", change)
    }

    func token(_ form: FormFields, as client: FormFields = client) async throws -> Answer {
        try await visitor.post("\(Self.connect)/token", client.with(form))
    }

    func refresh(_ token: String, as client: FormFields = client) async throws -> Answer {
        try await self.token(["grant_type": "refresh_token", "refresh_token": token], as: client)
    }

    /// Opens the authorization endpoint for a client.
    func open(_ further: FormFields = [:], client: String = "my_client") async throws -> Answer {
        var query: FormFields = ["client_id": client, "redirect_uri": Visitor.redirectURI, "response_type": "code"]
        query.set("scope", "openid")
        query.set("state", "s")
        return try await visitor.get("\(Self.connect)/auth", query.with(further))
    }

    /// Posts only user name and password to the action of a login page, as scripts do.
    func logIn(on page: Answer, _ name: String = "testuser", _ password: String = "password") async throws -> Answer {
        try await visitor.post(page.realmAction, ["username": name, "password": password])
    }
}

extension Answer {
    /// The path of the form's action below `/realms/`, with its query.
    var realmAction: String {
        String(body.components(after: "action=\"", upTo: "\"")).replacing("&amp;", with: "&").replacing("/realms/", with: "")
    }

    /// The description of an OAuth error.
    var errorDescription: String? { json["error_description"]?.stringValue }
}
