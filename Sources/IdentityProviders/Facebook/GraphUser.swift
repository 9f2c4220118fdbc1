import Cloud
import Exchange
import Federation
import WireFormats

/// `/me`: the person of the token (Graph API Reference, "User").
struct GraphUser {
    let request: GraphRequest

    /// Field of the Graph API and the claim that it shows, in the order of answers.
    private static let fields: KeyValuePairs = [
        "name": "name", "email": "email", "first_name": "given_name", "middle_name": "middle_name", "last_name": "family_name",
        "gender": "gender", "link": "profile", "locale": "locale", "timezone": "timezone", "updated_time": "updated_time",
        "verified": "verified", "birthday": "birthdate", "picture": "picture",
    ]

    func respond() async throws -> Response {
        try await request.visit.enter("Me")
        guard case .person(_, let approval) = try request.holder() else { throw GraphError.noToken }
        var user: JSONObject = ["id": .string(approval.person.subject)]
        for field in try selection() {
            guard let claim = Self.fields.first(where: { $0.key == field })?.value else { continue }
            if field == "email", !approval.scopes.contains("email") { continue }
            user[field] = approval.person.claims[claim]
        }
        return .json(.object(user), headers: .unstored)
    }

    /// What was asked for; else the name, and before version 2.4 the whole profile.
    private func selection() throws -> [String] {
        guard let list = request.parameters.value("fields") else {
            return request.version < GraphVersion(major: 2, minor: 4)
                ? Self.fields.map(\.key).filter { $0 != "picture" && $0 != "birthday" } : ["name"]
        }
        return try list.split(separator: ",").map { name in
            let name = name.drop { $0 == " " }
            guard name == "id" || Self.fields.contains(where: { $0.key == name }) else {
                throw GraphError(message: "(#100) Tried accessing nonexisting field (\(name)) on node type (User)", code: 100)
            }
            return String(name)
        }
    }
}
