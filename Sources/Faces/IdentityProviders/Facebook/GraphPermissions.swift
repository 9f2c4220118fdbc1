import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// `/me/permissions` and `/<user id>/permissions`: lists the permissions that a user has granted an app, and revokes all or one of them.
/// (Graph API Reference, "User Permissions".)
struct GraphPermissions {
    let request: GraphRequest
    /// `me`, or the identifier of the user.
    let node: String

    private var visit: Visit { request.visit }

    /// Returns the user of the path and the calling app. An app may read any of its users by identifier; a user only themselves.
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
        var (granted, declined) = try request.permissions(subject)
        if let name = request.parameters.value("permission") {
            granted = granted.filter { $0 == name }
            declined = declined.filter { $0 == name }
        }
        switch request.parameters.value("status") {
        case nil: break
        case "granted": declined = []
        case "declined": granted = []
        case "expired": (granted, declined) = ([], [])
        default: throw GraphError(message: "(#100) status must be one of the following values: granted, declined, expired", code: 100)
        }
        // Version 1.0 returned one object whose members are 1.
        if request.version(for: subject.client) < GraphVersion(major: 2, minor: 0) {
            let flags = JSONObject((["installed"] + granted).map { ($0, 1) })
            return .json(["data": [.object(flags)]], headers: .unstored)
        }
        let data =
            granted.map { scope -> JSONValue in ["permission": .string(scope), "status": "granted"] }
            + declined.map { scope -> JSONValue in ["permission": .string(scope), "status": "declined"] }
        return .json(["data": .array(data)], headers: .unstored)
    }

    /// Revokes one permission, or everything that the user granted the app, including its tokens.
    /// - Parameter permission: the permission in the path; a parameter may name it too.
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
