import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// The OAuth client that a token request presents: by HTTP Basic or in the form, never both.
/// (RFC 6749 section 2.3.1.)
struct PresentedClient {
    /// The possible readings: apps send the header unencoded, although the standard requires form encoding.
    private var spellings: [(id: String, secret: String?)]

    /// - Parameters:
    /// - form: the fields of the request body.
    ///   - schemes: the accepted schemes of the header, in lower case.
    /// - Returns: `nil` if the request presents no client.
    init?(_ form: FormFields, headers: HTTPFields, schemes: Set<String> = ["basic"]) throws(OAuthError) {
        let values = headers[values: .authorization]
        guard let header = values.first else {
            guard let id = form.value("client_id") else { return nil }
            spellings = [(id, form.value("client_secret"))]
            return
        }
        let parts = header.split(separator: " ")
        guard values.count == 1, parts.count == 2, schemes.contains(parts[0].lowercased()),
            let pair = PresentedCredentials.userAndPassword(String(parts[1]))
        else {
            throw Self.refusal("The Authorization header holds no client ID and client secret.")
        }
        spellings = [(pair.name, pair.password)]
        if let id = Self.decoded(pair.name), let secret = Self.decoded(pair.password), (id, secret) != (pair.name, pair.password) {
            spellings.append((id, secret))
        }
        let others = form.value("client_id").map { id in !spellings.contains { $0.id == id } } ?? false
        guard form.value("client_secret") == nil, !others else {
            throw OAuthError(.invalidRequest, "The client must authenticate in one way: in the Authorization header or in the body.")
        }
    }

    /// Whether the request has a client secret in addition to the ID.
    var hasSecret: Bool { spellings.contains { $0.secret?.isEmpty == false } }

    /// Returns the backend of the client.
    /// - Parameter needsSecret: whether the client must authenticate. A secret that is sent must be correct in any case.
    /// - Throws: `OAuthError`.
    func backend(in mobile: MobileCloud, needsSecret: Bool = true) throws(OAuthError) -> MobileBackend {
        for (id, secret) in spellings {
            guard let backend = mobile.backend(clientID: id) else { continue }
            guard let secret, !secret.isEmpty else {
                guard needsSecret else { return backend }
                throw Self.refusal("The client secret is missing.")
            }
            if constantTimeEquals(secret, backend.clientSecret) { return backend }
        }
        throw Self.refusal("The client ID or the client secret is wrong.")
    }

    /// Returns the error for a client that failed to authenticate. As with every 401, it has a challenge (RFC 9110 section 11.6.1).
    static func refusal(_ description: String) -> OAuthError {
        OAuthError(.invalidClient, description, challenge: MobileTokenEndpoint.challenge)
    }

    private static func decoded(_ text: String) -> String? {
        percentDecoded(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: " "))
    }
}
