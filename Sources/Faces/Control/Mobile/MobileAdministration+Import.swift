import Calls
import Cloud
import Directory
import HTTPTypes
import Seeds
import WireFormats

extension MobileAdministration {
    /// POST `realms/<key>/users`: imports the users of a CSV file.
    /// It adds either all of them, or none and returns a message for each faulty line.
    func importUsers(into realmKey: String) async throws -> Response {
        let file = MobileUserFile(parsing: try await body())
        let users = try await edit { directory -> [MobileUser] in
            var realm = try self.part(.realms, realmKey, in: directory.mobile)
            var faults = file.faults
            var names = Set(realm.users.map(\.username))
            var addresses = Set(realm.users.compactMap { $0.email?.lowercased() })
            let roles = Set(directory.mobile.environment.roles)
            var added: [MobileUser] = []
            for (line, user) in file.users {
                var user = user
                func fault(_ message: String) { faults.append(.init(line: line, message: message)) }
                if !names.insert(user.username).inserted { fault("The user name '\(user.username)' already exists.") }
                if let address = user.email?.lowercased(), !addresses.insert(address).inserted {
                    fault("The email address '\(address)' already exists.")
                }
                if let unknown = user.roles.first(where: { !roles.contains($0) }) { fault("There is no mobile user role '\(unknown)'.") }
                user.id = try MobileIdentifier.random()
                added.append(user)
            }
            guard faults.isEmpty else {
                var error = ControlError(
                    .badRequest, "malformed_users", "No user was added: \(faults.count) lines of the file are invalid.")
                error.details["lines"] = .array(
                    faults.sorted { $0.line < $1.line }.map { ["line": .integer(Int64($0.line)), "message": .string($0.message)] })
                throw error
            }
            realm.users += added
            directory.put(.mobile(.realm(realm)))
            return added
        }
        return .json(["users": .array(try users.map { .object(try MobileUser.record.json(of: $0)) })], status: .created)
    }
}
