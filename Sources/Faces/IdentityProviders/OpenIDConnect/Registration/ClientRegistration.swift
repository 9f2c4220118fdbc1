import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

/// The requested registration of a client, checked and completed (RFC 7591 section 2, OpenID Connect Dynamic Client Registration 1.0
/// section 2).
struct ClientRegistration {
    /// The metadata to register, with defaults for missing members, as in the response.
    var metadata: ClientMetadata
    var name: String?
    var redirectURIs: [String]

    /// The reason why a registration is rejected (RFC 7591 section 3.2.2).
    struct Fault: Error {
        var code: OAuthError.Code
        var explanation: String

        init(_ explanation: String, code: OAuthError.Code = .invalidClientMetadata) {
            self.code = code
            self.explanation = explanation
        }
    }

    static let authenticationMethods = [
        "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none",
    ]

    private static let grantTypes =
        [UsualGrant.authorizationCode.rawValue, UsualGrant.refreshToken.rawValue, implicit] + FurtherGrant.allCases.map(\.rawValue)
    /// OpenID Connect's grant type for tokens from the authorization endpoint.
    private static let implicit = "implicit"

    /// Metadata of features that are not supported: client authentication by certificates (RFC 8705), backchannel authentication (CIBA) and
    /// rich authorization requests (RFC 9396).
    private static let unsupported = [
        "tls_client_auth_subject_dn", "tls_client_auth_san_dns", "tls_client_auth_san_uri", "tls_client_auth_san_ip",
        "tls_client_auth_san_email", "tls_client_certificate_bound_access_tokens", "backchannel_token_delivery_mode",
        "backchannel_client_notification_endpoint", "backchannel_authentication_request_signing_alg", "backchannel_user_code_parameter",
        "authorization_details_types",
    ]

    /// Reads and checks a registration.
    /// - Throws: `Fault`.
    init(_ document: JSONObject) throws(Fault) {
        do {
            metadata = try ClientMetadata(reading: document)
        } catch {
            throw Fault(error.name.isEmpty ? "A member has the wrong type or size." : "The member \(error.name) has the wrong type.")
        }
        for member in Self.unsupported {
            guard let value = document[member], value != .null, value != .bool(false) else { continue }
            throw Fault("The member \(member) requests a feature that this issuer does not support.")
        }
        switch document["client_name"] {
        case nil, .null: name = nil
        case .string(let text): name = text
        default: throw Fault("The member client_name has the wrong type.")
        }
        switch document["redirect_uris"] {
        case nil, .null: redirectURIs = []
        case .array(let elements):
            redirectURIs = elements.compactMap(\.stringValue)
            guard redirectURIs.count == elements.count else { throw Fault("A redirect URI must be a string.", code: .invalidRedirectURI) }
        default: throw Fault("The member redirect_uris has the wrong type.", code: .invalidRedirectURI)
        }
        try completeGrants()
        try checkAuthentication()
        try checkAlgorithms()
        try checkRedirectURIs()
        try checkURLs()
        try checkSubjects()
    }

    /// Completes grant types and response types, which imply each other (RFC 7591 section 2.1).
    private mutating func completeGrants() throws(Fault) {
        let code = UsualGrant.authorizationCode.rawValue
        var responses = metadata.responseTypes ?? (metadata.grantTypes?.contains(code) ?? true ? ["code"] : [])
        responses = try responses.map { type throws(Fault) in
            let parts = Set(type.split(separator: " ").map(String.init))
            guard !parts.isEmpty, parts.isSubset(of: ["code", "id_token", "token"]) || parts == ["none"] else {
                throw Fault("The response type \(type) is unknown.")
            }
            // Uses the order in which the types are registered (OAuth 2.0 Multiple Response Type Encoding Practices section 5).
            return ["code", "id_token", "token", "none"].filter(parts.contains).joined(separator: " ")
        }
        // A server may replace requested metadata (RFC 7591 section 2). A client without a grant type for the authorization endpoint is
        // registered without its tokens. oidc-agent sends such requests for the device flow.
        if let named = metadata.grantTypes, !named.contains(Self.implicit), !named.contains(code) {
            responses.removeAll { $0.split(separator: " ").contains { $0 == "id_token" || $0 == "token" } }
        }
        let parts = Set(responses.flatMap { $0.split(separator: " ").map(String.init) })
        let implied = (parts.contains("code") ? [code] : []) + (parts.isDisjoint(with: ["id_token", "token"]) ? [] : [Self.implicit])
        let grants = metadata.grantTypes ?? (implied.isEmpty ? [code] : implied)
        if let unknown = grants.first(where: { !Self.grantTypes.contains($0) }) {
            throw Fault("The grant type \(unknown) is unknown.")
        }
        if let missing = implied.first(where: { !grants.contains($0) }) {
            throw Fault("The response types need the grant type \(missing).")
        }
        metadata.responseTypes = responses
        metadata.grantTypes = grants
    }

