import Cloud
import Exchange
import Federation
import HTTPTypes
import WireFormats

/// `/me/permissions` and `/<user id>/permissions`: what a person has granted an app, and taking it back.
/// (Graph API Reference, "User Permissions".)
struct GraphPermissions {
    let request: GraphRequest
    /// `me`, or the identifier of the person.
    let node: String

    private var visit: Visit { request.visit }

    /// The person meant, and the app that asks. An app may ask about everybody by identifier, a person about themselves.
    private func subject() throws -> (person: Person, client: Client) {
        switch try request.holder() {
        case .person(_, let approval):
            if node == "me" || node == approval.person.subject { return (approval.person, approval.client) }
        case .app(let client):
            if node == "me" { throw GraphError.noToken }
            if let person = visit.provider.person(subject: node) { return (person, client) }
        }
        throw GraphError(message: "(#803) Some of the aliases you requested do not exist: \(node)", code: 803, status: .notFound)
    }

    func list() async throws -> Response {
        try await visit.enter("Permissions")
        let (person, client) = try subject()
        let scopes = try Consent(client: client, person: person).scopes(in: visit) ?? []
        let data = scopes.map { scope -> JSONValue in ["permission": .string(scope), "status": "granted"] }
        return .json(["data": .array(data)], headers: .unstored)
    }

    /// Ends everything that the person gave the app, its tokens included.
    func revoke() async throws -> Response {
        try await visit.enter("RevokePermissions")
        let (person, client) = try subject()
        try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
        return .json(["success": true], headers: .unstored)
    }
}
