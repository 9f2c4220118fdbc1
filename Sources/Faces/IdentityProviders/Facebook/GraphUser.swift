import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// `/me` and `/<user id>` of the same user: the fields that the token's scopes allow. (Graph API Reference, "User"; Graph API Changelog.)
struct GraphUser {
    let request: GraphRequest
    /// `me`, or the user's identifier as the app knows it.
    var node = "me"

    /// A field of the Graph API.
    private struct Field {
        var name: String
        /// The claim with the field's value.
        var claim: String
        /// The permission that the field requires; `nil` if it requires none.
        var permission: String?
        /// The first version that requires the permission.
        var permissionSince = GraphVersion(major: 1, minor: 0)
        /// Whether old versions return the field by default.
        var isInOldProfile = true
        /// The first version without the field.
        var removedIn: GraphVersion?
    }

    /// The fields in the order of the response.
    private static let fields = [
        Field(name: "name", claim: "name"),
        Field(name: "email", claim: "email", permission: "email"),
        Field(name: "first_name", claim: "given_name"),
        Field(name: "middle_name", claim: "middle_name"),
        Field(name: "last_name", claim: "family_name"),
        Field(name: "short_name", claim: "given_name", isInOldProfile: false),
        Field(name: "gender", claim: "gender", permission: "user_gender", permissionSince: .init(major: 3, minor: 0)),
        Field(name: "link", claim: "profile", permission: "user_link", permissionSince: .init(major: 3, minor: 0)),
        Field(name: "locale", claim: "locale", removedIn: .init(major: 8, minor: 0)),
        Field(name: "timezone", claim: "timezone", removedIn: .init(major: 8, minor: 0)),
        Field(name: "updated_time", claim: "updated_time", removedIn: .init(major: 8, minor: 0)),
        Field(name: "verified", claim: "verified", removedIn: .init(major: 8, minor: 0)),
        Field(name: "username", claim: "preferred_username", removedIn: .init(major: 2, minor: 0)),
        Field(name: "birthday", claim: "birthdate", permission: "user_birthday", isInOldProfile: false),
        Field(name: "picture", claim: "picture", isInOldProfile: false),
    ]

    func respond() async throws -> Response {
        try await request.visit.enter("Me")
        let holder = try request.holder()
        let (person, version) = (try person(of: holder), request.version(for: holder.client))
        let permissions: [String]
        if case .person(_, let approval) = holder { permissions = try request.permissions(approval).granted } else { permissions = [] }
        var user: JSONObject = ["id": .string(holder.client.facebookID(of: person, version: version))]
        for (field, asked) in try selection(version) {
            if let permission = field.permission, version >= field.permissionSince, !permissions.contains(permission) { continue }
            user[field.name] = try field.name == "picture" ? picture(of: person, holder, asked) : person.claims[field.claim]
        }
        return .json(.object(user), headers: .unstored)
    }

    private func picture(of person: Person, _ holder: GraphRequest.Holder, _ asked: GraphField) throws -> JSONValue {
        let id = holder.client.facebookID(of: person, version: request.version(for: holder.client))
        return try GraphPicture(visit: request.visit, person: person, id: id, size: .init(asked.arguments)).value(of: asked.subfields)
    }

    /// Responds with the picture. A user's identifier at an app needs no token. (Graph API Reference, "User Picture".)
    func respondWithPicture() async throws -> Response {
        try await request.visit.enter("Picture")
        let (person, id) = try pictured()
        let size = try GraphPicture.Size(request.parameters)
        return GraphPicture(visit: request.visit, person: person, id: id, size: size).response(request.parameters)
    }

    private func pictured() throws -> (Person, id: String) {
        guard request.accessToken == nil else {
            let holder = try request.holder()
            let person = try person(of: holder)
            return (person, holder.client.facebookID(of: person, version: request.version(for: holder.client)))
        }
        if node == "me" { throw GraphError.noToken }
        for client in request.visit.provider.clients where client.facebook?.hasScopedIDs == true {
            if let person = request.person(node, of: client) { return (person, node) }
        }
        throw GraphError.tokenRequired
    }

    /// Returns the user of the path. A user token can only read its own user, an app token all users of the app.
    private func person(of holder: GraphRequest.Holder) throws -> Person {
        switch holder {
        case .person(_, let approval):
            if node == "me" || request.person(node, of: approval.client)?.name == approval.person.name { return approval.person }
        case .app(let client):
            if node == "me" { throw GraphError.noToken }
            if let person = request.person(node, of: client),
                try Consent(client: client, person: person).scopes(in: request.visit) != nil || person.facebook?.testUserOf == client.id
            {
                return person
            }
        }
        throw GraphError.unknownAlias(node)
    }

    /// Returns the requested fields; by default the name, and before version 2.4 the whole profile.
    private func selection(_ version: GraphVersion) throws -> [(Field, GraphField)] {
        let known = Self.fields.filter { field in field.removedIn.map { version < $0 } ?? true }
        guard let list = request.parameters.value("fields") else {
            let usual = version < GraphVersion(major: 2, minor: 4) ? known.filter(\.isInOldProfile) : known.filter { $0.name == "name" }
            return usual.map { ($0, GraphField(name: $0.name)) }
        }
        return try GraphField.list(list).compactMap { asked -> (Field, GraphField)? in
            if asked.name == "id" { return nil }
            guard let field = known.first(where: { $0.name == asked.name }) else {
                throw GraphError(message: "(#100) Tried accessing nonexisting field (\(asked.name)) on node type (User)", code: 100)
            }
            return (field, asked)
        }
    }
}
