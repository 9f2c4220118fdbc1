import Federation
import WireFormats

/// A provider's authorization endpoint, as the login pages use it. Each endpoint has its own requests and responses.
protocol AuthorizationEndpoint {
    var visit: Visit { get }

    /// The page for a request of an unknown client.
    var unknownClient: FaultPage { get }

    /// Returns the parameters of a request that only references them.
    /// - Throws: the errors of `request`.
    func resolve(_ parameters: FormFields) async throws -> FormFields

    /// Reads and checks a request.
    /// - Throws: `FaultPage` if the redirect URI is not the client's, or if the provider shows such errors itself; `AuthorizationAnswer`
    ///   for an error response to the application.
    func request(_ parameters: FormFields) async throws -> AuthorizationRequest

    /// Issues the requested codes and tokens.
    /// - Parameter wasAsked: whether the user saw the consent page in this flow.
    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) async throws -> AuthorizationAnswer

    /// Returns the meaning of a scope, for the user who consents.
    func meaning(ofScope scope: String) -> String

    /// Returns whether the user may decline the scope and agree to the others.
    func mayBeDeclined(_ scope: String) -> Bool

    /// Returns what the user should check before consenting; `nil` if there is nothing besides the client and the scopes.
    func advice(on request: AuthorizationRequest) -> String?
}

extension AuthorizationEndpoint {
    func mayBeDeclined(_ scope: String) -> Bool { false }
    func advice(on request: AuthorizationRequest) -> String? { nil }

    /// Most requests contain their parameters.
    func resolve(_ parameters: FormFields) async throws -> FormFields { parameters }
}

/// Why nothing is issued on a request that was sound.
enum AuthorizationRefusal: String {
    /// The person said no.
    case accessDenied = "access_denied"
    /// A page would be needed, which the request forbids (OpenID Connect Core 1.0 section 3.1.2.6).
    case loginRequired = "login_required"
    case consentRequired = "consent_required"
}
