import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// The OAuth client of a backend as a request for a token presents it: by HTTP Basic or in the form, never by both.
/// (RFC 6749 section 2.3.1.)
struct PresentedClient {
    /// As it may be meant: apps send it in the header as it is, where the standard wants it encoded as in forms.
    private var spellings: [(id: String, secret: String?)]

    /// - Parameters:
    ///   - form: the names and values of the request's body.
    ///   - schemes: those of the header that carry the pair, in small letters.
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

    /// Whether the request has a secret beside the client's name.
    var hasSecret: Bool { spellings.contains { $0.secret?.isEmpty == false } }

    /// The backend whose client is presented.
    /// - Parameter needsSecret: whether it must prove itself; a secret that is there must be right in any case.
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

    /// A client that did not prove itself. It is challenged wherever it has shown itself, as every 401 must be (RFC 9110 section 11.6.1).
    static func refusal(_ description: String) -> OAuthError {
        OAuthError(.invalidClient, description, challenge: MobileTokenEndpoint.challenge)
    }

    private static func decoded(_ text: String) -> String? {
        percentDecoded(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: " "))
    }
}
