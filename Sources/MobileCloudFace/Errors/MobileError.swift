import Calls
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
    /// An API of the service that is not implemented here.
    case notAvailable
    case customCodeFailed
    case customCodeTimedOut
    case identityProviderUnreachable
    case injected

    var status: HTTPResponse.Status {
        switch self {
        case .malformedRequest, .missingBackendID: .badRequest
        case .notAuthenticated, .invalidCredentials, .invalidToken, .authenticationMethodOff, .socialTokenRefused, .anotherUser,
            .originNotAllowed, .signOnFailed, .signOnExpired:
            .unauthorized
        case .forbidden, .roleRequired, .singleSignOnNotSetUp, .redirectNotAllowed, .unknownUser: .forbidden
        case .unknownBackend, .unknownPath, .unknownResource: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .conflict: .conflict
        case .preconditionFailed: .preconditionFailed
        case .bodyTooLarge: .contentTooLarge
        case .lengthRequired: .lengthRequired
        case .unsupportedMediaType: .unsupportedMediaType
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .internalError, .injected: .internalServerError
        case .notAvailable: .notImplemented
        case .socialProviderFailed, .customCodeFailed, .identityProviderUnreachable: .badGateway
        case .customCodeTimedOut: .gatewayTimeout
        }
    }

    /// The code: `MOBILE-` followed by digits.
    var code: String {
        let number =
            switch self {
            case .malformedRequest: 15001
            case .missingBackendID: 58001
            case .unknownBackend: 58026
            case .notAuthenticated: 58002
            case .invalidCredentials: 58003
            case .invalidToken: 58004
            case .authenticationMethodOff: 58005
            case .socialTokenRefused: 58006
            case .singleSignOnNotSetUp: 58041
            case .redirectNotAllowed: 58042
            case .signOnFailed: 58043
            case .signOnExpired: 58044
            case .unknownUser: 58045
            case .forbidden: 58007
            case .socialProviderFailed: 58009
            case .anotherUser: 58010
            case .originNotAllowed: 58011
            case .roleRequired: 58008
            case .unknownPath: 15002
            case .unknownResource: 15003
            case .methodNotAllowed: 15004
            case .notAcceptable: 15005
            case .conflict: 15006
            case .preconditionFailed: 15007
            case .bodyTooLarge: 15008
            case .lengthRequired: 15009
            case .unsupportedMediaType: 15010
            case .rangeNotSatisfiable: 15013
            case .internalError: 15011
            case .notAvailable: 15014
            case .customCodeFailed: 16001
            case .customCodeTimedOut: 16002
            case .identityProviderUnreachable: 16041
            case .injected: 15012
            }
        return "MOBILE-\(number)"
    }

    var title: String {
        switch self {
        case .malformedRequest: "Problem with the request"
        case .missingBackendID: "Mobile backend missing"
        case .unknownBackend: "Mobile Backend not found"
        case .notAuthenticated: "Authentication required"
        case .invalidCredentials: "Invalid credentials"
        case .invalidToken: "Invalid token"
        case .authenticationMethodOff: "Authentication method disabled"
        case .socialTokenRefused: "Social token refused"
        case .singleSignOnNotSetUp: "Single sign-on not set up"
        case .redirectNotAllowed: "Redirect not allowed"
        case .signOnFailed: "Login failed"
        case .signOnExpired: "Login expired"
        case .unknownUser: "No such user"
        case .socialProviderFailed: "Social provider failed"
        case .anotherUser: "Another user"
        case .originNotAllowed: "Origin not allowed"
        case .forbidden: "Forbidden"
        case .roleRequired: "Role required"
        case .unknownPath: "API not found"
        case .unknownResource: "Resource not found"
        case .methodNotAllowed: "Method not allowed"
        case .notAcceptable: "Not acceptable"
        case .conflict: "Conflict"
        case .preconditionFailed: "Precondition failed"
        case .bodyTooLarge: "Request entity too large"
        case .lengthRequired: "Length required"
        case .unsupportedMediaType: "Unsupported media type"
        case .rangeNotSatisfiable: "Range not satisfiable"
        case .internalError, .injected: "Internal error"
        case .notAvailable: "Not available"
        case .customCodeFailed: "Custom code failed"
        case .customCodeTimedOut: "Custom code timed out"
        case .identityProviderUnreachable: "Identity provider unreachable"
        }
    }

    /// Returns the URL of the section of RFC 2616 that defines a status.
    static func type(of status: HTTPResponse.Status) -> String {
        let code = status.code
        let section = (code >= 500 ? 5 : 4, code % 100 + 1)
        return "http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html#sec10.\(section.0).\(section.1)"
    }
}

extension Call {
    /// The execution context ID in the platform's format: an opaque text, a comma and a small number.
    var executionContext: String { "\(id.text), 0" }
}
