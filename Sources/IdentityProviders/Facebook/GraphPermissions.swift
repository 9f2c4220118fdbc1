import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// `/me/permissions` and `/<user id>/permissions`: what a person has granted an app, and taking it back, all or by name.
/// (Graph API Reference, "User Permissions".)
struct GraphPermissions {
    let request: GraphRequest
    /// `me`, or the identifier of the person.
    let node: String

    private var visit: Visit { request.visit }

    /// The person meant, and the app that asks. An app may ask about everybody by identifier, a person about themselves.
    private func subject() throws -> Approval {
        switch try request.holder() {
        case .person(_, let approval):
            if node == "me" || request.person(node, of: approval.client)?.name == approval.person.name { return approval }
        case .app(let client):
            if node == "me" { throw GraphError.noToken }
            if let person = request.person(node, of: client) {
                return Approval(provider: visit.provider, client: client, person: person, scopes: [], authenticated: visit.cloud.clock.now)
            }
        }
        throw GraphError.unknownAlias(node)
    }

    func list() async throws -> Response {
        try await visit.enter("Permissions")
        let subject = try subject()
        let (granted, declined) = try request.permissions(subject)
        // Version 1.0 had one object whose members are 1.
        if request.version(for: subject.client) < GraphVersion(major: 2, minor: 0) {
            let flags = JSONObject((["installed"] + granted).map { ($0, 1) })
            return .json(["data": [.object(flags)]], headers: .unstored)
        }
        let data =
            granted.map { scope -> JSONValue in ["permission": .string(scope), "status": "granted"] }
            + declined.map { scope -> JSONValue in ["permission": .string(scope), "status": "declined"] }
        return .json(["data": .array(data)], headers: .unstored)
    }

    /// Ends one permission, or everything that the person gave the app, its tokens included.
    /// - Parameter permission: as the path names it; a parameter may, too.
    func revoke(_ permission: String?) async throws -> Response {
        try await visit.enter("RevokePermissions")
        let subject = try subject()
        if let permission = permission ?? request.parameters.value("permission") {
            guard permission != "public_profile", try request.permissions(subject).granted.contains(permission) else {
                throw GraphError(message: "(#100) Invalid parameter", code: 100)
            }
            try await Consent(client: subject.client, person: subject.person).add([], declined: [permission], in: visit)
        } else {
            try await FacebookInstallation(visit: visit, client: subject.client).remove(subject.person)
        }
        if request.version(for: subject.client) < GraphVersion(major: 2, minor: 0) { return .json(true, headers: .unstored) }
        return .json(["success": true], headers: .unstored)
    }
}
