import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// The user of an external token, for whom one of our tokens is issued.
struct RelayedUser: Sendable {
    var name: String
    /// `nil` for a user of the realm.
    var virtual: MobileTokens.Virtual?
    /// The roles of a user of the realm in addition to the assigned ones.
    var furtherRoles: [String] = []

    /// Returns a virtual user, who exists only in the issuer's token.
    /// - Parameter roles: the roles; those that the environment does not define are removed.
    static func virtual(_ name: String, issuer: String, roles: [String], _ mobile: MobileCloud) -> RelayedUser {
        RelayedUser(name: name, virtual: .init(issuer: issuer, roles: known(roles, mobile)))
    }

    /// Returns a user of the backend's realm. (Using Oracle Mobile Cloud Service, "Mapping to Provisioned Users".)
    /// - Parameters:
    ///   - name: the value in the token.
    ///   - mapping: the property of the user that has this value.
    /// - Throws: ``NotProvisioned``.
    /// - Throws: ``NotProvisioned``.
    static func provisioned(
        _ name: String, by mapping: SignOnProvider.UserMapping, roles: [String], backend: MobileBackend, _ mobile: MobileCloud
    ) throws(NotProvisioned) -> RelayedUser {
        guard let user = mobile.realms[backend.realm]?.user(name, by: mapping) else {
            throw NotProvisioned(name: name, mapping: mapping, realm: backend.realm)
        }
        return RelayedUser(name: user.username, furtherRoles: known(roles, mobile))
    }

    /// The error for a user that the backend's realm does not have.
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

    /// Returns the roles that the environment defines, without duplicates and in order.
    private static func known(_ roles: [String], _ mobile: MobileCloud) -> [String] {
        var seen: Set<String> = []
        return roles.filter { mobile.environment.roles.contains($0) && seen.insert($0).inserted }
    }

    /// Returns the members of the response to an exchange: a new token of ours, its lifetime and its type.
    func token(for backend: MobileBackend, method: MobileCaller.Method, lifetime: Int64, _ call: MobileCall) async throws -> JSONObject {
        let issued = Timestamp(seconds: call.cloud.clock.now.seconds)
        let token = try await MobileTokens(cloud: call.cloud).issue(
            MobileTokens.Content(
                backendID: backend.id, username: name, virtual: virtual, method: method, furtherRoles: furtherRoles, issued: issued,
                expires: issued + .seconds(lifetime)), in: call.mobile)
        return ["access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(lifetime)]
    }
}
