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
        for field in try selection(version) {
            if let permission = field.permission, version >= field.permissionSince, !permissions.contains(permission) { continue }
            user[field.name] = Self.value(of: field, person)
        }
        return .json(.object(user), headers: .unstored)
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

    private static func value(of field: Field, _ person: Person) -> JSONValue? {
        guard let value = person.claims[field.claim] else { return nil }
        guard field.name == "picture" else { return value }
        return ["data": ["height": 50, "is_silhouette": false, "url": value, "width": 50]]
    }

    /// Returns the requested fields; by default the name, and before version 2.4 the whole profile.
    private func selection(_ version: GraphVersion) throws -> [Field] {
        let known = Self.fields.filter { field in field.removedIn.map { version < $0 } ?? true }
        guard let list = request.parameters.value("fields") else {
            return version < GraphVersion(major: 2, minor: 4) ? known.filter(\.isInOldProfile) : known.filter { $0.name == "name" }
        }
        return try Self.names(in: list).compactMap { name -> Field? in
            if name == "id" { return nil }
            guard let field = known.first(where: { $0.name == name }) else {
                throw GraphError(message: "(#100) Tried accessing nonexisting field (\(name)) on node type (User)", code: 100)
            }
            return field
        }
    }

    /// Returns the field names of a list such as `id,picture.type(large){url}`, without the modifiers of fields.
    private static func names(in list: String) -> [String] {
        var names = [""]
        var depth = 0
        for character in list.unicodeScalars.lazy.map(Character.init) {
            switch character {
            case "{", "(": depth += 1
            case "}", ")": depth -= 1
            case "," where depth == 0: names.append("")
            default: if depth == 0, character != " " { names[names.count - 1].append(character) }
            }
        }
        return names.map { String($0.prefix { $0 != "." }) }.filter { !$0.isEmpty }
    }
}
