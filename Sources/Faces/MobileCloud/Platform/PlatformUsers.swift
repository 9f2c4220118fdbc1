import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/platform/users/…`: returns the caller's profile and changes its properties.
/// (REST API for Oracle Mobile Cloud Service, "Mobile Users".)
struct PlatformUsers {
    let call: MobileCall

    private static let longestBody = 1 << 16

    func respond() async throws -> Response {
        guard call.path.count == 4, let name = call.path.last else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        switch (name, call.method) {
        case ("login", .get): return try await logIn()
        case ("me", .get): return try await showProfile()
        case ("login", _), ("me", _): throw MobileError.methodNotAllowed(.get)
        case (_, .get): return try await show(name)
        case (_, .put), (_, .patch): return try await update(name)
        default: throw MobileError.methodNotAllowed(.get, .put, .patch)
        }
    }

    /// Handles the call with which apps check credentials, including anonymous ones.
    private func logIn() async throws -> Response {
        let caller = try await call.enter(authenticating: "Login")
        return .json(.object(caller.profile ?? [:]), headers: .unstored)
    }

    private func show(_ name: String) async throws -> Response {
        let caller = try await call.enter(authenticating: "GetUser")
        let profile = try profile(of: caller)
        try check(name, means: caller)
        return .json(.object(chosen(of: profile, by: caller)), headers: .unstored)
    }

    /// Returns the members that the request selects. The profiles of virtual and social users are returned whole.
    func chosen(of profile: JSONObject, by caller: MobileCaller) -> JSONObject {
        guard case .user = caller.identity, let fields = call.query.value("fields") else { return profile }
        let names = Set(fields.split(separator: ",").map { $0.filter { $0 != " " } })
        return JSONObject(profile.members.filter { names.contains($0.name) }.map { ($0.name, $0.value) })
    }

    /// Returns the profile with the roles and without the access token, as the service's successors do.
    private func showProfile() async throws -> Response {
        let caller = try await call.enter(authenticating: "GetProfile")
        var profile = try profile(of: caller)
        if case .social = caller.identity {
            profile["accessToken"] = nil
        } else {
            profile["roles"] = .array(caller.roles.sorted().map { .string($0) })
        }
        return .json(.object(profile), headers: .unstored)
    }

    /// - Throws: ``MobileError`` for the anonymous caller.
    func profile(of caller: MobileCaller) throws(MobileError) -> JSONObject {
        guard let profile = caller.profile else {
            throw MobileError(
                .notAuthenticated, "The call requires a user: it has the anonymous key, or a token of client credentials.")
        }
        return profile
    }

    /// Checks that the path names the caller.
    func check(_ name: String, means caller: MobileCaller) throws(MobileError) {
        let isOwn =
            switch caller.identity {
            case .anonymous: false
            case .user(let user): name == user.username
            case .virtual(let own, _): name == own
            case .social(let user): name == user.id
            }
        guard name != "~", !isOwn else { return }
        if case .user = caller.identity, call.mobile.realms[caller.backend.realm]?.user(named: name) == nil {
            throw MobileError(.unknownResource, "The user \(name) does not exist.")
        }
        throw MobileError(.anotherUser, "The user is not authorized for the information of another user.")
    }

    /// Changes the properties that the realm defines in addition to the fixed ones; null removes one. PUT and PATCH are equivalent.
    private func update(_ name: String) async throws -> Response {
        let caller = try await call.enter(authenticating: "UpdateUser")
        _ = try profile(of: caller)
        guard case .user(let user) = caller.identity else {
            throw MobileError(.forbidden, "Only users of the realm \(caller.backend.realm) have properties that can be changed.")
        }
        try check(name, means: caller)
        let changes = try await changes(of: user, in: caller.backend)
        let updated = try await call.cloud.edit { directory throws(MobileError) -> MobileUser? in
            guard var realm = directory.mobile.realms[caller.backend.realm],
                let index = realm.users.firstIndex(where: { $0.id == user.id })
            else { return nil }
            for (name, value) in changes.members { realm.users[index].properties[name] = value == .null ? Optional.none : value }
            directory.put(.mobile(.realm(realm)))
            return realm.users[index]
        }
        guard let updated else { throw MobileError(.unknownResource, "The user \(user.username) does not exist any more.") }
        return .json(.object(updated.profile), headers: .unstored)
    }

    /// Returns the property changes in the body.
    private func changes(of user: MobileUser, in backend: MobileBackend) async throws -> JSONObject {
        let type = call.http.headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard type == "application/json" else { throw MobileError(.unsupportedMediaType, "The body must be application/json.") }
        let body = try await call.http.collectBody(upTo: Self.longestBody)
        guard let object = (try? JSONValue(parsing: body))?.objectValue else {
            throw MobileError(.malformedRequest, "The body must be a JSON object.")
        }
        let known = Set(call.mobile.realms[backend.realm]?.properties ?? [])
        let fixed = user.profile
        var changes: JSONObject = [:]
        var causes: [String] = []
        for (name, value) in object.members {
            if known.contains(name) {
                if value.arrayValue != nil || value.objectValue != nil {
                    causes.append("The property \(name) must be a string, a number, a Boolean or null.")
                }
                changes[name] = value
            } else if let own = fixed[name] {
                // Clients send unchanged members back.
                if own != value { causes.append("The property \(name) cannot be changed.") }
            } else {
                causes.append("The realm \(backend.realm) has no property \(name).")
            }
        }
        guard causes.isEmpty else {
            var error = MobileError(.malformedRequest, causes[0])
            if causes.count > 1 { error.causes = causes }
            throw error
        }
        return changes
    }
}
