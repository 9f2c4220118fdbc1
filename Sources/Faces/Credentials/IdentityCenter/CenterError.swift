import HTTPTypes
import WireFormats

/// The errors of Identity Center's OIDC service. The raw value is the name of the exception.
/// (IAM Identity Center OIDC API Reference, "CreateToken", "RegisterClient" and "StartDeviceAuthorization".)
enum CenterError: String {
    case authorizationPending = "AuthorizationPendingException"
    case slowDown = "SlowDownException"
    case expiredToken = "ExpiredTokenException"
    case accessDenied = "AccessDeniedException"
    case invalidGrant = "InvalidGrantException"
    case invalidClient = "InvalidClientException"
    case unauthorizedClient = "UnauthorizedClientException"
    case unsupportedGrantType = "UnsupportedGrantTypeException"
    case invalidScope = "InvalidScopeException"
    case invalidRequest = "InvalidRequestException"
    case invalidClientMetadata = "InvalidClientMetadataException"
    case invalidRedirectURI = "InvalidRedirectUriException"
    case internalServer = "InternalServerException"

    /// The member `error` of the body.
    var error: String {
        switch self {
        case .authorizationPending: "authorization_pending"
        case .slowDown: "slow_down"
        case .expiredToken: "expired_token"
        case .accessDenied: "access_denied"
        case .invalidGrant: "invalid_grant"
        case .invalidClient: "invalid_client"
        case .unauthorizedClient: "unauthorized_client"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .invalidScope: "invalid_scope"
        case .invalidRequest: "invalid_request"
        case .invalidClientMetadata: "invalid_client_metadata"
        case .invalidRedirectURI: "invalid_redirect_uri"
        case .internalServer: "server_error"
        }
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .invalidClient: .unauthorized
        case .internalServer: .internalServerError
        default: .badRequest
        }
    }

    /// Returns the failure.
    /// - Parameters:
    ///   - description: the member `error_description` of the body.
    ///   - cause: what the client does not learn, for the journal.
    func failure(_ description: String, cause: String? = nil) -> DoorFailure {
        DoorFailure(rawValue, status, description, cause: cause)
    }
}

/// The members of a request in JSON.
struct CenterInput {
    private let members: JSONObject

    /// - Throws: ``DoorFailure`` for a body that is not a JSON object.
    init(_ body: [UInt8]) throws(DoorFailure) {
        guard let members = (try? JSONValue(parsing: body))?.objectValue else {
            throw CenterError.invalidRequest.failure("The body must be a JSON object.")
        }
        self.members = members
    }

    /// Returns a text; `nil` if it is absent or null.
    func text(_ name: String) throws(DoorFailure) -> String? {
        guard let value = members[name], value != .null else { return nil }
        guard let text = value.stringValue else { throw CenterError.invalidRequest.failure("\(name) must be a string.") }
        return text
    }

    /// Returns a text that the request must have.
    func required(_ name: String) throws(DoorFailure) -> String {
        guard let text = try text(name), !text.isEmpty else { throw CenterError.invalidRequest.failure("\(name) is missing.") }
        return text
    }

    /// Returns a list of texts; empty if it is absent or null.
    func texts(_ name: String) throws(DoorFailure) -> [String] {
        guard let value = members[name], value != .null else { return [] }
        guard let list = value.arrayValue else { throw CenterError.invalidRequest.failure("\(name) must be a list of strings.") }
        let texts = list.compactMap(\.stringValue)
        guard texts.count == list.count else { throw CenterError.invalidRequest.failure("\(name) must be a list of strings.") }
        return texts
    }
}
