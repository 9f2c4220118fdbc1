import Calls
import Cloud
import Directory
import HTTPTypes
import Seeds
import WireFormats

extension MobileAdministration {
    /// POST `backends/<key>/regenerate`: replaces secrets; the old ones become invalid.
    /// `{"keys": ["clientSecret"]}` selects some, the default is all.
    func regenerate(_ name: String) async throws -> Response {
        let known = ["clientSecret", "anonymousKey"]
        var keys = known
        let text = try await body()
        if !text.isEmpty {
            guard let members = (try? JSONValue(parsing: text))?.objectValue else {
                throw ControlError(.badRequest, "malformed_body", "The body must be a JSON object.")
            }
            try members.expect(only: ["keys"])
            if let list = members["keys"] {
                guard let names = list.arrayValue?.map(\.stringValue), names.allSatisfy({ $0.map(known.contains) == true }) else {
                    throw ControlError(.badRequest, "malformed_member", "'keys' must be a list of \(known.joined(separator: ", ")).")
                }
                keys = names.compactMap(\.self)
            }
        }
        let chosen = keys
        let changed = try await edit { directory -> MobileBackend in
            var backend = try self.part(.backends, name, in: directory.mobile)
            try backend.regenerate(clientSecret: chosen.contains("clientSecret"), anonymousKey: chosen.contains("anonymousKey"))
            directory.put(.mobile(.backend(backend)))
            return backend
        }
        return .json(.object(try changed.json(at: call.origin)))
    }

    /// `realms/<key>/users[/<name>]`.
    func answerUsers(of realmKey: String) async throws -> Response {
        let realm = try part(.realms, realmKey, in: mobile)
        switch (path.count, method) {
        case (3, .get): return .json(["users": .array(try realm.users.map { .object(try MobileUser.record.json(of: $0)) })])
        case (3, .post): return try await importUsers(into: realmKey)
        case (4, .get):
            guard let user = realm.user(named: path[3]) else { throw unknownUser(of: realm) }
            return .json(.object(try MobileUser.record.json(of: user)))
        case (4, .put): return try await putUser(path[3], in: realmKey, try await body())
        case (4, .delete):
            let name = path[3]
            try await edit { directory in
                var realm = try self.part(.realms, realmKey, in: directory.mobile)
                guard let place = realm.users.firstIndex(where: { $0.username == name }) else { throw self.unknownUser(of: realm) }
                realm.users.remove(at: place)
                directory.put(.mobile(.realm(realm)))
            }
            return .json(["status": "ok"])
        default: throw unknownPath
        }
    }

    private func unknownUser(of realm: Realm) -> ControlError {
        let names = realm.users.map(\.username)
        let advice = names.isEmpty ? "it has none" : "expected one of \(names.prefix(20).joined(separator: ", "))"
        return ControlError(.notFound, "unknown_user", "The realm '\(path[1])' has no user '\(path[3])'; \(advice).")
    }

    private func putUser(_ name: String, in realmKey: String, _ text: [UInt8]) async throws -> Response {
        let (user, isNew) = try await edit { directory -> (MobileUser, Bool) in
            var realm = try self.part(.realms, realmKey, in: directory.mobile)
            let user: MobileUser
            do { user = try MobileUser(reading: text, in: realm) } catch { throw Self.malformed(error, "user") }
            guard user.username == name else {
                throw ControlError(
                    .badRequest, "malformed_user", "The document names '\(user.username)', and the path names '\(name)'.")
            }
            let place = realm.users.firstIndex { $0.username == name }
            if let place { realm.users[place] = user } else { realm.users.append(user) }
            directory.put(.mobile(.realm(realm)))
            return (user, place == nil)
        }
        return .json(.object(try MobileUser.record.json(of: user)), status: isNew ? .created : .ok)
    }

    /// `roles`: GET returns the names of all mobile user roles, PUT replaces them.
    func answerRoles() async throws -> Response {
        guard path.count == 1 else { throw unknownPath }
        switch method {
        case .get: break
        case .put:
            let body = try await object()
            try body.expect(only: ["roles"])
            let names = body["roles"]?.arrayValue?.compactMap(\.stringValue) ?? []
            guard names.count == body["roles"]?.arrayValue?.count, Set(names).count == names.count, !names.contains("") else {
                throw ControlError(.badRequest, "malformed_member", "'roles' must be a list of names without duplicates.")
            }
            try await editEnvironment { $0.roles = names }
        default: throw unknownPath
        }
        return .json(["roles": .array(mobile.environment.roles.map { .string($0) })])
    }
}
