import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The revocation endpoint of a user pool. (Amazon Cognito Developer Guide, "Revoke endpoint".)
struct HostedRevokeEndpoint: Sendable {
    let visit: HostedVisit

    func respond() async throws -> Response {
        try await visit.enter("Revoke")
        let form = try await visit.call.form()
        let client = try self.client(sending: form)
        guard let token = form.value("token") else { throw HostedTokenError.invalidRequest("token is missing.") }
        guard client.allowsRevocation else { throw HostedTokenError.invalidRequest("Token revocation is not enabled for the app client.") }
        // Access tokens and ID tokens have two periods.
        guard token.utf8.filter({ $0 == UInt8(ascii: ".") }).count != 2 else {
            throw HostedTokenError("unsupported_token_type", "Only refresh tokens can be revoked.")
        }
        if let login = visit.logins.login(ofRefreshToken: token) {
            guard login.client == client.id else { throw Self.unauthorized(.invalidClient) }
            try await visit.logins.end(login)
        }
        return Response(status: .ok, headers: .unstored)
    }

    private func client(sending form: FormFields) throws(HostedTokenError) -> UserPoolClient {
        do throws(HostedTokenError) {
            return try visit.client(sending: form)
        } catch {
            throw error == .invalidClient ? Self.unauthorized(error) : error
        }
    }

    /// At this endpoint, a client that fails to authenticate gets the status 401.
    private static func unauthorized(_ error: HostedTokenError) -> HostedTokenError {
        var error = error
        error.status = .unauthorized
        return error
    }
}
