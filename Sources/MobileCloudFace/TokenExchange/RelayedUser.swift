import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// Somebody for whom an issuer elsewhere has vouched, as our token is going to name them.
struct RelayedUser: Sendable {
    var name: String
    /// Absent for a user of the realm.
    var virtual: MobileTokens.Virtual?
    /// Roles of a user of the realm beside those assigned.
    var furtherRoles: [String] = []

    /// Somebody who is known by the issuer's token alone.
    /// - Parameter roles: those that are not the environment's are left out.
    static func virtual(_ name: String, issuer: String, roles: [String], _ mobile: MobileCloud) -> RelayedUser {
        RelayedUser(name: name, virtual: .init(issuer: issuer, roles: known(roles, mobile)))
    }

    /// A user of the backend's realm. (Using Oracle Mobile Cloud Service, "Mapping to Provisioned Users".)
    /// - Parameters:
    ///   - name: what the token says.
    ///   - mapping: what of the user that is.
    /// - Throws: ``NotProvisioned``.
    static func provisioned(
        _ name: String, by mapping: SignOnProvider.UserMapping, roles: [String], backend: MobileBackend, _ mobile: MobileCloud
    ) throws(NotProvisioned) -> RelayedUser {
        guard let user = mobile.realms[backend.realm]?.user(name, by: mapping) else {
            throw NotProvisioned(name: name, mapping: mapping, realm: backend.realm)
        }
        return RelayedUser(name: user.username, furtherRoles: known(roles, mobile))
    }

    /// The realm of the backend does not have the user.
    struct NotProvisioned: Error {
        var name: String
        var mapping: SignOnProvider.UserMapping
        var realm: String

        var detail: String {
            switch mapping {
            case .uid: "The realm \(realm) of the backend has no user named \(name)."
            case .mail: "The realm \(realm) of the backend has no user with the address \(name)."
            }
        }
    }

    /// Each once, in their order.
    private static func known(_ roles: [String], _ mobile: MobileCloud) -> [String] {
        var seen: Set<String> = []
        return roles.filter { mobile.environment.roles.contains($0) && seen.insert($0).inserted }
    }

    /// What the answer to an exchange says: a new token of ours, how long it lasts, and what it is.
    func token(for backend: MobileBackend, method: MobileCaller.Method, lifetime: Int64, _ cloud: Cloud) async throws -> JSONObject {
        let issued = Timestamp(seconds: cloud.clock.now.seconds)
        let token = try await MobileTokens(cloud: cloud).issue(
            MobileTokens.Content(
                backendID: backend.id, username: name, virtual: virtual, method: method, furtherRoles: furtherRoles, issued: issued,
                expires: issued + .seconds(lifetime)))
        return ["access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(lifetime)]
    }
}