    private mutating func checkAuthentication() throws(Fault) {
        let method = metadata.tokenEndpointAuthMethod ?? "client_secret_basic"
        guard Self.authenticationMethods.contains(method) else {
            let known = Self.authenticationMethods.joined(separator: ", ")
            throw Fault("The token_endpoint_auth_method \(method) is not supported. Expected one of \(known).")
        }
        metadata.tokenEndpointAuthMethod = method
        guard metadata.jwks == nil || metadata.jwksURI == nil else {
            throw Fault("The members jwks and jwks_uri must not be there at the same time.")
        }
        if let keys = metadata.jwks {
            guard let set = JSONWebKeySet(parsing: JSONValue.object(keys).serializedBytes()) else {
                throw Fault("The jwks must be a JSON Web Key Set.")
            }
            // A client without a usable key could never authenticate.
            guard method != "private_key_jwt" || !set.keys.isEmpty else {
                throw Fault("The jwks has no key for signatures that is supported: \(SignatureAlgorithm.supportedKeys).")
            }
            let members = keys["keys"]?.arrayValue?.compactMap(\.objectValue) ?? []
            guard !members.contains(where: JSONWebKey.isSecret) else { throw Fault("The jwks contains a private or symmetric key.") }
        }
        guard method != "private_key_jwt" || metadata.jwks != nil || metadata.jwksURI != nil else {
            throw Fault("The token_endpoint_auth_method private_key_jwt needs keys.")
        }
        if method == "none", metadata.grantTypes?.contains(FurtherGrant.clientCredentials.rawValue) == true {
            throw Fault("A public client cannot act for itself.")
        }
        guard let algorithm = metadata.tokenEndpointAuthSigningAlg else { return }
        // A client whose algorithm does not fit its method could never authenticate.
        let isSecret = SignatureAlgorithm.sharedSecret.contains { $0.rawValue == algorithm }
        guard method != "client_secret_jwt" || isSecret, method != "private_key_jwt" || !isSecret else {
            throw Fault("The token_endpoint_auth_signing_alg \(algorithm) is not supported for \(method).")
        }
    }

    private mutating func checkAlgorithms() throws(Fault) {
        metadata.idTokenSignedResponseAlg = metadata.idTokenSignedResponseAlg ?? SignatureAlgorithm.rs256.rawValue
        if let fault = metadata.algorithmFault {
            let name = fault.member.rawValue
            guard let value = fault.value else { throw Fault("The member \(name) needs \(fault.expected).") }
            throw Fault("The \(name) \(value) is not supported. Expected \(fault.expected).")
        }
        // The key of such ID tokens is the client's secret, which others do not have (OpenID Connect Core 1.0 section 10.1).
        let method = metadata.tokenEndpointAuthMethod ?? ""
        if let name = metadata.idTokenSignedResponseAlg, SignatureAlgorithm.sharedSecret.contains(where: { $0.rawValue == name }),
            !method.hasPrefix("client_secret_")
        {
            throw Fault(
                "The id_token_signed_response_alg \(name) needs a client secret, which a client with the token_endpoint_auth_method "
                    + "\(method) does not have.")
        }
        guard metadata.defaultMaxAge ?? 0 >= 0 else { throw Fault("The default_max_age must be an integer number of seconds.") }
    }

    private mutating func checkRedirectURIs() throws(Fault) {
        let type = metadata.applicationType ?? "web"
        guard type == "web" || type == "native" else { throw Fault("The application_type \(type) is unknown.") }
        metadata.applicationType = type
        if redirectURIs.isEmpty, metadata.responseTypes?.isEmpty == false {
            throw Fault("There must be redirect_uris.", code: .invalidRedirectURI)
        }
        for uri in redirectURIs { try checkRedirectURI(uri) }
    }

