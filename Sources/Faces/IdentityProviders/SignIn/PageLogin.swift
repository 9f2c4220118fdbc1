import Cloud
import Directory
import Federation
import WireFormats

/// The login to one of the provider's own pages, without an application.
struct PageLogin: AuthorizationEndpoint {
    let visit: Visit

    /// The path that receives its forms.
    static let formPath = "/account/sign-in"

    private static let next = "next"

    var signIn: SignIn { SignIn(endpoint: self, formPath: Self.formPath) }

    let unknownClient = FaultPage(code: "invalid_request", explanation: "There is no such page.")

    /// Returns the parameters that start the login.
    /// - Parameter target: the path and query of the page, relative to the provider's base URL.
    static func parameters(for target: String) -> FormFields { [next: target] }

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        // Only a path is accepted, so that the redirect stays at the provider.
        guard let target = parameters.value(Self.next), target.hasPrefix("/") else {
            throw unknownClient
        }
        let account = Client(id: "", secret: nil, name: "your account", redirectURIs: [], applicationID: nil)
        var request = AuthorizationRequest(client: account, redirectURI: visit.baseURL + target)
        request.needsNoConsent = true
        return request
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        AuthorizationAnswer(to: request.redirectURI, mode: .query, fields: [:])
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) -> AuthorizationAnswer {
        AuthorizationAnswer(to: request.redirectURI, mode: .query, fields: ["error": reason.rawValue])
    }

    func meaning(ofScope scope: String) -> String { scope }
}
