import Calls
import Cloud
import Directory
import HTTPTypes
import Logging
import WireFormats

/// The OAuth client of the backend that a token is requested for. (REST API for Oracle Mobile Cloud Service, "Exchange Token".)
struct ExchangingClient: Sendable {
    let backend: MobileBackend
    /// Whether the client has authenticated, and not only sent its ID.
    let isProven: Bool

    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// - Throws: `OAuthError`, or an error of reading the keys of our tokens.
    init(_ call: MobileCall, _ form: FormFields) async throws {
        let headers = call.http.headers
        let (type, assertion) = (form.value("client_assertion_type"), form.value("client_assertion"))
        if type != nil || assertion != nil {
            guard headers[.authorization] == nil, form.value("client_secret") == nil else {
                throw OAuthError(.invalidRequest, "The client must authenticate in one way: by client_assertion or by its secret.")
            }
            backend = try await Self.backend(ofAssertion: assertion, type: type, call)
            isProven = true
            guard form.value("client_id") ?? backend.clientID == backend.clientID else {
                throw PresentedClient.refusal("client_assertion is of another client than client_id.")
            }
        } else {
            // The documentation once shows the scheme as `Bearer`.
            guard let client = try PresentedClient(form, headers: headers, schemes: ["basic", "bearer"]) else {
                throw PresentedClient.refusal("The request does not name its client.")
            }
            backend = try client.backend(in: call.mobile, needsSecret: false)
            isProven = client.hasSecret
            if headers[.authorization]?.lowercased().hasPrefix("bearer") == true {
                call.relay.logger.warning(
                    "A client authenticates with the scheme Bearer instead of Basic", metadata: ["client": "\(backend.clientID)"])
            }
        }
    }

    /// Returns the backend whose client-credentials token is the assertion.
    private static func backend(ofAssertion assertion: String?, type: String?, _ call: MobileCall) async throws -> MobileBackend {
        guard type == assertionType else { throw OAuthError(.invalidRequest, "client_assertion_type must be \(assertionType).") }
        guard let assertion else { throw OAuthError(.invalidRequest, "client_assertion is missing.") }
        let content: MobileTokens.Content
        do {
            content = try await MobileTokens(cloud: call.cloud).read(assertion)
        } catch let error as MobileError {
            throw PresentedClient.refusal(error.detail)
        }
        guard content.username == nil, content.method == .oauth, let backend = call.mobile.backend(id: content.backendID) else {
            throw PresentedClient.refusal("client_assertion must be a token that was given on client credentials.")
        }
        return backend
    }
}
