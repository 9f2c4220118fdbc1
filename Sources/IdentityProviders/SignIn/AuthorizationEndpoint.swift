import Federation
import WireFormats

/// A provider's authorization endpoint, as the login pages need it: each reads requests and words answers in its own way.
protocol AuthorizationEndpoint {
    var visit: Visit { get }

    /// Finds the parameters of a request that only refers to them.
    /// - Throws: as `request` does.
    func resolve(_ parameters: FormFields) async throws -> FormFields

    /// Reads and checks a request.
    /// - Throws: `FaultPage` where the redirect URI is not the client's, or the provider shows such faults itself;
    ///   `AuthorizationAnswer` where the application is told.
    func request(_ parameters: FormFields) async throws -> AuthorizationRequest

    /// Issues what was asked for.
    /// - Parameter wasAsked: whether the person saw the consent page in this flow.
    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) async throws -> AuthorizationAnswer

    /// What a scope opens, in words for the person who consents.
    func meaning(ofScope scope: String) -> String

    /// Whether the person may leave the scope out and agree to the others.
    func mayBeDeclined(_ scope: String) -> Bool
}

extension AuthorizationEndpoint {
    func mayBeDeclined(_ scope: String) -> Bool { false }

    /// Most requests say everything themselves.
    func resolve(_ parameters: FormFields) async throws -> FormFields { parameters }
}

/// Why nothing is issued on a request that was sound.
enum AuthorizationRefusal: String {
    /// The person said no.
    case accessDenied = "access_denied"
    /// A page would have to be shown, which the request forbids (OpenID Connect Core 1.0 section 3.1.2.6).
    case loginRequired = "login_required"
    case consentRequired = "consent_required"
}
