import Calls
import HTTPTypes
import WireFormats

/// `/mobile/platform/extended/users/{username}`: returns the properties and roles of the caller, for custom code only.
/// (REST API for Oracle Mobile Cloud Service, "Retrieve Extended User Information".)
struct ExtendedUsers {
    let call: MobileCall

    func respond() async throws -> Response {
        guard call.path.count == 5, call.path[3] == "users" else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
        let caller = try await call.enter(customCode: "GetExtendedUser")
        let users = PlatformUsers(call: call)
        var profile = try users.profile(of: caller)
        try users.check(call.path[4], means: caller)
        if case .social = caller.identity {
            // Social users have no roles.
        } else {
            profile["roles"] = .array(caller.roles.sorted().map { .string($0) })
        }
        return .json(.object(users.chosen(of: profile, by: caller)), headers: .unstored)
    }
}
