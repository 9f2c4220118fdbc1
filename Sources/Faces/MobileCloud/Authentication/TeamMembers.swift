import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension MobileCall {
    /// Begins an operation that only team members may call, authenticated by HTTP Basic and the backend header.
    /// (REST API for Oracle Mobile Cloud Service, "Database Management", "Permissions".)
    /// - Parameter role: the role that the member needs.
    /// - Throws: ``MobileError``, `InjectedFault`.
    func enter(teamMemberWith role: String, _ operation: String) async throws {
        http.note(operation: operation)
        guard let credentials = try PresentedCredentials(http.headers) else {
            throw MobileError(.notAuthenticated, "The call carries no credentials.", headers: TeamMembers.challenge)
        }
        guard case .basic(let name, let password) = credentials else {
            _ = try await authenticate()
            throw TeamMembers.othersRefused
        }
        _ = try namedBackend()
        guard let member = mobile.environment.teamMembers.first(where: { $0.name == name }),
            constantTimeEquals(password, member.password)
        else {
            guard (try? await authenticate()) == nil else { throw TeamMembers.othersRefused }
            throw MobileError(.invalidCredentials, "The team has no member \(name) with this password.")
        }
        guard member.roles.contains(role) else {
            throw MobileError(.roleRequired, "The team member \(name) does not have the role \(role).")
        }
        try await enter(operation, caller: name)
    }
}

private enum TeamMembers {
    static let challenge: HTTPFields = [.wwwAuthenticate: "Basic realm=\"mobile cloud\", charset=\"UTF-8\""]
    static let othersRefused = MobileError(.forbidden, "Only members of the team can call this API, and no mobile users or apps.")
}
