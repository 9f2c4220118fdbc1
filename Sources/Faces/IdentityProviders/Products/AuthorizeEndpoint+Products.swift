import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension AuthorizeEndpoint {
    /// Reads what authorization requests to a product have that others do not.
    /// - Throws: `AuthorizationFault`.
    func readProduct(_ parameters: FormFields, into request: inout AuthorizationRequest) throws(AuthorizationFault) {
        switch visit.product {
        case .apple: try readApple(parameters, into: &request)
        case .entra, .auth0, nil: break
        }
    }

    /// Apple has two scopes, and always issues an ID token and a refresh token. (Sign in with Apple, "Request an authorization to the Sign in
    /// with Apple server".)
    private func readApple(_ parameters: FormFields, into request: inout AuthorizationRequest) throws(AuthorizationFault) {
        let scopes = (parameters.value("scope") ?? "").split(separator: " ")
        let shared = ["name", "email"].filter { (scope: String) in scopes.contains { $0 == scope } }
        guard shared.isEmpty || request.responseMode == .formPost else {
            throw AuthorizationFault(.invalidRequest, "response_mode must be form_post when name or email scope is requested.")
        }
        request.scopes = ["openid"] + shared
        request.isOffline = true
    }

    /// Returns what responses of a product have besides those of other issuers.
    ///
    /// Apple returns the name of a user once, when the user first agrees. (Sign in with Apple, "Configuring your webpage for Sign in with
    /// Apple".)
    func productFields(_ approval: Approval, _ request: AuthorizationRequest, wasAsked: Bool) -> [(String, String)] {
        guard visit.product == .apple, wasAsked, request.responseMode == .formPost else { return [] }
        let claims = approval.person.claims
        var user: JSONObject = [:]
        if approval.scopes.contains("name") {
            var name: JSONObject = [:]
            name["firstName"] = claims["given_name"]
            name["lastName"] = claims["family_name"]
            user["name"] = .object(name)
        }
        if approval.scopes.contains("email") { user["email"] = claims["email"] }
        return user.isEmpty ? [] : [("user", JSONValue.object(user).serialized())]
    }
}
