import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension TokenRequest {
    /// Issues tokens for a user's password, which the client sends (RFC 6749 section 4.3).
    func servePassword() async throws -> Response {
        let approval = try approvalForPassword()
        let isOffline = visit.isRealm || approval.scopes.contains("offline_access")
        return try await issue(approval, renewable: isOffline ? approval : nil)
    }

    /// Checks the password. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func approvalForPassword() throws -> Approval {
        guard client.mayUse(.password) else {
            throw OAuthError(.unauthorizedClient, "Client not allowed for direct access grants")
        }
        guard let name = form.value("username") else {
            throw OAuthError(.invalidRequest, "Missing parameter: username", status: visit.isRealm ? .unauthorized : nil)
        }
        // Keycloak treats a missing password as a wrong one.
        guard visit.isRealm || form.value("password") != nil else {
            throw OAuthError(.invalidRequest, "Missing parameter: password")
        }
        guard let person = visit.provider.person(named: name),
            constantTimeEquals(person.password, form.value("password") ?? "")
        else { throw unknownUser(.password) }
        var approval = Approval(
            provider: visit.provider, client: client, person: person, scopes: try scopes(byDefault: ["profile", "email"]),
            authenticated: visit.cloud.clock.now)
        approval.audiences = try visit.resources(of: form)
        return approval
    }
}
