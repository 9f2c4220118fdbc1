import Calls
import Cloud
import HTTPTypes
import WireFormats

/// An error of the platform, in the format that all its APIs share.
/// (REST API for Oracle Mobile Cloud Service, "Error responses".)
struct MobileError: Error, Equatable {
    var kind: MobileErrorKind
    var detail: String
    /// The individual errors, if there are several.
    var causes: [String] = []
    var headers: HTTPFields = [:]

    init(_ kind: MobileErrorKind, _ detail: String, headers: HTTPFields = [:]) {
        self.kind = kind
        self.detail = detail
        self.headers = headers
    }

    /// Returns the error for a method that the resource does not support.
    static func methodNotAllowed(_ allowed: HTTPRequest.Method...) -> MobileError {
        var names = allowed.map(\.rawValue)
        if names.contains("GET") { names.append("HEAD") }
        return MobileError(
            .methodNotAllowed, "The resource takes \(names.joined(separator: ", ")).",
            headers: [.allow: (names + ["OPTIONS"]).joined(separator: ", ")])
    }

    /// - Parameter status: the status of the response; by default that of the error's kind.
    func response(to call: Call, status: HTTPResponse.Status? = nil) -> Response {
        let status = status ?? kind.status
        var headers = headers
        if status == .unauthorized, headers[.wwwAuthenticate] == nil { headers[.wwwAuthenticate] = challenge(to: call) }
        var body: JSONObject = [
            "type": .string(MobileErrorKind.type(of: status)), "status": .integer(Int64(status.code)), "title": .string(kind.title),
            "detail": .string(detail), "o:ecid": .string(call.executionContext), "o:errorCode": .string(kind.code),
            "o:errorPath": .string(call.path),
        ]
        if !causes.isEmpty {
            body["o:errorDetails"] = .array(
                causes.map {
                    [
                        "title": .string(kind.title), "detail": .string($0), "o:errorCode": .string(kind.code),
                        "o:errorPath": .string(call.path),
                    ]
                })
        }
        return .json(.object(body), status: status, headers: headers)
    }

    /// Returns the challenge that every 401 has (RFC 9110 section 11.6.1), in the scheme that the caller uses. The default is not Basic,
    /// because browsers prompt for a password then.
    private func challenge(to call: Call) -> String {
        let usesBasic =
            call.headers[.authorization].map { $0.lowercased().hasPrefix("basic") } ?? call.headers.contains(.backendID)
        if usesBasic { return "Basic realm=\"mobile cloud\", charset=\"UTF-8\"" }
        return "Bearer realm=\"mobile cloud\"" + (kind == .invalidToken ? ", error=\"invalid_token\"" : "")
    }
}

/// The kinds of errors, each with its code. Only the code of ``unknownBackend`` is known to be the service's own; the others are ours.
enum MobileErrorKind: CaseIterable {
    case malformedRequest
    case missingBackendID
    case unknownBackend
    case notAuthenticated
    case invalidCredentials
    case invalidToken
    case authenticationMethodOff
    case socialTokenRefused
    case singleSignOnNotSetUp
    case redirectNotAllowed
    /// The identity provider returned an error, or its response is invalid.
    case signOnFailed
    /// The login was already completed, has expired, or began in another browser.
    case signOnExpired
    case unknownUser
    case socialProviderFailed
    case anotherUser
    case originNotAllowed
    case forbidden
    case roleRequired
    case unknownPath
    case unknownResource
    case methodNotAllowed
    case notAcceptable
    case conflict
    case preconditionFailed
    case bodyTooLarge
    case lengthRequired
    case unsupportedMediaType
    case rangeNotSatisfiable
    case internalError
    case storageFull
    /// An API of the service that is not implemented here.
    case notAvailable
    case customCodeFailed
    case customCodeTimedOut
    case identityProviderUnreachable
    case injected

    /// The status that answers have unless a refusal says another.
    var status: HTTPResponse.Status { row.status }

    /// `MOBILE-` and digits.
    var code: String { "MOBILE-\(row.number)" }

    var title: String { row.title }

    private var row: (status: HTTPResponse.Status, number: Int, title: String) {
        switch self {
        case .malformedRequest: (.badRequest, 15001, "Problem with the request")
        case .missingBackendID: (.badRequest, 58001, "Mobile backend missing")
        case .unknownBackend: (.notFound, 58026, "Mobile Backend not found")
        case .notAuthenticated: (.unauthorized, 58002, "Authentication required")
        case .invalidCredentials: (.unauthorized, 58003, "Invalid credentials")
        case .invalidToken: (.unauthorized, 58004, "Invalid token")
        case .authenticationMethodOff: (.unauthorized, 58005, "Authentication method disabled")
        case .socialTokenRefused: (.unauthorized, 58006, "Social token refused")
        case .singleSignOnNotSetUp: (.forbidden, 58041, "Single sign-on not set up")
        case .redirectNotAllowed: (.forbidden, 58042, "Redirect not allowed")
        case .signOnFailed: (.unauthorized, 58043, "Login failed")
        case .signOnExpired: (.unauthorized, 58044, "Login expired")
        case .unknownUser: (.forbidden, 58045, "No such user")
        case .socialProviderFailed: (.badGateway, 58009, "Social provider failed")
        case .anotherUser: (.unauthorized, 58010, "Another user")
        case .originNotAllowed: (.unauthorized, 58011, "Origin not allowed")
        case .forbidden: (.forbidden, 58007, "Forbidden")
        case .roleRequired: (.forbidden, 58008, "Role required")
        case .unknownPath: (.notFound, 15002, "API not found")
        case .unknownResource: (.notFound, 15003, "Resource not found")
        case .methodNotAllowed: (.methodNotAllowed, 15004, "Method not allowed")
        case .notAcceptable: (.notAcceptable, 15005, "Not acceptable")
        case .conflict: (.conflict, 15006, "Conflict")
        case .preconditionFailed: (.preconditionFailed, 15007, "Precondition failed")
        case .bodyTooLarge: (.contentTooLarge, 15008, "Request entity too large")
        case .lengthRequired: (.lengthRequired, 15009, "Length required")
        case .unsupportedMediaType: (.unsupportedMediaType, 15010, "Unsupported media type")
        case .rangeNotSatisfiable: (.rangeNotSatisfiable, 15013, "Range not satisfiable")
        case .internalError: (.internalServerError, 15011, "Internal error")
        case .storageFull: (.insufficientStorage, 15015, "Storage full")
        case .notAvailable: (.notImplemented, 15014, "Not available")
        case .customCodeFailed: (.badGateway, 16001, "Custom code failed")
        case .customCodeTimedOut: (.gatewayTimeout, 16002, "Custom code timed out")
        case .identityProviderUnreachable: (.badGateway, 16041, "Identity provider unreachable")
        case .injected: (.internalServerError, 15012, "Internal error")
        }
    }

    /// Returns the URL of the section of RFC 2616 that defines a status.
    static func type(of status: HTTPResponse.Status) -> String {
        let code = status.code
        if status == .insufficientStorage { return "https://www.rfc-editor.org/rfc/rfc4918#section-11.5" }
        let section = (code >= 500 ? 5 : 4, code % 100 + 1)
        return "http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html#sec10.\(section.0).\(section.1)"
    }
}

extension Call {
    /// The execution context ID in the platform's format: an opaque text, a comma and a small number.
    var executionContext: String { "\(id.text), 0" }
}
