import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The page behind the button of Google Identity Services in the mode `redirect`: the user chooses an account, and the browser posts an ID
/// token to the application's `login_uri`. (Google Identity, "Sign in with Google HTML API reference", "Verify the Google ID token".)
struct GoogleSelect: AuthorizationEndpoint {
    let visit: Visit

    static let path = "/gsi/select"
    /// The path that receives the forms of its pages.
    static let formPath = "/gsi/sign-in"
    /// The scopes of an ID token of the button.
    static let scopes = ["openid", "email", "profile"]
    /// The name of the cookie and of the field that must agree.
    private static let token = "g_csrf_token"

    let unknownClient = FaultPage(status: .unauthorized, code: "invalid_client", explanation: "The OAuth client was not found.")

    var signIn: SignIn { SignIn(endpoint: self, formPath: Self.formPath) }

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        if let name = parameters.repeatedName { throw fault("The parameter \(name) is repeated.") }
        guard let client = parameters.value("client_id").flatMap(visit.provider.client) else { throw unknownClient }
        guard let address = parameters.value("login_uri"), client.redirects(to: address) else {
            throw FaultPage(
                code: "redirect_uri_mismatch",
                explanation: "The login_uri in the request does not match the redirect URIs authorized for the OAuth client.")
        }
        if let mode = parameters.value("ux_mode"), mode != "redirect" {
            throw fault("The ux_mode \(mode) is not supported here. Use redirect, with a login_uri.")
        }
        guard parameters.value(Self.token) != nil else { throw fault("Missing required parameter: \(Self.token)") }
        var request = AuthorizationRequest(client: client, redirectURI: address)
        request.responseTypes = [.idToken]
        request.responseMode = .formPost
        request.scopes = Self.scopes
        request.nonce = parameters.value("nonce")
        request.state = parameters.value("state")
        request.loginHint = parameters.value("login_hint")
        request.hostedDomain = parameters.value("hd")
        request.crossSiteToken = parameters.value(Self.token)
        return request
    }

    private func fault(_ explanation: String) -> FaultPage { FaultPage(code: "invalid_request", explanation: explanation) }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        AuthorizationAnswer(
            to: request.redirectURI, mode: .formPost,
            fields: [
                "credential": try await Self.credential(approval, in: visit), Self.token: request.crossSiteToken,
                "select_by": wasAsked ? "btn_confirm" : "btn", "client_id": request.client.id, "state": request.state,
            ])
    }

    /// Returns the ID token of a user who chose an account.
    static func credential(_ approval: Approval, in visit: Visit) async throws -> String {
        let now = visit.cloud.clock.now.seconds
        return try await visit.mint.idToken(
            approval, issuer: visit.issuer, claims: ["nbf": .integer(now), "jti": .string(try OpaqueToken.unguessable())])
    }

    /// The button has no error response: the user stays at the provider.
    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) throws -> AuthorizationAnswer {
        throw FaultPage(status: .forbidden, code: reason.rawValue, explanation: "You did not sign in. Return to the application.")
    }

    func meaning(ofScope scope: String) -> String { GoogleAuthorizeEndpoint.meaning(of: scope) }
}
