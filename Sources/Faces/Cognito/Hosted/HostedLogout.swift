import Calls
import Directory
import HTTPTypes
import WireFormats

/// The logout of a user pool's domain. (Amazon Cognito Developer Guide, "Logout endpoint".)
struct HostedLogout: Sendable {
    let visit: HostedVisit

    func respond() async throws -> Response {
        try await visit.enter("Logout")
        let query = try visit.query()
        let id = query.value("client_id")
        guard let client = visit.client(id) else {
            throw HostedRedirect.errorPage("redirect_mismatch", client: id, "There is no such app client.", in: visit)
        }
        let target: String
        if let uri = query.value("logout_uri") {
            guard client.oauthSettings.logoutURLs.contains(uri) else {
                throw HostedRedirect.errorPage(
                    "redirect_mismatch", client: id, "logout_uri is not a logout URL of the app client.", in: visit)
            }
            target = uri
        } else {
            // Another person can sign in.
            _ = try HostedRequest(query, in: visit)
            target = visit.url("/login", query)
        }
        try await HostedSession.end(in: visit)
        var response = Response.redirect(to: target, headers: .unstored)
        response.headers.append(HostedCookie.session.setting("", for: 0, in: visit))
        return response
    }
}
