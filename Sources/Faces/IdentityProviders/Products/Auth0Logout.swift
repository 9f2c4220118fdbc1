import Calls
import Directory
import HTTPTypes
import WireFormats

/// Auth0's own logout, which asks no user and returns to a URL that the client has registered. (Auth0 Authentication API, "Logout".)
struct Auth0Logout {
    let visit: Visit

    static let path = "/v2/logout"

    func respond() async throws -> Response {
        try await visit.enter("Logout")
        let query = try visit.query()
        var parameters: FormFields = [:]
        for (own, general) in [("client_id", "client_id"), ("returnTo", "post_logout_redirect_uri")] {
            if let value = query.value(own) { parameters.fields.append(.init(name: general, value: value)) }
        }
        return try await LogoutEndpoint(visit: visit).respond(to: parameters, needsConfirmation: false)
    }
}