    /// Checks a redirect URI. (OpenID Connect Dynamic Client Registration 1.0 section 2, `application_type`; RFC 6749 section 3.1.2.)
    private func checkRedirectURI(_ uri: String) throws(Fault) {
        func refuse(_ reason: String) -> Fault { Fault("The redirect URI \(uri) \(reason).", code: .invalidRedirectURI) }
        guard Self.isAbsolute(uri), !uri.contains("#") else { throw refuse("must be an absolute URI without a fragment") }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard !Self.isHandledByBrowser(uri) else { throw refuse("must not have a scheme that runs code, such as javascript or data") }
        let host = Client.host(of: uri)
        let isLocal = HostNames.isThisMachine(host)
        if metadata.applicationType == "native" {
            guard scheme != "https", scheme != "http" || isLocal else {
                throw refuse("must be a custom scheme or a loopback address, since the client is a native application")
            }
        } else if metadata.grantTypes?.contains(Self.implicit) == true {
            guard scheme == "https", host != "localhost" else {
                throw refuse("must use https and must not be localhost, since tokens come through the browser")
            }
        }
    }

    private func checkURLs() throws(Fault) {
        let pages = [
            metadata.jwksURI, metadata.logoURI, metadata.clientURI, metadata.policyURI, metadata.tosURI, metadata.initiateLoginURI,
            metadata.backchannelLogoutURI, metadata.frontchannelLogoutURI, metadata.sectorIdentifierURI,
        ]
        for url in pages.compactMap({ $0 }) + (metadata.requestURIs ?? []) where Client.host(of: url).isEmpty {
            throw Fault("\(url) must be an http or https URL.")
        }
        // Only these URLs must use https (OpenID Connect Dynamic Client Registration 1.0 sections 2 and 5).
        if let url = metadata.initiateLoginURI, !Self.isHTTPS(url) { throw Fault("\(url) must be an https URL.") }
        // A leniency for tests, whose servers on this machine have no certificate.
        if let url = metadata.sectorIdentifierURI, !Self.isHTTPS(url), !HostNames.isThisMachine(Client.host(of: url)) {
            throw Fault("\(url) must be an https URL, or an http URL of a loopback address.")
        }
        let logoutURLs = [metadata.backchannelLogoutURI, metadata.frontchannelLogoutURI].compactMap { $0 }
        for url in (metadata.postLogoutRedirectURIs ?? []) + logoutURLs
        where !Self.isAbsolute(url) || url.contains("#") || Self.isHandledByBrowser(url) {
            throw Fault("\(url) must be an absolute https or custom-scheme URI without a fragment.")
        }
    }

    /// Checks that the sector for pairwise subjects is unambiguous (OpenID Connect Core 1.0 section 8.1).
    private mutating func checkSubjects() throws(Fault) {
        metadata.subjectType = metadata.subjectType ?? .public
        var client = Client(id: "", secret: nil, name: "", redirectURIs: redirectURIs, applicationID: nil)
        client.metadata = metadata
        guard metadata.subjectType == .public || client.sector != nil else {
            throw Fault("The subject_type pairwise needs redirect_uris of one host, or a sector_identifier_uri.")
        }
    }

    /// Checks that the document at the client's `sector_identifier_uri`, a JSON array, contains all its redirect URIs (OpenID Connect
    /// Dynamic Client Registration 1.0 section 5).
    /// - Parameter document: the document; `nil` if there is none.
    /// - Throws: `Fault`.
    func checkSector(_ document: [UInt8]?) throws(Fault) {
        guard let document, let elements = (try? JSONValue(parsing: document))?.arrayValue else {
            throw Fault("The document at the sector_identifier_uri must be a JSON array of redirect URIs.")
        }
        let listed = Set(elements.compactMap(\.stringValue))
        if let missing = redirectURIs.first(where: { !listed.contains($0) }) {
            throw Fault("The redirect URI \(missing) is not among those at the sector_identifier_uri.")
        }
    }

    private static func isHTTPS(_ url: String) -> Bool { url.lowercased().hasPrefix("https://") }

    /// Returns whether the browser handles the scheme itself instead of calling an application.
    private static func isHandledByBrowser(_ uri: String) -> Bool {
        ["javascript", "data", "vbscript", "file", "about", "blob"].contains(uri.prefix { $0 != ":" }.lowercased())
    }

    /// Returns whether the text is a scheme followed by a nonempty rest (RFC 3986 section 4.3).
    static func isAbsolute(_ uri: String) -> Bool {
        guard let colon = uri.firstIndex(of: ":"), colon != uri.startIndex, uri.index(after: colon) != uri.endIndex,
            uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }), uri.first?.isLetter == true
        else { return false }
        let isWeb = ["http", "https"].contains(uri[..<colon].lowercased())
        return uri[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) } && (!isWeb || !Client.host(of: uri).isEmpty)
    }
}
