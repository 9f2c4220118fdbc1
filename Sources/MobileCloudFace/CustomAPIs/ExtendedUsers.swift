import Cloud
import Exchange
import HTTPTypes
import WireFormats

/// `/mobile/platform/extended/users/{username}`, for custom code only: what is known of its caller, roles among it.
/// (REST API for Oracle Mobile Cloud Service, "Retrieve Extended User Information".)
struct ExtendedUsers {
    let call: MobileCall

    func respond() async throws -> Response {
        guard call.path.count == 5, call.path[3] == "users" else {
            throw MobileError(.unknownPath, "There is no API at \(call.exchange.path).")
        }
        guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
        let caller = try await call.authenticateCustomCode()
        try await call.enter("getExtendedUser", caller: caller.name)
        return .json(.object(try profile(of: caller)))
    }

    /// - Throws: ``MobileError`` where the path names somebody else, or nobody has logged in.
    private func profile(of caller: MobileCaller) throws(MobileError) -> JSONObject {
        let named = call.path[4]
        guard named == "~" || named == caller.name else {
            throw MobileError(.forbidden, "The custom code's caller is not \(named).")
        }
        let roles = JSONValue.array(caller.roles.sorted().map(JSONValue.string))
        switch caller.identity {
        case .anonymous: throw MobileError(.notAuthenticated, "Nobody has logged in.")
        case .virtual(let name, _): return ["username": .string(name), "roles": roles]
        case .social(let user):
            return ["id": .string(user.id), "identityProvider": .string(user.provider), "accessToken": .string(user.accessToken)]
        case .user(let user):
            var profile: JSONObject = ["id": .string(user.id), "username": .string(user.username)]
            for (name, value) in [("firstName", user.firstName), ("lastName", user.lastName), ("email", user.email)] {
                if let value { profile[name] = .string(value) }
            }
            for (name, value) in user.properties.members { profile[name] = value }
            profile["roles"] = roles
            let path = JSONValue.string("/mobile/platform/extended/users/\(percentEncoded(user.username))")
            profile["links"] = [["rel": "canonical", "href": path], ["rel": "self", "href": path]]
            guard let fields = call.query["fields"]?.split(separator: ",").map(String.init) else { return profile }
            return JSONObject(profile.members.filter { fields.contains($0.name) })
        }
    }
}
