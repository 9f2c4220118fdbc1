import Cloud
import Cryptography
import Exchange
import HTTPTypes
import Logging
import WireFormats

/// The OAuth client of the backend for which a token is asked, with its proof. (REST API for Oracle Mobile Cloud Service, "Exchange Token".)
struct ExchangingClient: Sendable {
    let backend: MobileBackend
    /// Whether it has proved to be the client, and has not just said so.
    let isProven: Bool

    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// - Throws: `OAuthError`, or an error of the keys of our tokens.
    init(_ call: MobileCall, _ form: FormFields) async throws {
        let header = try Self.presented(call)
        let (id, secret) = (form.value("client_id"), form.value("client_secret"))
        let (type, assertion) = (form.value("client_assertion_type"), form.value("client_assertion"))
        guard [header != nil, secret != nil, type != nil || assertion != nil].count(where: \.self) <= 1 else {
            throw OAuthError(.invalidRequest, "The client proves itself in several ways.")
        }
        if type != nil || assertion != nil {
            backend = try await Self.backend(ofAssertion: assertion, type: type, call)
            isProven = true
        } else if let (id, secret) = header ?? id.flatMap({ id in secret.map { (id: id, secret: $0) } }) {
            guard let found = call.mobile.backend(clientID: id), constantTimeEquals(found.clientSecret, secret) else {
                throw Self.refusal("The client ID or the client secret is wrong.")
            }
            backend = found
            isProven = true
        } else {
            guard let id else { throw Self.refusal("The request does not name its client.") }
            guard let found = call.mobile.backend(clientID: id) else { throw Self.refusal("There is no client with this ID.") }
            backend = found
            isProven = false
        }
        guard id == nil || id == backend.clientID else {
            throw Self.refusal("The request names another client than the one that proves itself.")
        }
    }

    static func refusal(_ description: String) -> OAuthError {
        OAuthError(.invalidClient, description, challenge: "Basic realm=\"mobile cloud\"")
    }

    /// Client ID and secret in `Authorization`. The documentation prints the scheme once as `Bearer`, which therefore is taken where a client
    /// ID follows it.
    private static func presented(_ call: MobileCall) throws -> (id: String, secret: String)? {
        let credentials: PresentedCredentials?
        do {
            credentials = try PresentedCredentials(call.exchange.headers)
        } catch {
            throw refusal(error.detail)
        }
        switch credentials {
        case nil: return nil
        case .basic(let name, let password): return (id: name, secret: password)
        case .bearer(let text):
            guard let pair = PresentedCredentials.userAndPassword(text), call.mobile.backend(clientID: pair.name) != nil else {
                throw refusal("A client proves itself by Basic and the Base64 of its ID, a colon and its secret.")
            }
            call.relay.logger.warning(
                "a client proves itself by the scheme Bearer where Basic is meant", metadata: ["client": "\(pair.name)"])
            return (id: pair.name, secret: pair.password)
        }
    }

    /// The backend whose client was given a token on client credentials.
    private static func backend(ofAssertion assertion: String?, type: String?, _ call: MobileCall) async throws -> MobileBackend {
        guard type == assertionType else { throw OAuthError(.invalidRequest, "client_assertion_type must be \(assertionType).") }
        guard let assertion else { throw OAuthError(.invalidRequest, "client_assertion is missing.") }
        let content: MobileTokens.Content
        do {
            content = try await MobileTokens(cloud: call.cloud).read(assertion)
        } catch let error as MobileError {
            throw refusal(error.detail)
        }
        guard content.username == nil, content.method == .oauth, let backend = call.mobile.backend(id: content.backendID) else {
            throw refusal("client_assertion must be a token that was given on client credentials.")
        }
        return backend
    }
}
