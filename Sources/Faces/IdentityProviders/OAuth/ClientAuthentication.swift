import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// The authentication of a client at a token endpoint (RFC 6749 section 2.3).
struct ClientAuthentication {
    /// The reason why the authentication failed.
    struct Fault: Error {
        enum Reason {
            case missing, malformed, severalMethods, unknownClient, wrongSecret, missingSecret
        }

        var reason: Reason
        /// Whether the client used the `Authorization` header, so that the response needs a challenge (section 5.2).
        var usedHeader: Bool
    }

    /// The authentication methods, named as in client metadata (RFC 7591 section 2).
    enum Method: String {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case none
    }

    private var identifier: String
    private var secret: String?
    private var usedHeader: Bool

    /// What a provider does with credentials in both the header and the body (RFC 6749 section 2.3 forbids clients to send both).
    enum Mixture {
        /// The request is refused.
        case refused
        /// What is in the body replaces what is in the header, as at Keycloak.
        case bodyWins
    }

    /// Reads the credentials from HTTP Basic or from the body.
    private init(_ form: FormFields, headers: HTTPFields, mixture: Mixture) throws(Fault) {
        guard let header = headers.value(of: .authorization) else {
            guard let identifier = form.value("client_id") else { throw Fault(reason: .missing, usedHeader: false) }
            self.init(identifier: identifier, secret: form.value("client_secret"), usedHeader: false)
            return
        }
        if mixture == .bodyWins, let identifier = form.value("client_id") {
            let secret = form.value("client_secret") ?? Self.basic(header)?.secret
            self.init(identifier: identifier, secret: secret?.isEmpty == true ? nil : secret, usedHeader: true)
            return
        }
        guard let (identifier, secret) = Self.basic(header) else { throw Fault(reason: .malformed, usedHeader: true) }
        if form.value("client_secret") != nil { throw Fault(reason: .severalMethods, usedHeader: true) }
        if let other = form.value("client_id"), other != identifier { throw Fault(reason: .severalMethods, usedHeader: true) }
        self.init(identifier: identifier, secret: secret.isEmpty ? nil : secret, usedHeader: true)
    }

    private init(identifier: String, secret: String?, usedHeader: Bool) {
        self.identifier = identifier
        self.secret = secret
        self.usedHeader = usedHeader
    }

    /// Returns the credentials of an HTTP Basic header, both of which are form-encoded (section 2.3.1).
    static func basic(_ header: String) -> (identifier: String, secret: String)? {
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = [UInt8](base64: String(parts[1])),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let identifier = decoded(bytes[..<colon]), let secret = decoded(bytes[(colon + 1)...])
        else { return nil }
        return (identifier, secret)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return percentDecoded(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: " "))
    }

    /// Returns the client that sent the request. A client without a secret only names itself; its PKCE verifier authenticates it.
    static func client(of form: FormFields, headers: HTTPFields, at provider: IdentityProvider) throws(Fault) -> Client {
        try authenticate(form, headers: headers, at: provider).client
    }

    /// Returns the client that sent the request, and its authentication method.
    static func authenticate(
        _ form: FormFields, headers: HTTPFields, at provider: IdentityProvider, mixture: Mixture = .refused
    ) throws(Fault) -> (client: Client, method: Method) {
        let credentials = try ClientAuthentication(form, headers: headers, mixture: mixture)
        let usedHeader = credentials.usedHeader
        guard let client = provider.client(credentials.identifier) else {
            throw Fault(reason: .unknownClient, usedHeader: usedHeader)
        }
        guard let expected = client.secret else {
            guard credentials.secret == nil else { throw Fault(reason: .wrongSecret, usedHeader: usedHeader) }
            return (client, .none)
        }
        guard let secret = credentials.secret else { throw Fault(reason: .missingSecret, usedHeader: usedHeader) }
        let isFormer = client.formerSecret.map { constantTimeEquals(secret, $0) } ?? false
        guard constantTimeEquals(secret, expected) || isFormer else { throw Fault(reason: .wrongSecret, usedHeader: usedHeader) }
        return (client, usedHeader ? .basic : .post)
    }
}
